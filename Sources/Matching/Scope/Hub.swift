package import JobCore
package import Postgres

/// A user, a token or a device that ties so much together that a night in which something of it is new looks at everything.
package struct Hub: Sendable {
  /// `user`, `token` or `device`.
  package var kind: String
  package var key: String
  /// Orders or subscriptions, whichever are more.
  package var count: Int64

  /// Those that tie the most, at most three; none while the server has not looked at the keys yet.
  package static func heaviest(in context: JobContext, _ tx: inout DatabaseTransaction) throws -> [Hub] {
    let limit = try Component(context: context).rowsLimit(&tx)
    return try tx.rows(context.sql("doctor/hubs.sql"), ["row_max": .int8(limit)]) { row throws(PostgresError) in
      Hub(kind: try row.text(), key: try row.text(), count: try row.int8())
    }
  }
}
