internal import JobCore
internal import Postgres

/// One climb of the ladder inside a transaction.
struct LadderRun {
  /// Passes in which an order or charge that lost its first choice gets its next; more contention than this is left open.
  static let grantPassesMax = 64
  /// Rounds in which a match by token makes the next one single; the rest is decided by time (M6).
  static let tokenRoundsMax = 64

  /// What the ladder reads.
  enum Extent {
    case all
    /// A scope, which is open.
    case part
  }

  private let context: JobContext
  private let spans: [String: Value]
  private let isPart: Bool

  init(context: JobContext, extent: Extent) {
    self.context = context
    isPart = extent == .part
    spans = context.settings.ladderSpans
  }

  /// Runs a statement with what it takes of the spans by which the ladder compares, and of more.
  @discardableResult
  private func run(
    _ statement: Statement< >, _ tx: inout DatabaseTransaction, _ more: [String: Value] = [:]
  ) throws -> Int {
    try tx.run(context.sql(statement), statement.picking(from: spans.merging(more) { $1 }))
  }

  /// Decides everything that the inputs hold, and what that changes.
  func decide(_ tx: inout DatabaseTransaction) throws {
    try prepare(&tx)
    try climb(&tx)
    try explainRefusals(&tx)
  }

  /// Decides the plain bulk at once and loads what is left, with everything that bears on it, for the ladder.
  private func prepare(_ tx: inout DatabaseTransaction) throws {
    // Whole tables are joined, be they of everything or of the scope: a nested loop is only ever chosen on a wrong
    // estimate.
    try tx.execute("set local enable_nestloop = off; set local work_mem = '256MB'")
    if !isPart { try tx.showEverything(files: context.sql) }
    try tx.run(context.sql(MatchSQL.workTables))
    try decidePlain(&tx)
    try loadScope(&tx)
  }

  private func decidePlain(_ tx: inout DatabaseTransaction) throws {
    try tx.run(context.sql(MatchSQL.decisionsAndTokens))
    for statement in MatchSQL.known { try run(statement, &tx, ["is_part": .bool(isPart)]) }
    try tx.execute(
      "analyze match_decision, match_token_order, match_token_owner, match_named, match_chain_order, "
        + "match_contested_chain, match_evidence")
    for statement in MatchSQL.plain { try run(statement, &tx) }
    try tx.execute("analyze match_plain")
    try tx.run(context.sql(MatchSQL.open))
    try tx.execute("analyze match_open_order; analyze match_open_charge")
    try run(MatchSQL.orderTokens, &tx)
    try tx.execute("analyze match_order_token")
    try run(MatchSQL.plainRepeats, &tx, ["place_max": .int8(Int64(Self.tokenRoundsMax))])
  }

  private func loadScope(_ tx: inout DatabaseTransaction) throws {
    try tx.run(context.sql(MatchSQL.scope))
    try tx.execute("analyze match_scope_order; analyze match_scope_charge")
    for statement in MatchSQL.read { try run(statement, &tx) }
    try tx.execute("analyze match_order; analyze match_charge; analyze match_order_token")
    try tx.run(context.sql(MatchSQL.scopeDecided))
    try tx.execute("analyze match_decided")
  }

  private func climb(_ tx: inout DatabaseTransaction) throws {
    // What orders name is known before anybody competes: whose claim another order was granted does not.
    let named = try run(MatchSQL.m1, &tx)
    let byLineItem = try run(MatchSQL.m3, &tx)
    let byEvidence = try run(MatchSQL.m5, &tx)
    try run(MatchSQL.refuseUnmatched, &tx)
    try run(MatchSQL.unproven, &tx)
    try tx.execute("analyze match_candidate, match_unproven")
    // What two people decided, and what is plain, tells whose a subscription is before anybody competes.
    _ = try knowChainOwners(&tx)
    try grantChains(&tx, rung: "M1", candidateCount: named)
    try tx.execute("analyze match_decided")
    try climbTokens(&tx, isAgain: false)
    try grantChains(&tx, rung: "M3", candidateCount: byLineItem)
    try climbChains(&tx)
    let byList = try run(MatchSQL.m5Listed, &tx)
    try run(MatchSQL.refuseUnmatched, &tx)
    try grantChains(&tx, rung: "M5", candidateCount: byEvidence + byList)
    // Evidence may have told whose subscription it is.
    if byEvidence + byList > 0 { try climbChains(&tx) }
    try excludeDuplicates(&tx)
    try tx.execute("analyze match_decided")
    for statement in MatchSQL.m6 { try run(statement, &tx) }
    try ContestedPairs(context: context).decide(&tx)
    // A first purchase that was guessed tells, too, whom refused claims on its subscription offend, which of its owner's hold,
    // and whose its renewals are.
    try grantChains(&tx, rung: "M5", candidateCount: .max)
    try climbChains(&tx)
  }

  /// What follows from whose a subscription is: which order its tokens mean (M2) and whose its renewals are (M4).
  private func climbChains(_ tx: inout DatabaseTransaction) throws {
    try climbTokens(&tx, isAgain: true)
    guard try run(MatchSQL.m4, &tx) > 0 else { return }
    try run(MatchSQL.refuseUnmatched, &tx)
    try grant(&tx, rung: "M4", candidateCount: .max)
  }

  /// Grants a rung's claims; what turns out to be on another user's subscription is taken back, and whoever stood behind
  /// it gets its turn. What the owner claimed late on this rung or one above holds then, and goes first.
  private func grantChains(_ tx: inout DatabaseTransaction, rung: String, candidateCount: Int) throws {
    guard candidateCount > 0 else { return }
    try grant(&tx, rung: rung, candidateCount: candidateCount)
    var changed = try knowChainOwners(&tx)
    for _ in 0..<Self.grantPassesMax where changed > 0 {
      // Claims of rungs above may be open again, so this rung's number is no bound.
      try grant(&tx, rung: rung, candidateCount: .max)
      changed = try knowChainOwners(&tx)
      // Who lost a place may have a better claim to somebody else's.
      changed += try run(MatchSQL.takeBack, &tx)
    }
  }

  /// M2 again and again: a match takes its order out of the way of the user's next purchase.
  ///
  /// - Parameter isAgain: only what a rung below told whose subscription it is.
  private func climbTokens(_ tx: inout DatabaseTransaction, isAgain: Bool) throws {
    try excludeDuplicates(&tx)
    if isAgain, try tx.rows(context.sql(MatchSQL.chainsTold)).first != true { return }
    for _ in 0..<Self.tokenRoundsMax {
      if try run(MatchSQL.m2, &tx, ["is_again": .bool(isAgain)]) == 0 { return }
      // Candidates of earlier rounds may have become free, so this round's number is no bound.
      try grantChains(&tx, rung: "M2", candidateCount: .max)
      try excludeDuplicates(&tx)
    }
  }

  /// Finds the orders that compete for no other purchase. Without statistics of them M2 and M6 take time that grows with the square.
  private func excludeDuplicates(_ tx: inout DatabaseTransaction) throws {
    try run(MatchSQL.duplicates, &tx)
    try tx.execute("analyze match_duplicate, match_refused_order")
  }

  /// Grants a rung's candidates until none is left to grant.
  ///
  /// - Parameter candidateCount: no more than so many are open; when all of them are granted, nobody looks again.
  private func grant(_ tx: inout DatabaseTransaction, rung: String, candidateCount: Int) throws {
    var grantedCount = 0
    for _ in 0..<Self.grantPassesMax where grantedCount < candidateCount {
      let granted = try run(MatchSQL.grant, &tx, ["rung": .text(rung)])
      if granted == 0 { return }
      grantedCount += granted
    }
  }

  /// - Returns: how many claims and matches stand otherwise now that whose chain it is is known.
  private func knowChainOwners(_ tx: inout DatabaseTransaction) throws -> Int {
    // Without a subscription whose owner was not known before, nothing changes.
    guard try run(MatchSQL.chainOwners, &tx) > 0 else { return 0 }
    return try run(MatchSQL.judgeAgain, &tx) + run(MatchSQL.takeBack, &tx)
  }

  private func explainRefusals(_ tx: inout DatabaseTransaction) throws {
    let testers = context.settings.apps.flatMap(\.testers).sorted()
    for statement in MatchSQL.refusals { try run(statement, &tx, ["testers": .textArray(testers)]) }
    try compare(&tx)
  }

  /// Finds what the decisions change of what stands.
  func compare(_ tx: inout DatabaseTransaction) throws { try run(MatchSQL.changes, &tx) }

  /// - Parameter keepsRows: the changed rows are kept for a person to read.
  func outcome(_ tx: inout DatabaseTransaction, keepsRows: Bool) throws -> MatchOutcome {
    let (begun, ended, ambiguous, refused) = try tx.rows(context.sql(MatchSQL.counts)).first ?? (0, 0, 0, 0)
    var outcome = MatchOutcome(
      changes: [], begunCount: Int(begun), endedCount: Int(ended), ambiguousChargeCount: Int(ambiguous),
      refusedCount: Int(refused))
    guard keepsRows else { return outcome }
    outcome.changes = try tx.rows(context.sql(MatchSQL.changedRows), ["row_max": .int8(Int64(MatchOutcome.changesMax))]).map {
      MatchOutcome.Change(change: $0, orderID: $1, chargeID: $2, rung: $3)
    }
    return outcome
  }

  func record(_ tx: inout DatabaseTransaction, runID: String) throws {
    try tx.run(MatchSQL.record, ["run_id": .text(runID), "as_of": context.asOfValue], sql: context.sql)
  }
}
