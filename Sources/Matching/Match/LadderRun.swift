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
    /// A scope that somebody asks about: all of it climbs, the plain bulk too, so that of each is known what every rung said, and
    /// rungs keep what they looked at of these orders and charges.
    case asked(orders: [String], charges: [String])
  }

  private let context: JobContext
  private let limits: LadderLimits
  private let isPart: Bool
  private let asked: (orders: [String], charges: [String])?

  init(context: JobContext, extent: Extent) {
    self.context = context
    switch extent {
    case .all: (isPart, asked) = (false, nil)
    case .part: (isPart, asked) = (true, nil)
    case .asked(let orders, let charges): (isPart, asked) = (true, (orders, charges))
    }
    limits = LadderLimits(context.settings)
  }

  private func file(_ name: String) throws -> SQLFile { try context.sql("match/\(name).sql") }

  /// Decides everything that the inputs hold, and what that changes.
  func decide(_ tx: inout DatabaseTransaction) throws {
    try prepare(&tx)
    try climb(&tx)
    try explainRefusals(&tx)
  }

  /// Decides the plain bulk at once and loads what is left, with everything that bears on it, for the ladder.
  private func prepare(_ tx: inout DatabaseTransaction) throws {
    // Whole tables are joined, be they of everything or of the scope: a nested loop is only ever chosen on a wrong
    // estimate; but what few facts lead to is looked up.
    try tx.execute("set local enable_nestloop = \(asked != nil ? "on" : "off"); set local work_mem = '256MB'")
    if !isPart { try tx.execute(context.sql.text("inputs/all.sql")) }
    try tx.execute(context.sql.text("match/00_work_tables.sql"))
    try decidePlain(&tx)
    try loadScope(&tx)
  }

  private func decidePlain(_ tx: inout DatabaseTransaction) throws {
    try tx.execute(context.sql.text("match/01_decisions_and_tokens.sql"))
    _ = try tx.run(file("01_token_owners"), ["is_part": .bool(isPart)])
    _ = try tx.run(file("02_named"), ["late": limits.late])
    try tx.execute(context.sql.text("match/02_contested_chains.sql"))
    try tx.execute(context.sql.text("match/02_evidence.sql"))
    try tx.execute(
      "analyze match_decision, match_token_order, match_token_owner, match_named, match_contested_chain, match_evidence")
    if asked == nil {
      _ = try tx.run(file("03_plain_transaction_id"))
      _ = try tx.run(file("04_plain_token"), ["skew": limits.skew, "window": limits.window])
    }
    try tx.execute("analyze match_plain")
    try tx.execute(context.sql.text("match/05_open.sql"))
    try tx.execute("analyze match_open_order; analyze match_open_charge")
    _ = try tx.run(file("05_order_tokens"))
    try tx.execute("analyze match_order_token")
    if asked != nil { return }
    _ = try tx.run(
      file("06_plain_repeats"), ["skew": limits.skew, "place_max": .int8(Int64(Self.tokenRoundsMax))])
  }

  private func loadScope(_ tx: inout DatabaseTransaction) throws {
    try tx.execute(context.sql.text("match/07_scope.sql"))
    try tx.execute("analyze match_scope_order; analyze match_scope_charge")
    _ = try tx.run(file("07_scope_of_charges"))
    _ = try tx.run(file("05_order_tokens"))
    _ = try tx.run(file("08_orders"))
    _ = try tx.run(file("08_charges"))
    _ = try tx.run(
      file("08_subscription_charges"),
      ["longest_lead": limits.window])
    try tx.execute("analyze match_order; analyze match_charge; analyze match_order_token")
    try tx.execute(context.sql.text("match/09_scope_decided.sql"))
    try tx.execute("analyze match_decided")
    guard let asked else { return }
    _ = try tx.run(
      file("09_asked"), ["orders": .textArray(asked.orders), "charges": .textArray(asked.charges)])
  }

  private func climb(_ tx: inout DatabaseTransaction) throws {
    // What orders name is known before anybody competes: whose claim another order was granted does not.
    let named = try tx.run(file("10_m1_transaction_id"), ["late": limits.late])
    let byLineItem = try tx.run(file("30_m3_line_item"), ["late": limits.late])
    let byEvidence = try tx.run(file("50_m5_evidence"), ["late": limits.late])
    _ = try tx.run(file("55_refuse_unmatched"))
    try tx.execute("analyze match_candidate")
    // What two people decided, and what is plain, tells whose a subscription is before anybody competes.
    _ = try knowChainOwners(&tx)
    try grantChains(&tx, rung: "M1", candidateCount: named)
    try tx.execute("analyze match_decided")
    try climbTokens(&tx, isAgain: false)
    try grantChains(&tx, rung: "M3", candidateCount: byLineItem)
    try climbChains(&tx)
    let byList = try tx.run(
      file("51_m5_listed"), ["late": limits.late, "skew": limits.skew, "ask_to_buy_window": limits.askToBuyWindow])
    _ = try tx.run(file("55_refuse_unmatched"))
    try grantChains(&tx, rung: "M5", candidateCount: byEvidence + byList)
    // Evidence may have told whose subscription it is.
    if byEvidence + byList > 0 { try climbChains(&tx) }
    _ = try tx.run(file("19_duplicates"))
    _ = try tx.run(
      file("60_m6_candidates"),
      [
        "window": limits.window, "skew": limits.skew, "ask_to_buy_window": limits.askToBuyWindow,
      ])
    _ = try tx.run(file("61_m6_single_candidate"))
    try ContestedPairs(context: context, keepsContests: asked != nil).decide(&tx)
    try climbFurther(&tx)
    // A first purchase that was guessed tells, too, whom refused claims on its subscription offend, which of its owner's hold,
    // and whose its renewals are.
    try grantChains(&tx, rung: "M5", candidateCount: .max)
    try climbChains(&tx)
  }

  /// Rungs below all others, each a file of its own that finds candidates, by the order of their names: they pair what is left.
  private func climbFurther(_ tx: inout DatabaseTransaction) throws {
    let folder = "match/rungs/"
    let paths = context.sql.paths.filter { $0.hasPrefix(folder) && $0.hasSuffix(".sql") }
    guard !paths.isEmpty else { return }
    let known = try tx.rows(file("known_rungs")) { row throws(PostgresError) in try row.text() }
    for path in paths {
      let rung = path.dropFirst(folder.count).prefix { $0 != "_" }.uppercased()
      guard known.contains(rung) else {
        throw JobError(
          "could not climb rung \(rung): it is not in the table of rungs, or pairs nobody",
          hint: "Give it a line with its confidence in sql/reference/rungs.csv; M8 and M9 are free, as the ladder has M0 to M7.")
      }
      let statement = try context.sql(path)
      let found = try tx.run(statement, limits.all.filter { statement.parameterNames.contains($0.key) })
      _ = try tx.run(file("55_refuse_unmatched"))
      if found > 0 { try grantChains(&tx, rung: rung, candidateCount: .max) }
    }
  }

  /// What follows from whose a subscription is: which order its tokens mean (M2) and whose its renewals are (M4).
  private func climbChains(_ tx: inout DatabaseTransaction) throws {
    try climbTokens(&tx, isAgain: true)
    guard try tx.run(file("40_m4_chain")) > 0 else { return }
    _ = try tx.run(file("55_refuse_unmatched"))
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
      changed += try tx.run(file("92_take_back"))
    }
  }

  /// M2 again and again: a match takes its order out of the way of the user's next purchase.
  ///
  /// - Parameter isAgain: only what a rung below told whose subscription it is.
  private func climbTokens(_ tx: inout DatabaseTransaction, isAgain: Bool) throws {
    _ = try tx.run(file("19_duplicates"))
    for _ in 0..<Self.tokenRoundsMax {
      let found = try tx.run(
        file("20_m2_app_account_token"),
        ["skew": limits.skew, "window": limits.window, "is_again": .bool(isAgain)])
      if found == 0 { return }
      // Candidates of earlier rounds may have become free, so this round's number is no bound.
      try grantChains(&tx, rung: "M2", candidateCount: .max)
      _ = try tx.run(file("19_duplicates"))
    }
  }

  /// Grants a rung's candidates until none is left to grant.
  ///
  /// - Parameter candidateCount: no more than so many are open; when all of them are granted, nobody looks again.
  private func grant(_ tx: inout DatabaseTransaction, rung: String, candidateCount: Int) throws {
    var grantedCount = 0
    for _ in 0..<Self.grantPassesMax where grantedCount < candidateCount {
      let granted = try tx.run(file("90_grant"), ["rung": .text(rung)])
      if granted == 0 { return }
      grantedCount += granted
    }
  }

  /// - Returns: how many claims and matches stand otherwise now that whose chain it is is known.
  private func knowChainOwners(_ tx: inout DatabaseTransaction) throws -> Int {
    // Without a subscription whose owner was not known before, nothing changes.
    guard try tx.run(file("91_chain_owners")) > 0 else { return 0 }
    return try tx.run(file("92_judge_again"), ["late": limits.late]) + tx.run(file("92_take_back"))
  }

  private func explainRefusals(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(file("70_refused_by_token"), ["window": limits.window, "skew": limits.skew])
    _ = try tx.run(file("71_refused_evidence"))
    _ = try tx.run(
      file("93_refused_claims"), ["testers": .textArray(context.settings.apps.flatMap(\.testers).sorted())])
    _ = try tx.run(file("94_second_charges"))
    _ = try tx.run(file("95_ambiguous"))
    try compare(&tx)
  }

  /// Finds what the decisions change of what stands.
  func compare(_ tx: inout DatabaseTransaction) throws { _ = try tx.run(file("96_changes")) }

  /// - Parameter keepsRows: the changed rows are kept for a person to read.
  func outcome(_ tx: inout DatabaseTransaction, keepsRows: Bool) throws -> MatchOutcome {
    let counts = try tx.rows(file("counts")) { row throws(PostgresError) in
      (try row.int8(), try row.int8(), try row.int8(), try row.int8())
    }
    let (begun, ended, ambiguous, refused) = counts.first ?? (0, 0, 0, 0)
    var outcome = MatchOutcome(
      changes: [], begunCount: Int(begun), endedCount: Int(ended), ambiguousChargeCount: Int(ambiguous),
      refusedCount: Int(refused))
    guard keepsRows else { return outcome }
    outcome.changes = try tx.rows(file("changed_rows"), ["row_max": .int8(Int64(MatchOutcome.changesMax))]) {
      row throws(PostgresError) in
      MatchOutcome.Change(
        change: try row.text(), orderID: try row.text(), chargeID: try row.text(), rung: try row.text())
    }
    return outcome
  }

  func record(_ tx: inout DatabaseTransaction, runID: String) throws {
    let stamp: [String: Value] = ["run_id": .text(runID), "as_of": context.asOfValue]
    _ = try tx.run(file("97_end"), stamp)
    _ = try tx.run(file("98_begin"), stamp)
    let clock: [String: Value] = ["as_of": context.asOfValue]
    _ = try tx.run(file("98_end_projections"), clock)
    _ = try tx.run(file("99_begin_projections"), clock)
  }
}
