package import JobCore
package import Postgres

/// A high-degree key: a user, a token or a device that connects so many rows that a change to one of them joins whole tables.
package struct HighDegreeKey: Sendable {
  /// `user`, `token` or `device`.
  package var kind: String
  package var key: String
  /// Number of orders or of subscriptions, whichever is greater.
  package var count: Int64

  /// Returns at most three keys with the most rows; none if the server has no statistics yet.
  package static func heaviest(in context: JobContext, _ tx: inout DatabaseTransaction) throws -> [HighDegreeKey] {
    let limit = try ConnectedRows(context: context).fewRowsMax(&tx)
    return try tx.rows(context.sql(DoctorSQL.highDegreeKeys), ["row_max": .int8(limit)]).map {
      HighDegreeKey(kind: $0.0, key: $0.1, count: $0.2)
    }
  }
}
