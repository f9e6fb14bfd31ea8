internal import Domain
internal import JobCore
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

  private var component: Component { Component(context: context, hasFamilies: true) }

  private func file(_ name: String) throws -> SQLFile { try context.sql("detect/\(name).sql") }

  /// Gathers what the run looks at into the working tables of the scope.
  ///
  /// - Returns: false when everything is to be looked at.
  func open(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.execute("set local work_mem = '256MB'")
    if case .sample = extent {
      return try component.openSample(&tx) ? component.telling(isNarrow: tx.lookingUp { tx in try component.close(&tx) }) : false
    }
    let state = try DecisionState.read(.detect, &tx, in: context)
    let hasKeys = try DecisionState.read(.match, &tx, in: context)?.hasKeys ?? false
    var now = try DecisionState.current(context, folders: ["detect", "rules", "scope", "inputs"])
    let testers = try tx.rows(file("11_testers"), ["as_of": context.asOfValue]) { row throws(PostgresError) in
      try row.text()
    }
    now.settings += testers.joined()
    // First of all: what a match run or the catalogue demands meanwhile comes after it.
    try now.record(.detect, &tx, in: context)
    guard case .changes = extent, hasKeys, let state, state.decidesAs(now), try isClockNew(&tx),
      try component.telling(isNarrow: openChanges(&tx))
    else {
      _ = try tx.run(file("10_discard_undetected"))
      return false
    }
    return true
  }

  /// Whether no run with a later clock has looked already: it passed instants that lie ahead of this one.
  private func isClockNew(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(file("11_is_clock_new"), ["as_of": context.asOfValue]) { row throws(PostgresError) in try row.bool() }
      .first ?? false
  }

  private func openChanges(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.execute(context.sql.text("detect/10_take_undetected.sql"))
    try component.prepare(&tx)
    guard try component.seedChanges(&tx, takes: false, keys: true) else { return false }
    return try tx.lookingUp { tx in
      _ = try tx.run(file("11_seeds_of_due"), ["as_of": context.asOfValue])
      _ = try tx.run(file("12_seeds_of_signals"))
      guard try component.close(&tx) else { return false }
      try tx.execute(context.sql.text("detect/13_join_taken.sql"))
      return try component.isSmall(&tx)
    }
  }

  /// Has classes, and rules that look at what is near, read the facts of the scope and what stands recorded of them.
  func narrow(_ tx: inout DatabaseTransaction) throws {
    try tx.lookingUp { tx in try component.showInputs(["component_of_detect", "standing_breaks"], &tx) }
  }
}
