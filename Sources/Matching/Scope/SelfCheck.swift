internal import JobCore
internal import Postgres

/// What the checks of a night have in common: a sample is decided anew and compared with what is recorded.
enum SelfCheck {
  /// Orders of a sample.
  static let ordersMax = 1000
  /// Differences that a check names.
  static let differencesMax: Int64 = 20

  /// What differs, in words; empty when nothing does, or when something came in meanwhile that no run has seen.
  ///
  /// - Parameters:
  ///   - stale: file whose rows say what differs.
  ///   - behind: file that says whether something came in.
  static func differences(
    stale: String, behind: String, _ tx: inout DatabaseTransaction, in context: JobContext
  ) throws -> [String] {
    let found = try tx.rows(context.sql(stale), ["row_max": .int8(differencesMax)]) { row throws(PostgresError) in
      try row.text()
    }
    let isBehind = try tx.rows(context.sql(behind)) { row throws(PostgresError) in try row.bool() }
    return isBehind == [false] ? found : []
  }
}
