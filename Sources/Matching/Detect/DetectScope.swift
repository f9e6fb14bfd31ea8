internal import Domain
internal import JobCore
internal import Postgres

/// The rows that one detect run evaluates: everything, or recent match decisions and items that became due, with all connected rows.
struct DetectScope {
  enum Extent {
    case all
    case changes
    /// A self-check's orders. Pending changes stay pending.
    case sample
  }

  let context: JobContext
  var extent = Extent.changes

  private var connected: ConnectedRows { ConnectedRows(context: context, hasFamilies: true) }

  /// Returns the settings and SQL texts that decide breaks now.
  static func state(_ context: JobContext, _ tx: inout DatabaseTransaction) throws -> DecisionState {
    var now = try DecisionState.current(context, folders: ["detect", "rules", "scope", "inputs"])
    now.settings += try tx.rows(context.sql(DetectSQL.testers), ["as_of": context.asOfValue]).joined()
    return now
  }

  /// Collects the rows that the run evaluates into the working tables of the scope.
  ///
  /// - Returns: false if everything is to be evaluated.
  func open(_ tx: inout DatabaseTransaction) throws -> Bool {
    tx.send("set local work_mem = '256MB'")
    if case .sample = extent {
      try connected.openSample(&tx)
      return try connected.logExtent(isNarrow: tx.withNestedLoops { tx in try connected.close(&tx, upTo: .few) })
    }
    let state = try DecisionState.read(.detect, &tx, in: context)
    let now = try Self.state(context, &tx)
    // This comes first, so that later requests of a match run or the catalogue are recorded after it.
    try now.record(.detect, &tx, in: context)
    guard case .changes = extent, let state, state.decidesAs(now), try isClockNew(&tx),
      try connected.logExtent(isNarrow: openChanges(&tx))
    else {
      try tx.send(context.sql(DetectSQL.discardUndetected))
      return false
    }
    return true
  }

  /// Whether no run with a later clock has taken place. Such a run has passed instants that are later than this clock.
  private func isClockNew(_ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(context.sql(DetectSQL.isClockNew), ["as_of": context.asOfValue]).first ?? false
  }

  private func openChanges(_ tx: inout DatabaseTransaction) throws -> Bool {
    try connected.prepare(&tx)
    guard try connected.seedChanges(&tx, takes: false) else { return false }
    return try tx.withNestedLoops { tx in
      try tx.send([DetectSQL.seedsOfDue, DetectSQL.seedsOfSignals], ["as_of": context.asOfValue], sql: context.sql)
      guard try connected.close(&tx, upTo: .many) else { return false }
      try tx.send(context.sql(DetectSQL.seedsOfDecisions))
      return try connected.isWorthwhile(&tx)
    }
  }

  /// Returns which rows the open scope has.
  func rows(_ tx: inout DatabaseTransaction) throws -> DetectedRows { try connected.rowCount(&tx) == 0 ? .none : .near }

  /// Restricts classes and rules to the facts of the scope and the breaks recorded for them. Without rows nothing reads the facts.
  func bindInputs(_ rows: DetectedRows, _ tx: inout DatabaseTransaction) throws {
    if rows == .none { return try tx.send(context.sql(InputsSQL.standingBreaks)) }
    try connected.bindInputs([InputsSQL.componentOfDetect, InputsSQL.subjects, InputsSQL.standingBreaks], &tx)
  }
}
