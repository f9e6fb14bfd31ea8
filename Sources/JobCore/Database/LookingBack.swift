package import Domain
package import Postgres

extension DatabaseTransaction {
  /// Reads nothing, for the rest of the transaction, that was not known at a clock.
  ///
  /// Where nothing came later the tables stay as they are, with what that costs: nothing. Where they lie on several nodes, which
  /// would not compare them in every way, the past is read all the same: it is put together where it is asked for.
  ///
  /// - Returns: whether the clock's knowledge is another than all there is.
  @discardableResult
  package mutating func lookBack(to clock: Timestamp, files: SQLFiles) throws -> Bool {
    let latest = try rows(files(RunsSQL.latestClock)).first?.0
    let isLater = latest.map { $0 > clock.microseconds } ?? false
    guard try isLater || isSpread(files: files) else { return false }
    _ = try run(files(RunsSQL.lookBack), ["as_of": .timestamptz(microseconds: clock.microseconds)])
    try tellNodes(files: files)
    return true
  }
}
