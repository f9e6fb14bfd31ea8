internal import Domain
package import JobCore
internal import Logging
package import Postgres

/// The rows connected to some orders, chains, users and pieces of evidence, in the working tables of sql/scope.
///
/// Orders and charges are connected by user, token, device, and every id that one side names of the other. A scope is closed under all of
/// these, so no row outside it affects a decision inside it.
package struct ConnectedRows {
  /// Maximum number of steps from a seed to a connected row. A scope with longer paths is not small.
  private static let stepsMax = 64
  /// Few orders or chains are the total divided by `fewShare`, between `fewMin` and `fewMax`. A key that alone connects more is a
  /// high-degree key.
  private static let fewShare: Int64 = 25
  private static let fewMax: Int64 = 250_000
  private static let fewMin: Int64 = 20_000
  /// Many orders or chains are the total divided by `manyShare`, at most `manyMax`. Beyond this, deciding everything is as fast.
  private static let manyShare: Int64 = 2
  private static let manyMax: Int64 = 1_000_000
  /// Maximum number of orders in a self-check.
  private static let sampleOrdersMax: Int64 = 1000
  private static let dayMicroseconds: Int64 = 86_400_000_000

  /// The maximum size of a scope.
  package enum SizeLimit {
    /// Few rows, for a single question or a sample. They are looked up one by one.
    case few
    /// The rows of a high-degree key, too. Above the limit of few rows, whole tables are joined.
    case many
  }

  let context: JobContext
  /// Whether households of the lists are connected. Rules evaluate a household as one.
  var hasFamilies = false
  /// Whether facts are read as of a past clock, which the transaction has set.
  var isPast = false

  package init(context: JobContext, hasFamilies: Bool = false, isPast: Bool = false) {
    (self.context, self.hasFamilies, self.isPast) = (context, hasFamilies, isPast)
  }

  /// Creates the working tables.
  func prepare(_ tx: inout DatabaseTransaction) throws { try tx.send(context.sql(ScopeSQL.workTables)) }

  /// Restricts the input views to the scope's orders, charges and decisions, and to `more`. Few rows are looked up one by one.
  func bindInputs(_ more: [Script], _ tx: inout DatabaseTransaction) throws {
    func show(_ tx: inout DatabaseTransaction) throws { try join(more, &tx) }
    let size = try size(&tx)
    if size.rowCount <= Self.rowsMax(.few, of: size.orderCount) { try tx.withNestedLoops(show) } else { try show(&tx) }
  }

  /// Does the work of `bindInputs` by joining whole tables.
  func join(_ more: [Script], _ tx: inout DatabaseTransaction) throws {
    for script in [InputsSQL.component, isPast ? InputsSQL.asOfCharges : InputsSQL.componentCharges] + more {
      try tx.send(context.sql(script))
    }
    try tx.gatherDistributed(files: context.sql)
  }

  /// Removes the changes since the last match run, because everything will be decided.
  func discardChanges(_ tx: inout DatabaseTransaction) throws {
    // Many users may have changed, but the planner expects few.
    tx.send("set local enable_nestloop = off")
    try tx.send(context.sql(ScopeSQL.sharedTokens))
    tx.send("set local enable_nestloop = on")
    try tx.send(context.sql(ScopeSQL.discardChanges))
  }

  /// Seeds the scope with the changes since the last match run.
  ///
  /// - Parameters:
  ///   - takes: whether the changes are removed; otherwise they stay for the next match run.
  /// - Returns: false if there are so many changes that deciding everything is as fast.
  func seedChanges(_ tx: inout DatabaseTransaction, takes: Bool) throws -> Bool {
    try tx.send(context.sql(ScopeSQL.sharedTokens))
    let count = try tx.run(context.sql(takes ? ScopeSQL.takeChanges : ScopeSQL.readChanges))
    func seed(_ tx: inout DatabaseTransaction) throws { try tx.send(context.sql(ScopeSQL.seedsOfChanges)) }
    // A purchase counts four times: its order, chain, uploaded evidence and user.
    let isFew = try Int64(count) <= 4 * fewRowsMax(&tx)
    if isFew { try tx.withNestedLoops(seed) } else { try seed(&tx) }
    return isFew
  }

  /// Creates the working tables and seeds them with the rows of a question.
  package func openSubjects(orders: [String], chains: [String], _ tx: inout DatabaseTransaction) throws {
    try prepare(&tx)
    try tx.send(context.sql(ScopeSQL.seedsOfSubjects), ["order_ids": .textArray(orders), "chains": .textArray(chains)])
  }

  /// Creates the working tables and seeds them with a self-check's orders. The sample stays the same for a whole day.
  func openSample(_ tx: inout DatabaseTransaction) throws {
    try prepare(&tx)
    let known = try orderEstimate(&tx)
    // Without an estimate there are few orders.
    let thousandths = known > 0 ? min(100_000, max(1, Self.sampleOrdersMax * 100_000 / known)) : 100_000
    try tx.send(
      context.sql(ScopeSQL.sample),
      [
        "percent_thousandths": .int8(thousandths), "seed": .int8(context.asOf.microseconds / Self.dayMicroseconds),
        "row_max": .int8(Self.sampleOrdersMax),
      ])
  }

  /// Returns the estimated number of orders; -1 if the server has no statistics yet.
  private func orderEstimate(_ tx: inout DatabaseTransaction) throws -> Int64 {
    try tx.rows(context.sql(ScopeSQL.orderEstimate)).first ?? -1
  }

  /// Adds connected rows until none is left.
  ///
  /// - Returns: false if the scope would exceed its maximum size.
  package func close(_ tx: inout DatabaseTransaction, upTo limit: SizeLimit) throws -> Bool {
    let known = try orderEstimate(&tx)
    let rowsMax = Self.rowsMax(limit, of: known)
    // Rounds are counted from 0.
    let last = Self.stepsMax - 1
    var closed = try close(from: 0, to: last, rowsMax: Self.rowsMax(.few, of: known), isJoining: false, &tx)
    if closed.hasMore, closed.rowCount <= rowsMax, closed.round < last {
      tx.allowWholeJoins()
      context.log.notice("the changes are connected with very many rows: payrecon doctor names the high-degree keys that connect them")
      closed = try close(from: closed.round + 1, to: last, rowsMax: rowsMax, isJoining: true, &tx)
    }
    return !closed.hasMore && closed.rowCount <= rowsMax
  }

  private func close(
    from first: Int, to last: Int, rowsMax: Int64, isJoining: Bool, _ tx: inout DatabaseTransaction
  ) throws -> (round: Int, rowCount: Int64, hasMore: Bool) {
    let parameters: [String: Value] = [
      "first_round": .int4(Int32(first)), "last_round": .int4(Int32(last)), "rows_max": .int8(rowsMax),
      "has_families": .bool(hasFamilies), "is_joining": .bool(isJoining),
    ]
    let (round, rowCount, hasMore) = try tx.rows(context.sql(ScopeSQL.close), parameters).first ?? (Int64(first), 0, false)
    tx.send("analyze scope_order, scope_chain, scope_evidence, scope_key")
    return (Int(round), rowCount, hasMore)
  }

  /// Whether the scope is so small that deciding everything is slower.
  func isWorthwhile(_ tx: inout DatabaseTransaction) throws -> Bool {
    let size = try size(&tx)
    return size.rowCount <= Self.rowsMax(.many, of: size.orderCount)
  }

  /// Returns the number of orders or of chains in the scope, whichever is greater.
  func rowCount(_ tx: inout DatabaseTransaction) throws -> Int64 { try size(&tx).rowCount }

  /// Returns the size of the scope, and the estimated number of all orders.
  private func size(_ tx: inout DatabaseTransaction) throws -> (rowCount: Int64, orderCount: Int64) {
    try tx.rows(context.sql(ScopeSQL.size)).first ?? (0, -1)
  }

  /// Logs a notice if everything is evaluated again. Returns `isNarrow`.
  func logExtent(isNarrow: Bool) -> Bool {
    if !isNarrow { context.log.notice("the changes reach so many orders that all are evaluated again") }
    return isNarrow
  }

  /// Returns the maximum number of orders or chains in a scope whose rows are looked up one by one.
  func fewRowsMax(_ tx: inout DatabaseTransaction) throws -> Int64 { try Self.rowsMax(.few, of: orderEstimate(&tx)) }

  /// Returns the maximum number of orders or chains in a scope.
  ///
  /// - Parameter orderCount: number of all orders; -1 if it is unknown.
  private static func rowsMax(_ limit: SizeLimit, of orderCount: Int64) -> Int64 {
    let few = orderCount > 0 ? min(fewMax, max(fewMin, orderCount / fewShare)) : fewMax
    return switch limit {
    case .few: few
    case .many: max(few, min(manyMax, orderCount / manyShare))
    }
  }
}
