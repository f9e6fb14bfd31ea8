internal import Domain
package import JobCore
package import Postgres

/// The sums of the daily summary over the whole history, stored by day and updated with each night's changes.
package struct ReportSums {
  /// Maximum number of charges and orders that a night reads to compare one day with its sums.
  private static let sampledRowsMax: Int64 = 50_000

  /// The outcome of adding changes since the clock of the sums.
  private enum Change {
    case none, added
    /// Computing all sums is as fast.
    case tooMuch
  }

  let context: JobContext

  package init(context: JobContext) { self.context = context }

  /// Updates the stored sums to the clock of a run, for the reports of that clock. The run must hold its locks.
  ///
  /// All sums are computed again in these cases:
  /// - There are no sums yet, or the apps' settings, the program or its SQL changed.
  /// - The clock of the run is before that of the sums.
  /// - Since the sums were computed, another run decided at their clock, or a batch arrived that is known at it.
  /// - Many rows changed.
  /// - The sampled day differs.
  ///
  /// A server with distributed tables stores no sums: its reports read all rows.
  ///
  /// - Returns: a text about a stale sum of the sampled day; nil if there is none.
  package func refresh(on session: Session) async throws -> String? {
    return try await session.retrying(.snapshot) { tx in
      guard try !tx.isDistributed(files: context.sql) else { return nil }
      try tx.lookBack(to: context.asOf, files: context.sql)
      try tx.setViewed(asOf: context.asOf, of: context)
      try tx.readSums(of: context)
      let since = try tx.rows(context.sql(SumsSQL.standing)).first.map { Timestamp(microseconds: $0) }
      if since == context.asOf { return nil }
      let change = try since.map { try add(since: $0, &tx) } ?? .tooMuch
      let stale = change == .added ? try differenceOfSample(&tx) : nil
      if change == .tooMuch || stale != nil { try addAll(&tx) }
      try tx.send(context.sql(SumsSQL.record))
      return stale
    }
  }

  /// Adds the current amounts of changed charges and orders, less their amounts at an earlier clock.
  private func add(since: Timestamp, _ tx: inout DatabaseTransaction) throws -> Change {
    let sql = context.sql
    let clock: [String: Value] = ["since": since.sqlValue]
    try tx.send(sql(SumsSQL.workTables))
    // Rows of a batch lie together, so the range indexes find them. The planner expects each of a few batches to have many rows.
    tx.send("set local enable_seqscan = off")
    let chains = try tx.run(sql(SumsSQL.changedChains), clock)
    let orders = try tx.run(sql(SumsSQL.changedOrders), clock)
    tx.send("set local enable_seqscan = on")
    if chains + orders == 0 { return .none }
    try tx.send(sql(SumsSQL.matchedKeys))
    if try tx.rows(sql(SumsSQL.needsFullUpdate)) == [true] { return .tooMuch }
    try tx.send(sql(SumsSQL.facts))
    for (clock, sign) in [(since, Int64(-1)), (context.asOf, 1)] {
      try readFacts(at: clock, &tx)
      try tx.send(sql(SumsSQL.add), ["sign": .int8(sign)])
    }
    try tx.send(sql(SumsSQL.apply))
    return .added
  }

  /// Compares the sums of one day with its charges and orders. Returns a difference as text; nil if there is none.
  private func differenceOfSample(_ tx: inout DatabaseTransaction) throws -> String? {
    let sql = context.sql
    guard let day = try tx.rows(sql(SumsSQL.sampleDay), ["row_max": .int8(Self.sampledRowsMax)]).first else { return nil }
    tx.joinParts()
    try tx.send(sql(SumsSQL.clearKeys))
    try tx.send([SumsSQL.chainsOfDay, SumsSQL.ordersOfDay], ["day": .text(day)], sql: sql)
    try tx.send(sql(SumsSQL.matchedKeys))
    try readFacts(at: context.asOf, &tx)
    return try tx.rows(sql(SumsSQL.differing), ["day": .text(day)]).first
  }

  /// Makes the sums read only the selected charges and orders, as of a clock.
  private func readFacts(at clock: Timestamp, _ tx: inout DatabaseTransaction) throws {
    try tx.setViewed(asOf: clock, of: context)
    tx.joinParts()
    try tx.send(context.sql(SumsSQL.factsAt))
    tx.joinWholeTables()
  }

  private func addAll(_ tx: inout DatabaseTransaction) throws {
    tx.joinWholeTables()
    tx.send("discard temp; set local work_mem = '256MB'")
    let sql = context.sql
    try tx.send(sql(SumsSQL.workTables))
    try tx.send(sql(SumsSQL.forget))
    try tx.send(sql(SumsSQL.add), ["sign": .int8(1)])
    try tx.send(sql(SumsSQL.apply))
  }

  /// Returns the sums that differ from all charges and orders at the clock, as text; nil if there are no sums of that clock.
  package func differences(on session: Session) async throws -> [String]? {
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.lookBack(to: context.asOf, files: context.sql)
      try tx.setViewed(asOf: context.asOf, of: context)
      try tx.readSums(of: context)
      guard try tx.rows(context.sql(SumsSQL.standing)) == [context.asOf.microseconds] else { return nil }
      tx.joinWholeTables()
      return try tx.rows(context.sql(SumsSQL.differing), ["day": .text("")])
    }
  }
}
