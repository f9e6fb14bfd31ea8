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
  ///   - stale: gives what differs.
  ///   - behind: says whether something came in.
  static func differences(
    stale: Statement<String>, behind: Statement<Bool>, _ tx: inout DatabaseTransaction, in context: JobContext
  ) throws -> [String] {
    let found = try tx.rows(context.sql(stale), ["row_max": .int8(differencesMax)])
    return try tx.rows(context.sql(behind)) == [false] ? found : []
  }
}
