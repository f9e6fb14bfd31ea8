internal import Cryptography
internal import Domain
internal import Logging
internal import Postgres

/// What one match run looks at: everything, or what changed and whatever that can reach.
///
/// Orders and charges reach each other by user, token, device, and every id that one side names of the other. A scope is
/// closed under all of these, so that nothing outside it can bear on a decision inside it, and the ladder decides it as
/// it would decide the whole.
struct MatchScope {
  /// Steps from a change to the farthest fact it reaches; one that reaches farther is no small change.
  static let roundsMax = 64
  /// Orders or chains of a scope, beyond which deciding everything is no slower.
  static let rowsMax = 250_000

  let context: JobContext
  /// Decides everything, whatever changed.
  var isFull = false

  private struct State {
    var settings: String
    var code: String
    var hasReach: Bool
  }

  private func file(_ name: String) throws -> SQLFile { try context.sql("scope/\(name).sql") }

  /// Takes the changes since the last run, and puts the facts that they reach in the place of all facts, for the rest
  /// of the transaction.
  func open(_ tx: inout Transaction) throws {
    let state = try state(&tx)
    let code = try code()
    let isLinked = state?.hasReach ?? false
    let isNarrow = !isFull && state?.settings == context.settingsSHA256 && state?.code == code
    try record(&tx, code: code, hasReach: isLinked || isNarrow)
    guard isLinked || isNarrow else {
      _ = try tx.run(file("02_discard_changes"))
      return
    }
    try tx.execute("set local work_mem = '256MB'")
    try tx.execute(context.sql.text("scope/00_work_tables.sql"))
    try tx.execute(context.sql.text("scope/01_take_changes.sql"))
    if isLinked {
      _ = try tx.run(file("02_links_of_changes"))
    } else {
      try tx.execute(context.sql.text("scope/03_links_of_all.sql"))
    }
    if isNarrow { _ = try narrow(&tx) }
  }

  /// Puts some orders and the facts that they reach in the place of all facts, for the rest of the transaction.
  ///
  /// - Returns: false when they reach too much, or when nothing is linked yet.
  func openSample(_ tx: inout Transaction, orderCount: Int, seed: Int) throws -> Bool {
    guard try state(&tx)?.hasReach == true else { return false }
    let known = try tx.rows(file("06_order_estimate")) { row throws(PostgresError) in try row.int8() }.first ?? -1
    // Orders nobody has counted are few.
    let thousandths = known > 0 ? min(100_000, max(1, Int64(orderCount) * 100_000 / known)) : 100_000
    try tx.execute(context.sql.text("scope/00_work_tables.sql"))
    _ = try tx.run(
      file("05_sample"),
      [
        "percent_thousandths": .int8(thousandths), "seed": .int8(Int64(seed)),
        "row_max": .int8(Int64(orderCount)),
      ])
    return try narrow(&tx)
  }

  /// Closes the scope and puts its facts in the place of all facts.
  ///
  /// - Returns: false when it reaches too much; then all facts stay where they are.
  private func narrow(_ tx: inout Transaction) throws -> Bool {
    try tx.lookingUp { tx in
      guard try close(&tx) else { return false }
      try tx.execute(context.sql.text("scope/30_facts.sql"))
      try tx.execute(context.sql.text("scope/31_decisions.sql"))
      return true
    }
  }

  /// Version of the program and hash of the ladder's SQL: either may have been replaced without the other.
  private func code() throws -> String {
    var hash = SHA256()
    for path in context.sql.paths where path.hasPrefix("match/") {
      hash.update(Array(try context.sql.text(path).utf8)[...])
    }
    return "\(context.codeVersion) \(hash.hex().prefix(16))"
  }

  private func state(_ tx: inout Transaction) throws -> State? {
    try tx.rows(file("40_state")) { row throws(PostgresError) in
      State(settings: try row.text(), code: try row.text(), hasReach: try row.bool())
    }.first
  }

  private func record(_ tx: inout Transaction, code: String, hasReach: Bool) throws {
    _ = try tx.run(
      file("41_record_state"),
      [
        "settings_sha256": .text(context.settingsSHA256), "code_version": .text(code),
        "has_reach": .bool(hasReach),
      ])
  }

  private static let steps = [
    "10_hubs_of_orders", "11_hubs_of_chains", "12_hubs_of_evidence", "13_chains_of_evidence", "14_hubs_of_hubs",
    "20_orders_of_hubs", "21_chains_of_hubs", "22_evidence_of_hubs",
  ]

  /// Adds what the scope reaches until it reaches nothing new.
  ///
  /// - Returns: false when that is so much that everything may as well be decided.
  private func close(_ tx: inout Transaction) throws -> Bool {
    for round in 0..<Self.roundsMax {
      let number: [String: Value] = ["round": .int4(Int32(round))]
      for step in Self.steps { _ = try tx.run(file(step), number) }
      try tx.execute("analyze scope_order, scope_chain, scope_evidence, scope_hub")
      let found = try tx.rows(file("23_found"), number) { row throws(PostgresError) in
        (orders: try row.int8(), chains: try row.int8(), hasMore: try row.bool())
      }.first
      guard let found, max(found.orders, found.chains) <= Self.rowsMax else { break }
      if !found.hasMore { return true }
    }
    context.log.notice("what changed reaches so much that everything is matched anew")
    return false
  }
}
