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
  private static let dayMicroseconds: Int64 = 86_400_000_000

  let context: JobContext
  /// Whether households of the lists belong together: rules judge them as one.
  var hasFamilies = false
  /// Whether keys that nobody wrote yet are looked at beside those that are kept.
  var hasNews = false
  /// Whether facts are read as they were known at a clock, which the transaction looks back to.
  var isPast = false

  func file(_ name: String) throws -> SQLFile { try context.sql("scope/\(name).sql") }

  private func script(_ name: String, _ tx: inout DatabaseTransaction) throws {
    try tx.execute(context.sql.text("scope/\(name).sql"))
  }

  /// Makes the working tables.
  func prepare(_ tx: inout DatabaseTransaction) throws { try script("00_work_tables", &tx) }

  /// Has decisions read the orders and charges of the scope, what is decided on them, and more that a file names.
  func showInputs(_ more: [String], _ tx: inout DatabaseTransaction) throws {
    for name in ["component", isPast ? "as_of_charges" : "component_charges"] + more {
      try tx.execute(context.sql.text("inputs/\(name).sql"))
    }
  }

  /// Begins with what changed since the last match run.
  ///
  /// - Parameters:
  ///   - takes: the changes are done with; otherwise they stay for the next match run.
  ///   - keys: writes the keys of the changed facts, too.
  /// - Returns: false when that is so much that everything may as well be decided.
  func seedChanges(_ tx: inout DatabaseTransaction, takes: Bool, keys: Bool) throws -> Bool {
    let count = try tx.run(file(takes ? "01_take_changes" : "01_see_changes"))
    func seed(_ tx: inout DatabaseTransaction) throws {
      try script("04_seeds_of_changes", &tx)
      if keys { try script("02_keys_of_changes", &tx) }
      if keys, !hasNews { try script("03_keep_keys", &tx) }
    }
    // A purchase is an order, a chain, evidence that somebody handed over, and its user.
    let isFew = try Int64(count) <= 4 * rowsLimit(&tx)
    if isFew { try tx.lookingUp(seed) } else { try seed(&tx) }
    return isFew
  }

  /// Writes the keys of all facts.
  func writeAllKeys(_ tx: inout DatabaseTransaction) throws {
    try script("03_keys_of_all", &tx)
    try script("03_keep_keys", &tx)
  }

  /// Makes the working tables and begins with what somebody asks about; keys that nobody wrote yet are gathered first.
  ///
  /// - Returns: false when so much came in since keys were written that a match run has to see it first.
  func openSubjects(orders: [String], chains: [String], _ tx: inout DatabaseTransaction) throws -> Bool {
    try prepare(&tx)
    if try DecisionState.read(.match, &tx, in: context)?.hasKeys == true {
      guard try seedChanges(&tx, takes: false, keys: true) else { return false }
      try tx.execute("truncate scope_order, scope_chain, scope_evidence, scope_key, scope_state")
    } else {
      try script("03_keys_of_all", &tx)
    }
    try tx.execute("create index on scope_new_key (key, kind); analyze scope_new_key")
    _ = try tx.run(file("04_seeds_of_subjects"), ["order_ids": .textArray(orders), "chains": .textArray(chains)])
    return true
  }

  /// Makes the working tables and begins with a self-check's orders: a day's are the same however often they are drawn.
  ///
  /// - Returns: false when no keys are written yet, so that nobody knows what they reach.
  func openSample(_ tx: inout DatabaseTransaction) throws -> Bool {
    guard try DecisionState.read(.match, &tx, in: context)?.hasKeys == true else { return false }
    try prepare(&tx)
    let orderCount = Int64(SelfCheck.ordersMax)
    let known = try orderEstimate(&tx)
    // Orders nobody has counted are few.
    let thousandths = known > 0 ? min(100_000, max(1, orderCount * 100_000 / known)) : 100_000
    _ = try tx.run(
      file("05_sample"),
      [
        "percent_thousandths": .int8(thousandths), "seed": .int8(context.asOf.microseconds / Self.dayMicroseconds),
        "row_max": .int8(orderCount),
      ])
    return true
  }

  /// Makes the working tables and begins with what a piece of everything holds that no other piece has decided.
  ///
  /// - Parameter shares: how many pieces begin with orders; as many more begin with what these did not lead to.
  /// - Returns: false when nothing is left of it.
  func openPiece(_ piece: Int32, of shares: Int32, _ tx: inout DatabaseTransaction) throws -> Bool {
    try prepare(&tx)
    let seeds = try context.sql("match/pieces/\(piece < shares ? "seeds" : "seeds_left").sql")
    guard try tx.run(seeds, ["piece": .int4(piece), "share_count": .int4(shares)]) > 0 else { return false }
    try tx.execute("analyze scope_order, scope_chain")
    return true
  }

  /// About how many orders there are; -1 when nobody has counted yet.
  private func orderEstimate(_ tx: inout DatabaseTransaction) throws -> Int64 {
    try tx.rows(file("06_order_estimate")) { row throws(PostgresError) in try row.int8() }.first ?? -1
  }

  private static let stepOfNews = "14_facts_of_new_keys"
  private static let steps = [
    "10_keys_of_orders", "11_keys_of_chains", "12_keys_of_evidence", "13_chains_of_evidence", "14_facts_of_keys",
    stepOfNews, "16_claims_of_keys", "20_orders_of_round", "21_chains_of_round", "22_evidence_of_round", "23_keys_of_round",
  ]

  /// Adds what the scope reaches until it reaches nothing new.
  ///
  /// - Parameter isPiece: a piece of everything, which holds what hangs together however much that is.
  /// - Returns: false when that is so much that everything may as well be decided.
  func close(_ tx: inout DatabaseTransaction, isPiece: Bool = false) throws -> Bool {
    let limit = try isPiece ? .max : rowsLimit(&tx)
    for round in 0..<(isPiece ? Self.roundsOfPieceMax : Self.roundsMax) {
      let number: [String: Value] = ["round": .int4(Int32(round))]
      for step in Self.steps where hasNews || step != Self.stepOfNews { _ = try tx.run(file(step), number) }
      if hasFamilies { _ = try tx.run(file("15_keys_of_families"), number) }
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
    let number: [String: Value] = ["round": .int4(Int32(round))]
    return try tx.rows(file("24_found"), number) { row throws(PostgresError) in
      (count: max(try row.int8(), try row.int8()), hasMore: try row.bool())
    }.first ?? (count: 0, hasMore: false)
  }

  /// Orders or chains that a scope may hold.
  func rowsLimit(_ tx: inout DatabaseTransaction) throws -> Int64 {
    let known = try orderEstimate(&tx)
    return known > 0 ? min(Self.rowsMax, max(Self.rowsMin, known / Self.rowsShare)) : Self.rowsMax
  }
}
