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
    now.settings += try tx.rows(context.sql(DetectSQL.testers), ["as_of": context.asOfValue]).joined()
    // First of all: what a match run or the catalogue demands meanwhile comes after it.
    try now.record(.detect, &tx, in: context)
    guard case .changes = extent, hasKeys, let state, state.decidesAs(now), try isClockNew(&tx),
      try component.telling(isNarrow: openChanges(&tx))
    else {
      _ = try tx.run(context.sql(DetectSQL.discardUndetected))
      return false
    }
    return true
  }

  /// Whether no run with a later clock has looked already: it passed instants that lie ahead of this one.
  private func isClockNew(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(context.sql(DetectSQL.isClockNew), ["as_of": context.asOfValue]).first ?? false
  }

  private func openChanges(_ tx: inout DatabaseTransaction) throws -> Bool {
    _ = try tx.run(context.sql(DetectSQL.takeUndetected))
    try component.prepare(&tx)
    guard try component.seedChanges(&tx, takes: false, keys: true) else { return false }
    return try tx.lookingUp { tx in
      try tx.run(DetectSQL.seeds, ["as_of": context.asOfValue], sql: context.sql)
      guard try component.close(&tx) else { return false }
      try tx.run(context.sql(DetectSQL.joinTaken))
      return try component.isSmall(&tx)
    }
  }

  /// Has classes, and rules that look at what is near, read the facts of the scope and what stands recorded of them.
  func narrow(_ tx: inout DatabaseTransaction) throws {
    try tx.lookingUp { tx in try component.showInputs([InputsSQL.componentOfDetect, InputsSQL.standingBreaks], &tx) }
  }
}
