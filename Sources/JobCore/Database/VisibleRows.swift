package import Domain
package import Postgres

extension DatabaseTransaction {
  /// Restricts the rest of the transaction to facts known at a clock.
  ///
  /// If no later fact exists, the transaction reads the tables themselves, at no cost. Distributed tables are always read through the
  /// views of the past, because nodes do not support every comparison.
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

  /// Whether the large tables are distributed over several nodes. The server is asked once per transaction.
  package mutating func isDistributed(files: SQLFiles) throws(PostgresError) -> Bool {
    if let isDistributed { return isDistributed }
    let answer = try rows(files(RunsSQL.isDistributed)).first ?? false
    isDistributed = answer
    return answer
  }

  /// Sets the transaction's settings that functions read on every node. Citus propagates a setting as its original statement, so each is
  /// a separate statement.
  package mutating func propagateSettings(files: SQLFiles) throws(PostgresError) {
    guard try isDistributed(files: files) else { return }
    let settings = try rows(files(RunsSQL.sessionSettings))
    send("set local citus.propagate_set_commands = 'local'")
    for (name, value) in settings { send("set local \(name) = '\(value.replacing("'", with: "''"))'") }
    send("set local citus.propagate_set_commands = 'none'")
  }

  /// Makes statements read distributed tables as a whole, for the rest of the transaction. Comparisons that nodes do not support need
  /// this.
  package mutating func readDistributedAsWhole(files: SQLFiles) throws {
    if try isDistributed(files: files) { try lookBack(to: Self.endOfTime, files: files) }
  }

  private static let endOfTime = Timestamp(rfc3339: "9999-01-01T00:00:00Z") ?? Timestamp(microseconds: .max)

  /// Makes the input views show all rows, for the rest of the transaction. Distributed tables are copied, because nodes do not support
  /// every comparison.
  package mutating func showAllInputs(files: SQLFiles) throws(PostgresError) {
    try send(files(InputsSQL.everything))
    try gatherDistributed(files: files)
  }

  /// Replaces distributed tables by copies, for the rest of the transaction.
  package mutating func gatherDistributed(files: SQLFiles) throws(PostgresError) {
    if try isDistributed(files: files) { try send(files(InputsSQL.gathered)) }
  }
}
