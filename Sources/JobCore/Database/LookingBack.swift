package import Domain
package import Postgres

extension DatabaseTransaction {
  /// Restricts the rest of the transaction to facts known at a clock.
  ///
  /// If no later fact exists, the tables themselves are read at no cost. Distributed tables are always read through the views of the
  /// past, because nodes do not support every comparison.
  ///
  /// - Returns: whether the views of the past are read.
  @discardableResult
  package mutating func lookBack(to clock: Timestamp, files: SQLFiles) throws -> Bool {
    let latest = try rows(files(RunsSQL.latestClock)).first?.0
    let isLater = latest.map { $0 > clock.microseconds } ?? false
    guard try isLater || isDistributed(files: files) else { return false }
    try send(files(RunsSQL.lookBack), ["as_of": .timestamptz(microseconds: clock.microseconds)])
    try propagateSettings(files: files)
    return true
  }
}
