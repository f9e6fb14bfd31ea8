internal import Domain
internal import Postgres

/// What one match run looks at: everything, or what changed and whatever that can reach.
struct MatchScope {
  let context: JobContext
  /// Decides everything, whatever changed.
  var isFull = false

  private var reach: Reach { Reach(context: context) }

  /// Takes the changes since the last run, and puts the facts that they reach in the place of all facts, for the rest
  /// of the transaction.
  ///
  /// - Returns: false when everything is to be decided.
  func open(_ tx: inout Transaction) throws -> Bool {
    let state = try DecisionState.read(.match, &tx, in: context)
    let isLinked = state?.hasReach ?? false
    var now = try DecisionState.current(context, folders: ["match", "scope"])
    let isNarrow = !isFull && state?.decidesAs(now) == true
    now.hasReach = isLinked || isNarrow
    try now.record(.match, &tx, in: context)
    _ = try tx.run(reach.file("01_take_decisions"), ["as_of": context.asOfValue])
    try tx.execute(context.sql.text("scope/02_honour_decisions.sql"))
    guard now.hasReach else {
      _ = try tx.run(reach.file("02_discard_changes"))
      return false
    }
    try tx.execute("set local work_mem = '256MB'")
    try reach.prepare(&tx)
    let isFew = try reach.seedChanges(&tx, takes: true, links: isLinked)
    try tx.execute(context.sql.text("scope/04_seeds_of_decisions.sql"))
    if !isLinked { try reach.linkAll(&tx) }
    guard isNarrow else { return false }
    return try reach.telling(isNarrow: isFew && narrow(&tx))
  }

  /// Puts a self-check's orders and the facts that they reach in the place of all facts, for the rest of the transaction.
  ///
  /// - Returns: false when they reach too much, or when nothing is linked yet.
  func openSample(_ tx: inout Transaction) throws -> Bool {
    try reach.openSample(&tx) ? reach.telling(isNarrow: narrow(&tx)) : false
  }

  /// Tells the next detect run what this run decided.
  func handOn(_ tx: inout Transaction, isNarrow: Bool) throws {
    _ = try tx.run(reach.file(isNarrow ? "50_hand_on" : "51_detect_all"))
  }

  /// Closes the scope and puts its facts in the place of all facts.
  ///
  /// - Returns: false when it reaches too much; then all facts stay where they are.
  private func narrow(_ tx: inout Transaction) throws -> Bool {
    try tx.lookingUp { tx in
      guard try reach.close(&tx) else { return false }
      try reach.showFacts(&tx)
      try tx.execute(context.sql.text("scope/32_facts_of_match.sql"))
      return true
    }
  }
}
