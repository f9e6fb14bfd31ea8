internal import Domain
internal import JobCore
internal import Logging
internal import Postgres

/// What some orders, chains, users and pieces of evidence can reach: the working tables of sql/scope.
///
/// Orders and charges reach each other by user, token, device, and every id that one side names of the other. A scope is
/// closed under all of these, so that nothing outside it can bear on a decision inside it.
struct Component {
  /// Steps from a seed to the farthest fact it reaches; one that reaches farther is no small change.
  static let roundsMax = 64
  /// Orders or chains of a scope, beyond which deciding everything is no slower: one of so many, within bounds.
  static let rowsShare: Int64 = 25
  static let rowsMax: Int64 = 250_000
  static let rowsMin: Int64 = 20_000
  /// Steps from a seed of a piece; what hangs together farther than this is decided in no piece.
  static let roundsOfPieceMax = 100_000
  /// Orders of a self-check.
  private static let sampleOrdersMax: Int64 = 1000
  private static let dayMicroseconds: Int64 = 86_400_000_000

  let context: JobContext
  /// Whether households of the lists belong together: rules judge them as one.
  var hasFamilies = false
  /// Whether keys that nobody wrote yet are looked at beside those that are kept.
  var hasNews = false
  /// Whether facts are read as they were known at a clock, which the transaction looks back to.
  var isPast = false

  /// Makes the working tables.
  func prepare(_ tx: inout DatabaseTransaction) throws { try tx.run(context.sql(ScopeSQL.workTables)) }

  /// Has decisions read the orders and charges of the scope, what is decided on them, and more.
  func showInputs(_ more: [Script], _ tx: inout DatabaseTransaction) throws {
    for script in [InputsSQL.component, isPast ? InputsSQL.asOfCharges : InputsSQL.componentCharges] + more {
      try tx.run(context.sql(script))
    }
  }

  /// Begins with what changed since the last match run.
  ///
  /// - Parameters:
  ///   - takes: the changes are done with; otherwise they stay for the next match run.
  ///   - keys: writes the keys of the changed facts, too.
  /// - Returns: false when that is so much that everything may as well be decided.
  func seedChanges(_ tx: inout DatabaseTransaction, takes: Bool, keys: Bool) throws -> Bool {
    let count = try tx.run(context.sql(takes ? ScopeSQL.takeChanges : ScopeSQL.seeChanges))
    func seed(_ tx: inout DatabaseTransaction) throws {
      try tx.run(context.sql(ScopeSQL.seedsOfChanges))
      if keys { _ = try tx.run(context.sql(ScopeSQL.keysOfChanges)) }
      if keys, !hasNews { try tx.run(context.sql(ScopeSQL.keepKeys)) }
    }
    // A purchase is an order, a chain, evidence that somebody handed over, and its user.
    let isFew = try Int64(count) <= 4 * rowsLimit(&tx)
    if isFew { try tx.lookingUp(seed) } else { try seed(&tx) }
    return isFew
  }

  /// Writes the keys of all facts.
  func writeAllKeys(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(context.sql(ScopeSQL.keysOfAll))
    try tx.run(context.sql(ScopeSQL.keepKeys))
  }

  /// Whether a match run has written keys yet.
  private func hasKeys(_ tx: inout DatabaseTransaction) throws -> Bool {
    try DecisionState.read(.match, &tx, in: context)?.hasKeys == true
  }

  /// Whether facts came in whose keys nobody wrote yet.
  func isBehind(_ tx: inout DatabaseTransaction) throws -> Bool {
    guard try hasKeys(&tx) else { return true }
    return try tx.rows(context.sql(ScopeSQL.hasChanges)).first ?? true
  }

  /// Makes the working tables and begins with what somebody asks about; keys that nobody wrote yet are gathered first.
  ///
  /// - Returns: false when so much came in since keys were written that a match run has to see it first.
  func openSubjects(orders: [String], chains: [String], _ tx: inout DatabaseTransaction) throws -> Bool {
    try prepare(&tx)
    if hasNews, try !gatherNews(&tx) { return false }
    _ = try tx.run(context.sql(ScopeSQL.seedsOfSubjects), ["order_ids": .textArray(orders), "chains": .textArray(chains)])
    return true
  }

  private func gatherNews(_ tx: inout DatabaseTransaction) throws -> Bool {
    if try hasKeys(&tx) {
      guard try seedChanges(&tx, takes: false, keys: true) else { return false }
      try tx.execute("truncate scope_order, scope_chain, scope_evidence, scope_key, scope_state")
    } else {
      _ = try tx.run(context.sql(ScopeSQL.keysOfAll))
    }
    try tx.execute("create index on scope_new_key (key, kind); analyze scope_new_key")
    return true
  }

  /// Makes the working tables and begins with a self-check's orders: a day's are the same however often they are drawn.
  ///
  /// - Returns: false when no keys are written yet, so that nobody knows what they reach.
  func openSample(_ tx: inout DatabaseTransaction) throws -> Bool {
    guard try hasKeys(&tx) else { return false }
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
    return true
  }

  /// Makes the working tables and begins with what a piece of everything holds that no other piece has decided.
  ///
  /// - Parameter shares: how many pieces begin with orders; as many more begin with what these did not lead to.
  /// - Returns: false when nothing is left of it.
  func openPiece(_ piece: Int32, of shares: Int32, by job: DecisionState.Name, _ tx: inout DatabaseTransaction) throws -> Bool {
    try prepare(&tx)
    let seeds = piece < shares ? PiecesSQL.seeds : PiecesSQL.seedsLeft
    let share: [String: Value] = ["job": .text(job.rawValue), "piece": .int4(piece), "share_count": .int4(shares)]
    guard try tx.run(context.sql(seeds), share) > 0 else { return false }
    try tx.execute("analyze scope_order, scope_chain")
    return true
  }

  /// About how many orders there are; -1 when nobody has counted yet.
  private func orderEstimate(_ tx: inout DatabaseTransaction) throws -> Int64 {
    try tx.rows(context.sql(ScopeSQL.orderEstimate)).first ?? -1
  }

  /// Adds what the scope reaches until it reaches nothing new.
  ///
  /// - Parameter isPiece: a piece of everything, or what changed while pieces were decided: it holds what hangs together however much
  ///   that is.
  /// - Returns: false when that is so much that everything may as well be decided.
  func close(_ tx: inout DatabaseTransaction, isPiece: Bool = false) throws -> Bool {
    let limit = try isPiece ? .max : rowsLimit(&tx)
    let factSteps = ScopeSQL.factSteps.filter { hasNews || $0.path != ScopeSQL.factsOfNewKeys.path }
      + (hasFamilies ? [ScopeSQL.keysOfFamilies] : [])
    for round in 0..<(isPiece ? Self.roundsOfPieceMax : Self.roundsMax) {
      let parameters = ["round": Value.int4(Int32(round))]
      try tx.run(ScopeSQL.keySteps, parameters, sql: context.sql)
      // A piece's keys are many, and whole tables are joined with them.
      if isPiece { try tx.execute("analyze scope_key") }
      try tx.run(factSteps, parameters, sql: context.sql)
      try tx.execute("analyze scope_order, scope_chain, scope_evidence, scope_key")
      let found = try found(after: round, &tx)
      if found.count > limit { return false }
      if !found.hasMore { return true }
    }
    return false
  }

  /// Whether the scope, however it came about, holds so little that everything need not be decided.
  func isSmall(_ tx: inout DatabaseTransaction) throws -> Bool {
    try found(after: Self.roundsMax, &tx).count <= rowsLimit(&tx)
  }

  /// Whether the scope holds an order or a chain.
  func hasRows(_ tx: inout DatabaseTransaction) throws -> Bool { try found(after: Self.roundsMax, &tx).count > 0 }

  /// Says so where everything is looked at because of how much changed.
  func telling(isNarrow: Bool) -> Bool {
    if !isNarrow { context.log.notice("what changed reaches so much that everything is looked at anew") }
    return isNarrow
  }

  private func found(after round: Int, _ tx: inout DatabaseTransaction) throws -> (count: Int64, hasMore: Bool) {
    let found = try tx.rows(context.sql(ScopeSQL.found), ["round": .int4(Int32(round))]).first
    guard let (orders, chains, hasMore) = found else { return (0, false) }
    return (max(orders, chains), hasMore)
  }

  /// Orders or chains that a scope may hold.
  func rowsLimit(_ tx: inout DatabaseTransaction) throws -> Int64 {
    let known = try orderEstimate(&tx)
    return known > 0 ? min(Self.rowsMax, max(Self.rowsMin, known / Self.rowsShare)) : Self.rowsMax
  }
}
