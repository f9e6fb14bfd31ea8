internal import Domain
internal import JobCore
internal import Postgres

/// The rows that one detect run evaluates: everything, or recent match decisions and items that became due, with all connected rows.
struct DetectScope {
  enum Extent {
    case all
    case changes
    /// The rows that changed or became due since a partitioned run started, with all connected rows.
    case cut
    /// A self-check's orders. Pending changes stay pending.
    case sample
  }

  let context: JobContext
  var extent = Extent.changes

  var isCut: Bool { if case .cut = extent { true } else { false } }

  /// After a partitioned run, rules evaluate everything, so households need not be in one component.
  private var connected: ConnectedRows { ConnectedRows(context: context, hasFamilies: !isCut) }

  /// Returns the settings and SQL texts that decide breaks now.
  static func state(_ context: JobContext, _ tx: inout DatabaseTransaction) throws -> DecisionState {
    var now = try DecisionState.current(context, folders: ["detect", "pieces", "rules", "scope", "inputs"])
    now.settings += try tx.rows(context.sql(DetectSQL.testers), ["as_of": context.asOfValue]).joined()
    return now
  }

  /// Collects the rows that the run evaluates into the working tables of the scope.
  ///
  /// - Returns: false if everything is to be evaluated.
  func open(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.execute("set local work_mem = '256MB'")
    if case .sample = extent {
      try connected.openSample(&tx)
      return try connected.telling(isNarrow: tx.lookingUp { tx in try connected.close(&tx, upTo: .few) })
    }
    let state = try DecisionState.read(.detect, &tx, in: context)
    let now = try Self.state(context, &tx)
    // This comes first, so that later requests of a match run or the catalogue are recorded after it.
    try now.record(.detect, &tx, in: context)
    if isCut {
      try openSinceCut(&tx)
      return true
    }
    guard case .changes = extent, let state, state.decidesAs(now), try isClockNew(&tx),
      try connected.telling(isNarrow: openChanges(&tx))
    else {
      _ = try tx.run(context.sql(DetectSQL.discardUndetected))
      return false
    }
    return true
  }

  /// Whether no run with a later clock has taken place. Such a run has passed instants that are later than this clock.
  private func isClockNew(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(context.sql(DetectSQL.isClockNew), ["as_of": context.asOfValue]).first ?? false
  }

  /// Removes all pending changes, because partitions will evaluate everything.
  func openPieces(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(context.sql(DetectSQL.discardUndetected))
    // Each partition records its own due instants.
    try tx.run(context.sql(DetectSQL.discardDue))
    try DecisionState.inPieces.record(.detect, &tx, in: context)
  }

  /// Collects all rows that may have changed after a partition read them, without a limit.
  private func openSinceCut(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(context.sql(DetectSQL.takeUndetected))
    try connected.prepare(&tx)
    let isFew = try connected.seedChanges(&tx, takes: false)
    func close(_ tx: inout DatabaseTransaction) throws {
      try tx.run(context.sql(DetectSQL.pieceSeeds))
      _ = try tx.run(context.sql(DetectSQL.seedsOfDue), ["as_of": context.asOfValue])
      try tx.execute("analyze scope_order, scope_chain")
      _ = try connected.close(&tx, upTo: .all)
    }
    if isFew { try tx.lookingUp(close) } else { try close(&tx) }
  }

  private func openChanges(_ tx: inout DatabaseTransaction) throws -> Bool {
    _ = try tx.run(context.sql(DetectSQL.takeUndetected))
    try connected.prepare(&tx)
    guard try connected.seedChanges(&tx, takes: false) else { return false }
    return try tx.lookingUp { tx in
      try tx.run([DetectSQL.seedsOfDue, DetectSQL.seedsOfSignals], ["as_of": context.asOfValue], sql: context.sql)
      guard try connected.close(&tx, upTo: .many) else { return false }
      try tx.run(context.sql(DetectSQL.joinTaken))
      return try connected.isWorthwhile(&tx)
    }
  }

  /// Whether nothing changed or became due.
  func isEmpty(_ tx: inout DatabaseTransaction) throws -> Bool { try connected.rowCount(&tx) == 0 }

  /// Restricts classes and rules to the facts of the scope and the breaks recorded for them.
  func narrow(_ tx: inout DatabaseTransaction) throws {
    try connected.bindInputs([InputsSQL.componentOfDetect, InputsSQL.standingBreaks], &tx)
  }
}
