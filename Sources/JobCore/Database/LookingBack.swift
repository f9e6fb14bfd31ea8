package import Domain
package import Postgres

extension DatabaseTransaction {
  /// Reads nothing, for the rest of the transaction, that was not known at a clock.
  ///
  /// Where nothing came later the tables stay as they are, with what that costs: nothing.
  ///
  /// - Returns: whether the clock's knowledge is another than all there is.
  @discardableResult
  package mutating func lookBack(to clock: Timestamp, files: SQLFiles) throws -> Bool {
    let latest = try rows(files(RunsSQL.latestClock)).first ?? nil
    guard let latest, latest > clock.microseconds else { return false }
    _ = try run(files(RunsSQL.lookBack), ["as_of": .timestamptz(microseconds: clock.microseconds)])
    return true
  }
}
