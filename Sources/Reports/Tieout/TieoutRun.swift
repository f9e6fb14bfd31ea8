internal import Domain
internal import JobCore
internal import Logging
internal import Postgres
internal import Wording

/// One tie-out inside its transaction.
struct TieoutRun {
  let context: JobContext
  let period: String
  let runID: String

  /// Whether the run ties out a day before its period closed.
  private var isProvisional: Bool { period.hasPrefix("D") }

  /// The range of instants of the evaluated charges; empty until it is known.
  private(set) var instants: [String: Value] = [:]

  /// Planner settings for every statement. Whole tables are hashed by the columns of a cell, because the planner misestimates columns that
  /// depend on each other. A small sample suffices for working tables, of which only the size matters.
  private static let planner = """
    set local work_mem = '256MB'; set local default_statistics_target = 10;
    set local enable_nestloop = off; set local enable_mergejoin = off; set local enable_sort = on;
    set local cpu_operator_cost = 0.0025; set local random_page_cost to default
    """

  /// Begins the line in the header of an SQL file with additional settings: `-- planner: set local enable_sort = off`. Each must also be in
  /// `planner`, which restores it afterwards.
  private static let plannerMark = "-- planner: "

  private var key: [String: Value] { ["period": .text(period), "as_of": context.asOfValue] }

  /// Runs statements in sequence, each with its parameters and with the planner settings of its header or the common ones.
  private func run(_ statements: [Statement<>], _ tx: inout DatabaseTransaction, _ more: [String: Value] = [:]) throws {
    let values = key.merging(instants) { $1 }.merging(more) { $1 }
    for statement in statements {
      let file = try context.sql(statement)
      let plan = file.text.split(separator: "\n").first { $0.hasPrefix(Self.plannerMark) }
      if let plan { tx.send(String(plan.dropFirst(Self.plannerMark.count))) }
      try tx.send(file, file.picking(from: values))
      if plan != nil { tx.send(Self.planner) }
    }
  }

  /// Creates working tables and analyzes each before the next.
  private func make(_ tables: [TieoutSQL.Making], _ tx: inout DatabaseTransaction) throws {
    for (statement, table) in tables {
      try run([statement], &tx)
      tx.send("analyze \(table)")
      context.progress.report(stage: "tieout", done: 0, total: nil)
    }
  }

  /// Collects both sides by cell.
  mutating func gather(_ tx: inout DatabaseTransaction) throws {
    tx.send(Self.planner)
    let workTables = isProvisional ? TieoutSQL.workTablesOfDay : TieoutSQL.workTables
    try run([workTables], &tx, ["horizon": .int8(context.settings.finance.horizonPeriods)])
    try tx.send(context.sql(TieoutSQL.moreWorkTables))
    if let (from, to) = try tx.rows(context.sql(TieoutSQL.instants)).first {
      instants = ["charges_from": .timestamptz(microseconds: from), "charges_to": .timestamptz(microseconds: to)]
    }
    try run((isProvisional ? TieoutSQL.filesOfDay : TieoutSQL.files) + [TieoutSQL.days], &tx)
    tx.send("analyze tie_run, tie_period, tie_file, tie_day")
    if let reason = try tx.rows(context.sql(TieoutSQL.missingPeriod)).first ?? nil {
      throw JobError(
        "could not tie out \(period): \(reason)", hint: "Read its reports with payrecon ingest finance, then start again.",
        status: .incomplete)
    }
    try make(TieoutSQL.sides, &tx)
    if isProvisional { try run([TieoutSQL.renewingOnly], &tx) }
    try make(TieoutSQL.cells, &tx)
  }

  /// Assigns differing units to causes: pairs units along consecutive days, then runs the steps by name on the units still left.
  func assignCauses(_ tx: inout DatabaseTransaction) throws {
    try pairDays(&tx)
    for step in try TieoutSQL.steps.statements(in: context.sql).map({ try context.sql($0) }) {
      for pass in passes(of: step.parameterNames) {
        if try tx.run(step, step.picking(from: key.merging(pass) { $1 })) > 0 { try tx.send(context.sql(TieoutSQL.consume)) }
      }
    }
    tx.send("analyze tie_part, tie_rest")
    try run([TieoutSQL.rates], &tx, rates)
    try make(TieoutSQL.results, &tx)
  }

  /// Returns the additional parameters of each run of a step: `later` begins with the next period, `gap` with neighbouring days.
  private func passes(of names: [String]) -> [[String: Value]] {
    if names.contains("later") { return (0..<context.settings.finance.horizonPeriods).map { ["later": .int8($0 + 1)] } }
    // The steps pair refunds and returns that are at most 60 days apart. Neighbours farther apart need no common group.
    return names.contains("gap") ? [["gap": .int8(3)], ["gap": .int8(60)]] : [[:]]
  }

  private func pairDays(_ tx: inout DatabaseTransaction) throws {
    let lines = try DayCells.lines(tx.rows(context.sql(TieoutSQL.dayCells)))
    let pairs = lines.flatMap(\.pairs)
    guard !pairs.isEmpty else { return }
    try tx.send(
      context.sql(TieoutSQL.pairDays),
      [
        "our_cells": .textArray(pairs.map { "\($0.ours)" }), "their_cells": .textArray(pairs.map { "\($0.theirs)" }),
        "counts": .textArray(pairs.map { "\($0.units)" }),
      ])
    try tx.send(context.sql(TieoutSQL.consume))
  }

  private var rates: [String: Value] {
    let settings = context.settings.finance
    let shares = settings.commissions
    return [
      "shipped": .int8(Int64(FinanceSettings.shippedCommissions.count)),
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

  /// Records the results and replaces those that the same clock gave before.
  func record(_ tx: inout DatabaseTransaction) throws {
    try run(TieoutSQL.record, &tx, ["run_id": .text(runID), "settings_sha256": .text(context.settingsSHA256)])
    guard !isProvisional else { return }
    try tx.setViewedPeriod(key, files: context.sql)
    let sources = context.settings.finance.rateSources
    try run(
      TieoutSQL.payments, &tx, ["source_days": .textArray(sources.map(\.validFrom)), "source_names": .textArray(sources.map(\.name))])
  }

  /// Raises, changes and resolves the breaks of the period, unless a later tie-out of the period exists. Returns the number of events.
  func raiseBreaks(_ tx: inout DatabaseTransaction) throws -> Int {
    guard !isProvisional else { return 0 }
    guard try tx.rows(context.sql(TieoutSQL.isNewest), key).first ?? true else {
      context.log.warning("a later tie-out of \(period) stands; breaks are left as they are")
      return 0
    }
    try tx.send(context.sql(InputsSQL.everything))
    try tx.send(context.sql(DetectSQL.workTables))
    try run(TieoutSQL.findings + [DetectSQL.judged], &tx, ["late_days": .int8(context.settings.finance.lateSettleDays)])
    tx.send("analyze detect_judged")
    try run([TieoutSQL.latestEvents, DetectSQL.changes], &tx, ["run_id": .text(runID)])
    try tx.send(context.sql(DetectSQL.recordChanges))
    try run([TieoutSQL.due], &tx)
    return try Int(tx.rows(context.sql(DetectSQL.changedCount)).first ?? 0)
  }

  /// Returns the regions whose report was never read, although every sale of the period is settled elsewhere; nil for none.
  private func unread(_ tx: inout DatabaseTransaction) throws -> Phrase? {
    guard !isProvisional else { return nil }
    let regions = try tx.rows(context.sql(TieoutSQL.unreadRegions)).first ?? nil
    return regions.map { .plain("no report of \(period) was read for \($0)") }
  }

  /// Returns the result with its verdict: incomplete input, then breaks of the period, then amounts that are not yet settled or credited.
  func outcome(changedCount: Int, _ tx: inout DatabaseTransaction) throws -> TieoutJob.Outcome {
    let coverage = try ReportTable.read(TieoutSQL.coverage, key, files: context.sql, tx: &tx).records.map { row in
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
    for (name, count) in try tx.rows(context.sql(TieoutSQL.openBreaks), key) {
      if let severity = Severity(rawValue: name) { open[severity] = Int(count) }
    }
    let (isWaiting, uncredited) = isProvisional ? (false, nil) : try tx.rows(context.sql(TieoutSQL.uncredited)).first ?? (false, nil)
    let missing = try [unread(&tx)].compactMap(\.self) + (uncredited.map { try Phrase.apart(json: $0) } ?? [])
    let isOpen = isWaiting || coverage.contains { $0.units.open > 0 }
    let failAt = context.settings.breaks.failAt
    let found: Verdict =
      open.contains { $0.key >= failAt && $0.value > 0 } ? .breaks : open.isEmpty ? (isOpen ? .pending : .clean) : .warnings
    return TieoutJob.Outcome(
      runID: runID, verdict: missing.isEmpty ? found : .incomplete, missing: missing, coverage: coverage, changedCount: changedCount,
      openCounts: open)
  }
}
