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
    guard try knowsMore(than: clock, files: files) || isDistributed(files: files) else { return false }
    try send(files(RunsSQL.lookBack), ["as_of": clock.sqlValue])
    try propagateSettings(files: files)
    return true
  }

  /// Returns whether a fact or decision later than a clock is known.
  package mutating func knowsMore(than clock: Timestamp, files: SQLFiles) throws -> Bool {
    try rows(files(RunsSQL.latestClock)).first?.0.map { $0 > clock.microseconds } ?? false
  }
}
