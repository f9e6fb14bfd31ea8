internal import Domain
internal import JobCore
internal import Postgres

/// What one detect run looks at: everything, or what match runs decided, what the clock passed, and what these reach.
struct DetectScope {
  enum Extent {
    case all
    case changes
    /// What changed, or became due, since pieces began to look at everything, and what that reaches.
    case cut
    /// A self-check's orders; nothing that waits to be looked at is taken.
    case sample
  }

  let context: JobContext
  var extent = Extent.changes

  var isCut: Bool { if case .cut = extent { true } else { false } }

  /// After pieces rules look at everything, so that households need not be together.
  private var component: Component { Component(context: context, hasFamilies: !isCut) }

  /// With what breaks are decided now.
  static func state(_ context: JobContext, _ tx: inout DatabaseTransaction) throws -> DecisionState {
    var now = try DecisionState.current(context, folders: ["detect", "pieces", "rules", "scope", "inputs"])
    now.settings += try tx.rows(context.sql(DetectSQL.testers), ["as_of": context.asOfValue]).joined()
    return now
  }

  /// Gathers what the run looks at into the working tables of the scope.
  ///
  /// - Returns: false when everything is to be looked at.
  func open(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.execute("set local work_mem = '256MB'")
    if case .sample = extent {
      try component.openSample(&tx)
      return try component.telling(isNarrow: tx.lookingUp { tx in try component.close(&tx, upTo: .few) })
    }
    let state = try DecisionState.read(.detect, &tx, in: context)
    let now = try Self.state(context, &tx)
    // First of all: what a match run or the catalogue demands meanwhile comes after it.
    try now.record(.detect, &tx, in: context)
    if isCut {
      try openSinceCut(&tx)
      return true
    }
    guard case .changes = extent, let state, state.decidesAs(now), try isClockNew(&tx),
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

  /// Takes what waits to be looked at, as pieces are about to see all of it.
  func openPieces(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(context.sql(DetectSQL.discardUndetected))
    // Each piece says when what of it must be looked at again.
    try tx.run(context.sql(DetectSQL.discardDue))
    try DecisionState.inPieces.record(.detect, &tx, in: context)
  }

  /// Gathers all that a piece may have seen as it was, however much that is.
  private func openSinceCut(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(context.sql(DetectSQL.takeUndetected))
    try component.prepare(&tx)
    let isFew = try component.seedChanges(&tx, takes: false)
    func close(_ tx: inout DatabaseTransaction) throws {
      try tx.run(context.sql(DetectSQL.pieceSeeds))
      _ = try tx.run(context.sql(DetectSQL.seedsOfDue), ["as_of": context.asOfValue])
      try tx.execute("analyze scope_order, scope_chain")
      _ = try component.close(&tx, upTo: .all)
    }
    if isFew { try tx.lookingUp(close) } else { try close(&tx) }
  }

  private func openChanges(_ tx: inout DatabaseTransaction) throws -> Bool {
    _ = try tx.run(context.sql(DetectSQL.takeUndetected))
    try component.prepare(&tx)
    guard try component.seedChanges(&tx, takes: false) else { return false }
    return try tx.lookingUp { tx in
      try tx.run([DetectSQL.seedsOfDue, DetectSQL.seedsOfSignals], ["as_of": context.asOfValue], sql: context.sql)
      guard try component.close(&tx, upTo: .many) else { return false }
      try tx.run(context.sql(DetectSQL.joinTaken))
      return try component.isWorthwhile(&tx)
    }
  }

  /// Has classes, and rules that look at what is near, read the facts of the scope and what stands recorded of them.
  func narrow(_ tx: inout DatabaseTransaction) throws {
    try component.showInputs([InputsSQL.componentOfDetect, InputsSQL.standingBreaks], &tx)
  }
}
