package import JobCore
package import Postgres

/// A user, a token or a device that ties so much together that a night in which something of it is new joins whole tables.
package struct Hub: Sendable {
  /// `user`, `token` or `device`.
  package var kind: String
  package var key: String
  /// Orders or subscriptions, whichever are more.
  package var count: Int64

  /// Those that tie the most, at most three; none while the server has not looked at the facts yet.
  package static func heaviest(in context: JobContext, _ tx: inout DatabaseTransaction) throws -> [Hub] {
    let limit = try Component(context: context).rowsLimit(&tx)
    return try tx.rows(context.sql(DoctorSQL.hubs), ["row_max": .int8(limit)]).map {
      Hub(kind: $0.0, key: $0.1, count: $0.2)
    }
  }
}
