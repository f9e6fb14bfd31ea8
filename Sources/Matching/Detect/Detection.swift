internal import Domain
internal import JobCore
internal import Postgres

/// One detection inside a transaction.
struct Detection {
  let context: JobContext
  /// Kinds of input that are stale at the clock.
  let stale: [InputState]

  /// Finds breaks and the events that they produce.
  ///
  /// - Parameter scope: the evaluated rows, already open; nil for everything.
  /// - Returns: which rows were evaluated.
  @discardableResult
  func decide(_ tx: inout DatabaseTransaction, in scope: DetectScope?, runID: String) throws -> DetectedRows {
    try tx.send(context.sql(InputsSQL.everything))
    try tx.send(context.sql(DetectSQL.workTables))
    try find(isWhole: true, &tx)
    let rows = try scope?.rows(&tx) ?? .all
    if let scope { try scope.bindInputs(rows, &tx) } else { try tx.gatherDistributed(files: context.sql) }
    // Whole tables are joined in either case. The planner would choose a nested loop only on a wrong estimate. A small sample suffices for
    // working tables, of which only the size matters.
    tx.send("set local enable_nestloop = off; set local default_statistics_target = 10")
    if rows != .none { try find(in: rows, &tx) }
    try checkClasses(&tx)
    try discardMissingHistory(&tx)
    try tx.send(context.sql(DetectSQL.judged), ["as_of": context.asOfValue])
    tx.send("analyze detect_judged; set local enable_nestloop = on; set local default_statistics_target = default")
    try tx.send(context.sql(DetectSQL.latestEvents))
    try tx.send(context.sql(DetectSQL.changes), ["run_id": .text(runID), "as_of": context.asOfValue])
    return rows
  }

  /// Adds the breaks of the rows of the input views to those found over the whole database.
  private func find(in rows: DetectedRows, _ tx: inout DatabaseTransaction) throws {
    try prepare(&tx)
    // Copies of distributed tables have no indexes.
    try find(isWhole: false, looksUp: rows == .all && !tx.isDistributed(files: context.sql), &tx)
    if rows == .near { try tx.send(context.sql(DetectSQL.discardOutOfScope)) }
    try tx.send(context.sql(DetectSQL.usersOfCharges))
    try tx.send(context.sql(DetectSQL.deliveries))
  }

  private func prepare(_ tx: inout DatabaseTransaction) throws {
    let clock = ["as_of": context.asOfValue]
    try tx.send(context.sql(DetectSQL.pairs))
    try tx.send(DetectSQL.read, clock, sql: context.sql)
    // A few rows of very large tables are read here.
    tx.send("analyze detect_open_order; set local enable_nestloop = on")
    try tx.send(context.sql(DetectSQL.refusedClaims))
    try tx.send(context.sql(DetectSQL.allowedOrders), context.settings.sandboxSpans.merging(clock) { $1 })
    tx.send("set local enable_nestloop = off")
    tx.send("analyze differing_charge, detect_open_charge, detect_subscription, detect_renewing, detect_allowed_order")
  }

  /// Removes findings of missing rows from before the apps' start dates.
  private func discardMissingHistory(_ tx: inout DatabaseTransaction) throws {
    guard context.settings.apps.contains(where: { $0.reconcileFrom != nil }) else { return }
    try tx.send(
      context.sql(DetectSQL.discardMissingHistory),
      context.settings.appStarts.merging(["grace": interval(seconds: context.settings.breaks.graceSeconds)]) { $1 })
  }

  /// - Throws: `JobError` if a found class has no severity and owner in the table of classes.
  private func checkClasses(_ tx: inout DatabaseTransaction) throws {
    let unlisted = try tx.rows(context.sql(DetectSQL.unlistedClasses))
    guard unlisted.isEmpty else {
      throw JobError(
        "could not judge what was found: break class \(unlisted.joined(separator: ", ")) is not in the table of classes",
        hint: "Give it a line in sql/reference/break_classes.csv.")
    }
  }

  /// Runs the break classes of one kind.
  ///
  /// - Parameters:
  ///   - isWhole: whether to run the classes that always read all rows; otherwise the other classes run.
  ///   - looksUp: whether the input views have indexes.
  private func find(isWhole: Bool, looksUp: Bool = false, _ tx: inout DatabaseTransaction) throws {
    let whole = try tx.rows(context.sql(DetectSQL.wholeBy))
    let classes = DetectSQL.classes.statements(in: context.sql).filter { whole.contains($0.name) == isWhole }
    let known: [String: Value] = [
      "grace": interval(seconds: context.settings.breaks.graceSeconds),
      "skew": interval(seconds: context.settings.match.clockSkewSeconds),
      "as_of": context.asOfValue, "stale_kinds": .textArray(stale.map(\.kind)),
      "stale_details": .textArray(stale.map(\.detail)), "stale_since": .textArray(stale.map(\.since)),
      "apps": .textArray(context.settings.apps.map(\.bundleID)),
      "storm_above": .int8(context.settings.quarantine.stormAbove),
      "storm_since": .timestamptz(
        microseconds: context.asOf.advanced(bySeconds: -QuarantineSettings.stormSeconds).microseconds),
    ]
    for statement in classes {
      let isLookedUp = looksUp && DetectSQL.lookedUp.contains(statement.name)
      if isLookedUp { tx.send("set local enable_nestloop = on") }
      try tx.send([statement], known, sql: context.sql)
      if isLookedUp { tx.send("set local enable_nestloop = off") }
    }
  }

  /// Appends the events and records pending items and due instants.
  func record(_ tx: inout DatabaseTransaction, rows: DetectedRows, runID: String) throws {
    let stamp = ["as_of": context.asOfValue, "run_id": .text(runID)]
    try tx.send(context.sql(DetectSQL.recordChanges))
    try tx.send(DetectSQL.pending, stamp, sql: context.sql)
    if rows != .none {
      try tx.send(context.sql(rows == .near ? DetectSQL.endDue : DetectSQL.discardDue))
      try tx.send(context.sql(DetectSQL.due), ["as_of": context.asOfValue])
    }
    try tx.send(context.sql(DetectSQL.detection), stamp)
  }

  func outcome(_ tx: inout DatabaseTransaction) throws -> DetectOutcome {
    let changed = try tx.rows(context.sql(DetectSQL.changedCount)).first ?? 0
    var outcome = try DetectOutcome.breaks(asOf: context.asOfValue, in: context.sql, &tx)
    outcome.changedCount = Int(changed)
    outcome.staleInputs = stale.map(\.reason)
    return outcome
  }

  /// Returns the changed breaks, and the changed signals of the rules that ran after it.
  func changes(_ tx: inout DatabaseTransaction) throws -> [DetectOutcome.Change] {
    try tx.rows(context.sql(DetectSQL.changedRows), ["row_max": .int8(Int64(DetectOutcome.changesMax))]).map {
      DetectOutcome.Change(
        id: $0, name: $1, state: $2, change: $3, subject: $4, orderID: $5, chargeID: $6, detail: $7)
    }
  }
}

extension Detection {
  init(context: JobContext, _ tx: inout DatabaseTransaction) throws {
    self.init(context: context, stale: try InputState.stale(asOf: context.asOf, in: context, &tx))
  }
}
