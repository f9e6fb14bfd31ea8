internal import Domain
internal import Postgres

/// What one detect run looks at: everything, or what match runs decided, what the clock passed, and what these reach.
struct DetectScope {
  enum Extent {
    case all
    case changes
    /// A self-check's orders; nothing that waits to be looked at is taken.
    case sample
  }

  let context: JobContext
  var extent = Extent.changes

  private var reach: Reach { Reach(context: context, hasFamilies: true) }

  private func file(_ name: String) throws -> SQLFile { try context.sql("detect/\(name).sql") }

  /// Gathers what the run looks at into the working tables of the scope.
  ///
  /// - Returns: false when everything is to be looked at.
  func open(_ tx: inout Transaction) throws -> Bool {
    try tx.execute("set local work_mem = '256MB'")
    if case .sample = extent {
      return try reach.openSample(&tx) ? reach.telling(isNarrow: tx.lookingUp { tx in try reach.close(&tx) }) : false
    }
    let state = try DecisionState.read(.detect, &tx, in: context)
    let isLinked = try DecisionState.read(.match, &tx, in: context)?.hasReach ?? false
    var now = try DecisionState.current(context, folders: ["detect", "rules", "scope"])
    let testers = try tx.rows(file("11_testers"), ["as_of": context.asOfValue]) { row throws(PostgresError) in
      try row.text()
    }
    now.settings += testers.joined()
    // First of all: what a match run or the catalogue demands meanwhile comes after it.
    try now.record(.detect, &tx, in: context)
    guard case .changes = extent, isLinked, let state, state.decidesAs(now), try isClockNew(&tx),
      try reach.telling(isNarrow: openChanges(&tx))
    else {
      _ = try tx.run(file("10_discard_undetected"))
      return false
    }
    return true
  }

  /// Whether no run with a later clock has looked already: it passed instants that lie ahead of this one.
  private func isClockNew(_ tx: inout Transaction) throws -> Bool {
    try tx.rows(file("11_is_clock_new"), ["as_of": context.asOfValue]) { row throws(PostgresError) in try row.bool() }
      .first ?? false
  }

  private func openChanges(_ tx: inout Transaction) throws -> Bool {
    try tx.execute(context.sql.text("detect/10_take_undetected.sql"))
    try reach.prepare(&tx)
    guard try reach.seedChanges(&tx, takes: false, links: true) else { return false }
    return try tx.lookingUp { tx in
      _ = try tx.run(file("11_seeds_of_due"), ["as_of": context.asOfValue])
      _ = try tx.run(file("12_seeds_of_signals"), ["rules": .textArray(RuleRun.nearRules)])
      guard try reach.close(&tx) else { return false }
      try tx.execute(context.sql.text("detect/13_join_taken.sql"))
      return try reach.isSmall(&tx)
    }
  }

  /// Puts the facts of the scope, and what stands recorded of them, in the place of all.
  func narrow(_ tx: inout Transaction) throws {
    try tx.lookingUp { tx in
      try reach.showFacts(&tx)
      try tx.execute(context.sql.text("detect/14_facts.sql"))
      try tx.execute(context.sql.text("detect/15_standing_breaks.sql"))
    }
  }

  /// All facts have their names again.
  func widen(_ tx: inout Transaction) throws { try tx.execute(context.sql.text("detect/16_end_scope.sql")) }
}
