internal import Domain
package import JobCore
internal import Logging
package import Postgres

/// What some orders, chains, users and pieces of evidence can reach: the working tables of sql/scope.
///
/// Orders and charges reach each other by user, token, device, and every id that one side names of the other. A scope is
/// closed under all of these, so that nothing outside it can bear on a decision inside it.
package struct Component {
  /// Steps from a seed to the farthest fact it reaches; one that reaches farther is no small change.
  static let roundsMax = 64
  /// Orders or chains of a scope, up to which rows are looked up one by one: one of so many, within bounds. A key that alone ties
  /// more together is a hub.
  static let rowsShare: Int64 = 25
  static let rowsMax: Int64 = 250_000
  static let rowsMin: Int64 = 20_000
  /// Orders or chains of a scope with a hub, beyond which deciding everything is no slower: one of so many, and no more than a
  /// piece holds.
  static let hubRowsShare: Int64 = 2
  static let hubRowsMax: Int64 = 1_000_000
  /// Steps from what changed while pieces were decided.
  static let roundsOfCutMax = 100_000
  /// Orders of a self-check.
  private static let sampleOrdersMax: Int64 = 1000
  private static let dayMicroseconds: Int64 = 86_400_000_000

  /// How much a scope may come to hold.
  package enum Reach {
    /// What is looked up row by row: of an answer to one question, or of a sample.
    case few
    /// What a hub ties together, too: then whole tables are joined, as where everything is decided, but no more than the hub is.
    case many
    /// However much hangs together: what changed while pieces were decided.
    case all
  }

  let context: JobContext
  /// Whether households of the lists belong together: rules judge them as one.
  var hasFamilies = false
  /// Whether facts are read as they were known at a clock, which the transaction looks back to.
  var isPast = false

  package init(context: JobContext, hasFamilies: Bool = false, isPast: Bool = false) {
    (self.context, self.hasFamilies, self.isPast) = (context, hasFamilies, isPast)
  }

  /// Makes the working tables.
  func prepare(_ tx: inout DatabaseTransaction) throws { try tx.run(context.sql(ScopeSQL.workTables)) }

  /// Has decisions read the orders and charges of the scope, what is decided on them, and more, each row looked up where they are few.
  func showInputs(_ more: [Script], _ tx: inout DatabaseTransaction) throws {
    func show(_ tx: inout DatabaseTransaction) throws { try join(more, &tx) }
    if try rowCount(&tx) <= rowsLimit(&tx) { try tx.lookingUp(show) } else { try show(&tx) }
  }

  /// As `showInputs`, where whole tables are joined.
  func join(_ more: [Script], _ tx: inout DatabaseTransaction) throws {
    for script in [InputsSQL.component, isPast ? InputsSQL.asOfCharges : InputsSQL.componentCharges] + more {
      try tx.run(context.sql(script))
    }
  }

  /// Takes the changes since the last match run, where everything is decided whatever changed.
  func discardChanges(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(context.sql(ScopeSQL.sharedTokens))
    _ = try tx.run(context.sql(ScopeSQL.discardChanges))
  }

  /// Begins with what changed since the last match run.
  ///
  /// - Parameters:
  ///   - takes: the changes are done with; otherwise they stay for the next match run.
  /// - Returns: false when that is so much that everything may as well be decided.
  func seedChanges(_ tx: inout DatabaseTransaction, takes: Bool) throws -> Bool {
    _ = try tx.run(context.sql(ScopeSQL.sharedTokens))
    let count = try tx.run(context.sql(takes ? ScopeSQL.takeChanges : ScopeSQL.seeChanges))
    func seed(_ tx: inout DatabaseTransaction) throws { try tx.run(context.sql(ScopeSQL.seedsOfChanges)) }
    // A purchase is an order, a chain, evidence that somebody handed over, and its user.
    let isFew = try Int64(count) <= 4 * rowsLimit(&tx)
    if isFew { try tx.lookingUp(seed) } else { try seed(&tx) }
    return isFew
  }

  /// Makes the working tables and begins with what somebody asks about.
  package func openSubjects(orders: [String], chains: [String], _ tx: inout DatabaseTransaction) throws {
    try prepare(&tx)
    _ = try tx.run(context.sql(ScopeSQL.seedsOfSubjects), ["order_ids": .textArray(orders), "chains": .textArray(chains)])
  }

  /// Makes the working tables and begins with a self-check's orders: a day's are the same however often they are drawn.
  func openSample(_ tx: inout DatabaseTransaction) throws {
    try prepare(&tx)
    let known = try orderEstimate(&tx)
    // Orders nobody has counted are few.
    let thousandths = known > 0 ? min(100_000, max(1, Self.sampleOrdersMax * 100_000 / known)) : 100_000
    _ = try tx.run(
      context.sql(ScopeSQL.sample),
      [
        "percent_thousandths": .int8(thousandths), "seed": .int8(context.asOf.microseconds / Self.dayMicroseconds),
        "row_max": .int8(Self.sampleOrdersMax),
      ])
  }

  /// Makes the working tables and fills them with what a piece of everything holds: whole components.
  ///
  /// - Returns: false when it holds nothing.
  package func openPiece(_ piece: Int32, by job: DecisionState.Name, _ tx: inout DatabaseTransaction) throws -> Bool {
    try prepare(&tx)
    // Each is held once: nobody looks whether it is there.
    for table in ["scope_order", "scope_chain", "scope_evidence", "scope_key"] {
      try tx.execute("alter table \(table) drop constraint \(table)_pkey")
    }
    _ = try tx.run(context.sql(PiecesSQL.open), ["job": .text(job.rawValue), "piece": .int4(piece)])
    try tx.execute("analyze scope_order, scope_chain, scope_evidence, scope_key")
    return try rowCount(&tx) > 0
  }

  /// About how many orders there are; -1 when nobody has counted yet.
  private func orderEstimate(_ tx: inout DatabaseTransaction) throws -> Int64 {
    try tx.rows(context.sql(ScopeSQL.orderEstimate)).first ?? -1
  }

  /// Adds what the scope reaches until it reaches nothing new.
  ///
  /// - Returns: false when that is more than the scope may come to hold.
  package func close(_ tx: inout DatabaseTransaction, upTo reach: Reach) throws -> Bool {
    let most = try rowsMost(reach, &tx)
    // Rounds are counted from 0.
    let last = (reach == .all ? Self.roundsOfCutMax : Self.roundsMax) - 1
    let few = try reach == .all ? most : min(most, rowsLimit(&tx))
    var closed = try close(from: 0, to: last, rowsMax: few, isJoining: reach == .all, &tx)
    if closed.hasMore, closed.rowCount <= most, closed.round < last {
      try tx.joining()
      context.log.notice("what changed reaches much: payrecon doctor names hubs, which tie it together")
      closed = try close(from: closed.round + 1, to: last, rowsMax: most, isJoining: true, &tx)
    }
    return !closed.hasMore && closed.rowCount <= most
  }

  private func close(
    from first: Int, to last: Int, rowsMax: Int64, isJoining: Bool, _ tx: inout DatabaseTransaction
  ) throws -> (round: Int, rowCount: Int64, hasMore: Bool) {
    let parameters: [String: Value] = [
      "first_round": .int4(Int32(first)), "last_round": .int4(Int32(last)), "rows_max": .int8(rowsMax),
      "has_families": .bool(hasFamilies), "is_joining": .bool(isJoining),
    ]
    let (round, rowCount, hasMore) = try tx.rows(context.sql(ScopeSQL.close), parameters).first ?? (Int64(first), 0, false)
    try tx.execute("analyze scope_order, scope_chain, scope_evidence, scope_key")
    return (Int(round), rowCount, hasMore)
  }

  /// Whether the scope, however it came about, holds so little that everything need not be decided.
  func isWorthwhile(_ tx: inout DatabaseTransaction) throws -> Bool { try rowCount(&tx) <= rowsMost(.many, &tx) }

  /// Orders or chains of the scope, whichever are more.
  func rowCount(_ tx: inout DatabaseTransaction) throws -> Int64 { try tx.rows(context.sql(ScopeSQL.rowCount)).first ?? 0 }

  /// Says so where everything is looked at because of how much changed.
  func telling(isNarrow: Bool) -> Bool {
    if !isNarrow { context.log.notice("what changed reaches so much that everything is looked at anew") }
    return isNarrow
  }

  /// Orders or chains that a scope may come to hold.
  private func rowsMost(_ reach: Reach, _ tx: inout DatabaseTransaction) throws -> Int64 {
    let limit = try rowsLimit(&tx)
    return switch reach {
    case .few: limit
    case .many: try max(limit, min(Self.hubRowsMax, orderEstimate(&tx) / Self.hubRowsShare))
    case .all: .max
    }
  }

  /// Orders or chains of a scope, up to which its rows are looked up.
  func rowsLimit(_ tx: inout DatabaseTransaction) throws -> Int64 {
    let known = try orderEstimate(&tx)
    return known > 0 ? min(Self.rowsMax, max(Self.rowsMin, known / Self.rowsShare)) : Self.rowsMax
  }
}
