internal import Domain
internal import JobCore
internal import Postgres

/// One detection inside a transaction.
struct Detection {
  let context: JobContext
  /// Kinds of input that are not fresh at the clock.
  let stale: [InputState]

  init(context: JobContext, _ tx: inout DatabaseTransaction) throws {
    self.context = context
    stale = try InputState.stale(asOf: context.asOf, in: context, &tx)
  }

  private func file(_ name: String) throws -> SQLFile { try context.sql("detect/\(name).sql") }

  /// Finds differences, and which events they come to.
  ///
  /// - Parameter scope: what is looked at, open; nil for everything.
  func decide(_ tx: inout DatabaseTransaction, in scope: DetectScope?, runID: String) throws {
    try tx.execute(context.sql.text("inputs/all.sql"))
    try tx.execute(context.sql.text("detect/00_work_tables.sql"))
    try find(Self.classesOfAll, &tx)
    try scope?.narrow(&tx)
    // Whole tables are joined, be they of everything or of the scope: a nested loop is only ever chosen on a wrong
    // estimate.
    try tx.execute("set local enable_nestloop = off")
    try prepare(&tx)
    try find(classes.filter { !Self.classesOfAll.contains($0) }, &tx)
    try checkClasses(&tx)
    if scope != nil { _ = try tx.run(file("89_forget_unasked")) }
    _ = try tx.run(file("90_judged"), ["as_of": context.asOfValue])
    try tx.execute("analyze detect_judged")
    try tx.execute("set local enable_nestloop = on")
    _ = try tx.run(file("91_latest_events"))
    _ = try tx.run(file("92_changes"), ["run_id": .text(runID), "as_of": context.asOfValue])
  }

  private func prepare(_ tx: inout DatabaseTransaction) throws {
    _ = try tx.run(
      file("04_allowed_sandbox"), context.settings.sandboxSpans.merging(["as_of": context.asOfValue]) { one, _ in one })
    for name in ["01_pairs", "02_open_charges", "03_open_orders"] {
      _ = try tx.run(file(name))
    }
    _ = try tx.run(file("05_renewing"), ["as_of": context.asOfValue])
    // Few of very many.
    try tx.execute("analyze detect_open_order; set local enable_nestloop = on")
    try tx.execute(context.sql.text("detect/06_refused_claims.sql"))
    try tx.execute("set local enable_nestloop = off")
    try tx.execute("analyze detect_pair, detect_open_charge, detect_renewing, allowed_sandbox")
  }

  /// Classes that are small however long the history is: every run looks at all of their evidence.
  private static let classesOfAll = ["evidence_not_ours", "forged_storm", "missed_notification", "stale_input", "unrecognized_value"]

  /// Every file of the folder finds breaks of one class or of a few; what all of them read stands beside the folder.
  private var classes: [String] {
    let folder = "detect/classes/"
    return context.sql.paths.filter { $0.hasPrefix(folder) && $0.hasSuffix(".sql") }
      .map { String($0.dropFirst(folder.count).dropLast(".sql".count)) }
  }

  /// - Throws: `JobError` naming classes that were found and that nobody said the severity and owner of.
  private func checkClasses(_ tx: inout DatabaseTransaction) throws {
    let unlisted = try tx.rows(file("88_unlisted_classes")) { row throws(PostgresError) in try row.text() }
    guard unlisted.isEmpty else {
      throw JobError(
        "could not judge what was found: break class \(unlisted.joined(separator: ", ")) is not in the table of classes",
        hint: "Give it a line in sql/reference/break_classes.csv.")
    }
  }

  private func find(_ classes: [String], _ tx: inout DatabaseTransaction) throws {
    let known: [String: Value] = [
      "grace": interval(seconds: context.settings.breaks.graceSeconds),
      "skew": interval(seconds: context.settings.match.clockSkewSeconds),
      "as_of": context.asOfValue, "stale_kinds": .textArray(stale.map(\.kind)),
      "stale_reasons": .textArray(stale.map(\.reason)), "stale_since": .textArray(stale.map(\.since)),
      "storm_above": .int8(context.settings.quarantine.stormAbove),
      "storm_since": .timestamptz(
        microseconds: context.asOf.advanced(bySeconds: -QuarantineSettings.stormSeconds).microseconds),
    ]
    for name in classes {
      let statement = try file("classes/\(name)")
      _ = try tx.run(statement, known.filter { statement.parameterNames.contains($0.key) })
    }
  }

  /// Appends the events, and keeps what is pending and when what must be looked at again.
  func record(_ tx: inout DatabaseTransaction, isNarrow: Bool, runID: String) throws {
    let clock = ["as_of": context.asOfValue]
    try tx.execute(context.sql.text("detect/93_record_changes.sql"))
    _ = try tx.run(file("94_end_pending"), clock)
    _ = try tx.run(file("95_begin_pending"), clock)
    try tx.execute(context.sql.text(isNarrow ? "detect/96_end_due.sql" : "detect/96_discard_due.sql"))
    _ = try tx.run(file("97_due"), clock)
    _ = try tx.run(file("98_detection"), clock.merging(["run_id": .text(runID)]) { $1 })
  }

  func outcome(_ tx: inout DatabaseTransaction, keepsRows: Bool) throws -> DetectOutcome {
    let changed = try tx.rows(file("99_changed_count")) { row throws(PostgresError) in try row.int8() }.first ?? 0
    var outcome = try DetectOutcome.breaks(asOf: context.asOfValue, in: context.sql, &tx)
    outcome.changedCount = Int(changed)
    outcome.staleInputs = stale.map(\.reason)
    guard keepsRows else { return outcome }
    outcome.changes = try tx.rows(
      file("99_changed_rows"), ["row_max": .int8(Int64(DetectOutcome.changesMax))]
    ) { row throws(PostgresError) in
      DetectOutcome.Change(
        breakID: try row.text(), breakClass: try row.text(), isOpen: try row.bool(),
        orderID: try row.optionalText(), chargeID: try row.optionalText(), detail: try row.text())
    }
    return outcome
  }
}
