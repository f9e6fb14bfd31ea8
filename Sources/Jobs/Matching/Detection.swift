internal import Domain
internal import Postgres

/// One detection inside a transaction.
struct Detection {
  let context: JobContext

  private func file(_ name: String) throws -> SQLFile { try context.sql("detect/\(name).sql") }

  /// Finds differences, and which events they come to.
  ///
  /// - Parameter scope: what is looked at, open; nil for everything.
  func decide(_ tx: inout Transaction, in scope: DetectScope?, runID: String) throws {
    try tx.execute(context.sql.text("detect/00_work_tables.sql"))
    try find(Self.classesOfAll, &tx)
    try scope?.narrow(&tx)
    // Whole tables are joined, be they of everything or of the scope: a nested loop is only ever chosen on a wrong
    // estimate.
    try tx.execute("set local enable_nestloop = off")
    try prepare(&tx)
    try find(classes.filter { !Self.classesOfAll.contains($0) }, &tx)
    if scope != nil { _ = try tx.run(file("89_forget_unasked")) }
    _ = try tx.run(file("90_judged"), ["as_of": context.asOfValue])
    try tx.execute("analyze detect_judged")
    try tx.execute("set local enable_nestloop = on")
    _ = try tx.run(file("91_latest_events"))
    _ = try tx.run(file("92_changes"), ["run_id": .text(runID), "as_of": context.asOfValue])
  }

  private func prepare(_ tx: inout Transaction) throws {
    _ = try tx.copyIn(
      "copy allowed_sandbox (bundle_id, user_id, allowed_from, allowed_to) from stdin (format binary)"
    ) { writer in
      for app in context.settings.apps {
        for window in app.sandboxWindows { try window.write(to: &writer, bundleID: app.bundleID) }
      }
    }
    for name in ["04_allowed_testers", "01_pairs", "02_open_charges", "03_open_orders", "05_renewing"] {
      _ = try tx.run(file(name))
    }
    // Few of very many.
    try tx.execute("analyze detect_open_order; set local enable_nestloop = on")
    try tx.execute(context.sql.text("detect/06_refused_claims.sql"))
    try tx.execute("set local enable_nestloop = off")
    try tx.execute("analyze detect_pair, detect_open_charge, detect_renewing, allowed_sandbox")
  }

  /// Classes that are small however long the history is: every run looks at all of their evidence.
  private static let classesOfAll = ["evidence_not_ours", "missed_notification", "unrecognized_value"]

  /// Every class has one file in the folder; its name begins with a letter.
  private var classes: [String] {
    context.sql.paths.compactMap { path in
      guard path.hasPrefix("detect/"), path.hasSuffix(".sql") else { return nil }
      let name = path.dropFirst("detect/".count).dropLast(".sql".count)
      return name.first?.isLetter == true ? String(name) : nil
    }
  }

  private func find(_ classes: [String], _ tx: inout Transaction) throws {
    let known: [String: Value] = [
      "grace": interval(seconds: context.settings.breaks.graceSeconds),
      "skew": interval(seconds: context.settings.match.clockSkewSeconds),
      "as_of": context.asOfValue,
    ]
    for name in classes {
      let statement = try file(name)
      _ = try tx.run(statement, known.filter { statement.parameterNames.contains($0.key) })
    }
  }

  /// Appends the events, and keeps what is pending and when what must be looked at again.
  func record(_ tx: inout Transaction, isNarrow: Bool, runID: String) throws {
    let clock = ["as_of": context.asOfValue]
    try tx.execute(context.sql.text("detect/93_record_changes.sql"))
    _ = try tx.run(file("94_end_pending"), clock)
    _ = try tx.run(file("95_begin_pending"), clock)
    try tx.execute(context.sql.text(isNarrow ? "detect/96_end_due.sql" : "detect/96_discard_due.sql"))
    _ = try tx.run(file("97_due"), clock)
    _ = try tx.run(file("98_detection"), clock.merging(["run_id": .text(runID)]) { $1 })
  }

  func outcome(_ tx: inout Transaction, keepsRows: Bool) throws -> DetectOutcome {
    let changed = try tx.rows(file("99_changed_count")) { row throws(PostgresError) in try row.int8() }.first ?? 0
    var outcome = DetectOutcome(changedCount: Int(changed), openCounts: [:], pendingCount: 0, changes: [])
    let counts = try tx.rows(context.sql("runs/break_counts.sql")) { row throws(PostgresError) in
      (try row.text(), try row.int8())
    }
    for (name, count) in counts {
      if let severity = Severity(rawValue: name) { outcome.openCounts[severity] = Int(count) }
      if name == "pending" { outcome.pendingCount = Int(count) }
    }
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

/// A span in which one user may hold live goods from a sandbox purchase.
private struct SandboxWindow {
  var userID: String
  var from: Int64
  var to: Int64

  func write(to writer: inout CopyWriter, bundleID: String) throws {
    try writer.beginRow(columns: 4)
    try writer.text(bundleID)
    try writer.text(userID)
    try writer.timestamptz(microseconds: from)
    try writer.timestamptz(microseconds: to)
  }
}

extension AppSettings {
  /// Bounds that no business instant passes: the years 1900 and 2400.
  fileprivate static let ever = (from: Int64(-2_208_988_800_000_000), to: Int64(13_569_465_600_000_000))

  fileprivate var sandboxWindows: [SandboxWindow] {
    let always = testers.map { SandboxWindow(userID: $0, from: Self.ever.from, to: Self.ever.to) }
    let reviews = reviewWindows.flatMap { window in
      (window.users.isEmpty ? [""] : window.users).map {
        SandboxWindow(userID: $0, from: window.from.microseconds, to: window.to.microseconds)
      }
    }
    return always + reviews
  }
}
