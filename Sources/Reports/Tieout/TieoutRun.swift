internal import Domain
internal import JobCore
internal import Logging
internal import Postgres

/// One tie-out inside its transaction.
struct TieoutRun {
  let context: JobContext
  let period: String
  let runID: String

  private func file(_ name: String) throws -> SQLFile { try context.sql("tieout/\(name).sql") }

  /// Whether a day is tied out before its period closed.
  private var isProvisional: Bool { period.hasPrefix("D") }

  /// Between which instants charges are looked at, once that is known.
  private var instants: [String: Value] = [:]

  init(context: JobContext, period: String, runID: String) {
    self.context = context
    self.period = period
    self.runID = runID
  }

  private var key: [String: Value] { ["period": .text(period), "as_of": context.asOfValue] }

  /// Runs a file of one statement with those of the parameters that it names, planned as its head says, or like all.
  private func run(_ name: String, _ tx: inout DatabaseTransaction, _ more: [String: Value] = [:]) throws {
    let statement = try file(name)
    let values = key.merging(instants) { $1 }.merging(more) { $1 }.filter { statement.parameterNames.contains($0.key) }
    let plan = TieoutPlans.own(statement)
    if let plan { try tx.execute(plan) }
    _ = try tx.run(statement, values)
    if plan != nil { try tx.execute(TieoutPlans.all) }
  }

  /// Makes work tables, each known to the planner before the next.
  private func make(
    _ tables: [(file: String, table: String)], _ tx: inout DatabaseTransaction, _ more: [String: Value] = [:]
  ) throws {
    for (name, table) in tables {
      try run(name, &tx, more)
      try tx.execute("analyze \(table)")
      context.progress.report(stage: "tieout", done: 0, total: nil)
    }
  }

  private func readInstants(_ tx: inout DatabaseTransaction) throws -> [String: Value] {
    let found = try tx.rows(file("02_instants")) { row throws(PostgresError) in
      (from: try row.timestamptz(), to: try row.timestamptz())
    }.first
    guard let found else { return [:] }
    return ["looked_from": .timestamptz(microseconds: found.from), "looked_to": .timestamptz(microseconds: found.to)]
  }

  /// Gathers both sides by cell.
  mutating func gather(_ tx: inout DatabaseTransaction) throws {
    try tx.execute(TieoutPlans.all)
    let folder = isProvisional ? "provisional/" : ""
    try run("\(folder)00_work_tables", &tx, ["horizon": .int8(context.settings.finance.horizonPeriods)])
    try tx.execute(context.sql.text("tieout/01_more_work_tables.sql"))
    instants = try readInstants(&tx)
    for name in ["10_periods", "11_files"] { try run(folder + name, &tx) }
    try run("13_days", &tx)
    try tx.execute("analyze tie_run, tie_period, tie_file, tie_day")
    let missing = try tx.rows(file("12_missing_period")) { row throws(PostgresError) in try row.optionalText() }
    if let reason = missing.first ?? nil {
      throw JobError(
        "could not tie out \(period): \(reason)", hint: "Read its reports with payrecon ingest finance, then start again.",
        status: .incomplete)
    }
    try make(
      [
        ("20_apple_cells", "tie_l3"), ("30_offset_lines", "tie_offset_line"),
        ("31_offset_hours", "tie_offset_hour"), ("31_offset_theirs", "tie_offset_theirs"), ("31_places", "tie_place"),
        ("31_offsets", "tie_offset"), ("32_our_days", "tie_our_day"), ("33_our_cells", "tie_l1"),
      ], &tx)
    if isProvisional { try run("provisional/33_renewing_only", &tx) }
    try make([("39_lines", "tie_line"), ("40_cells", "tie_cell"), ("41_rest", "tie_rest")], &tx)
  }

  /// Runs the explanation steps in the order of their names; each takes from what those before it left.
  func explain(_ tx: inout DatabaseTransaction) throws {
    let folder = "tieout/steps/"
    for path in context.sql.paths where path.hasPrefix(folder) {
      let statement = try context.sql(path)
      // A step that asks how many periods later is taken for the nearest one first.
      let periods = statement.parameterNames.contains("later") ? context.settings.finance.horizonPeriods : 1
      for later in 0..<periods {
        let values = key.merging(["later": .int8(later + 1)]) { $1 }
        let found = try tx.run(statement, values.filter { statement.parameterNames.contains($0.key) })
        if found > 0 { try tx.execute(context.sql.text("tieout/42_take.sql")) }
      }
    }
    try tx.execute("analyze tie_part, tie_rest")
    try run("43_rates", &tx, rates)
    try make(
      [
        ("44_open", "tie_result"), ("45_two_shares", "tie_split"), ("49_wanted", "tie_wanted"),
        ("49_wanted_days", "tie_wanted_day"), ("50_asked", "tie_asked"), ("50_near", "tie_near"), ("50_candidates", "tie_candidate"),
      ], &tx)
  }

  private var rates: [String: Value] {
    let settings = context.settings.finance
    // Of two rates of one day the one that is set stands last and counts.
    let shares = settings.commissions
    return [
      "programme": .text(settings.programme),
      "commission_storefronts": .textArray(shares.map { $0.storefront ?? "" }),
      "commission_programmes": .textArray(shares.map { $0.programme ?? "standard" }),
      "commission_days": .textArray(shares.map(\.validFrom)),
      "commission_points": .textArray(shares.map { "\($0.basisPoints)" }),
      "tax_storefronts": .textArray(settings.taxes.map { $0.storefront ?? "" }),
      "tax_days": .textArray(settings.taxes.map(\.validFrom)),
      "tax_points": .textArray(settings.taxes.map { "\($0.basisPoints)" }),
    ]
  }

  /// Keeps what was found, in place of what the same clock gave before.
  func record(_ tx: inout DatabaseTransaction) throws {
    try run("60_forget", &tx)
    for table in ["cells", "parts", "offsets", "offset_days", "payments", "bridge"] { try run("61_forget_\(table)", &tx) }
    try run("62_record", &tx, ["run_id": .text(runID), "settings_sha256": .text(context.settingsSHA256)])
    for name in ["63_record_cells", "64_record_parts", "65_record_offsets", "66_record_offset_days"] { try run(name, &tx) }
    guard !isProvisional else { return }
    _ = try tx.run(context.sql(RowsSQL.askPeriod), key)
    let sources = context.settings.finance.rateSources
    let dated: [String: Value] = [
      "source_days": .textArray(sources.map(\.validFrom)), "source_names": .textArray(sources.map(\.name)),
    ]
    for name in [
      "69_paid_lines", "70_payment_rows", "71_bank", "71_bank_rows", "71_estimates", "72_record_payments", "90_tax", "90_booked",
      "90_alone", "91_bridge",
    ] { try run(name, &tx, dated) }
  }

  /// Raises, changes and resolves the breaks of the period; a clock before that of a later tie-out changes none.
  ///
  /// - Returns: how many events there are.
  func raiseBreaks(_ tx: inout DatabaseTransaction) throws -> Int {
    guard !isProvisional else { return 0 }
    let isNewest = try tx.rows(file("79_is_newest"), key) { row throws(PostgresError) in try row.bool() }.first ?? true
    guard isNewest else {
      context.log.warning("a later tie-out of \(period) stands; breaks are left as they are")
      return 0
    }
    try tx.execute(context.sql.text("detect/00_work_tables.sql"))
    for name in ["80_cell_findings", "81_charge_findings", "82_payment_findings"] { try run(name, &tx) }
    _ = try tx.run(context.sql("detect/90_judged.sql"), ["as_of": context.asOfValue])
    try tx.execute("analyze detect_judged")
    try run("83_latest_events", &tx)
    _ = try tx.run(context.sql("detect/92_changes.sql"), ["run_id": .text(runID), "as_of": context.asOfValue])
    try tx.execute(context.sql.text("detect/93_record_changes.sql"))
    return Int(try tx.rows(context.sql("detect/99_changed_count.sql")) { row throws(PostgresError) in try row.int8() }.first ?? 0)
  }

  /// What is printed, and the verdict: breaks of the period, then what is not settled yet.
  func outcome(changedCount: Int, _ tx: inout DatabaseTransaction) throws -> TieoutJob.Outcome {
    let coverage = try ReportTable.read("tieout/coverage.sql", key, files: context.sql, tx: &tx).records.map { row in
      try TieoutJob.Coverage(
        currency: row.text("currency"),
        units: (
          Int64(clamping: row.int("proved_units")), Int64(clamping: row.int("explained_units")),
          Int64(clamping: row.int("unexplained_units")), Int64(clamping: row.int("open_units"))
        ),
        percent: (row.text("proved_percent"), row.text("explained_percent"), row.text("unexplained_percent"), row.text("open_percent"))
      )
    }
    var open: [Severity: Int] = [:]
    for (name, count) in try tx.counts(file("open_breaks"), ["as_of": context.asOfValue, "period": .text(period)]) {
      if let severity = Severity(rawValue: name) { open[severity] = count }
    }
    let isOpen = coverage.contains { $0.units.open > 0 }
    let failAt = context.settings.breaks.failAt
    let verdict: Verdict =
      open.contains { $0.key >= failAt && $0.value > 0 } ? .breaks : open.isEmpty ? (isOpen ? .pending : .clean) : .warnings
    return TieoutJob.Outcome(
      runID: runID, verdict: verdict, coverage: coverage, changedCount: changedCount, openCounts: open)
  }
}
