internal import Domain
internal import JobCore
internal import Postgres
internal import Reports
internal import Review
internal import Wording

extension CaseController {
  private static let nights: Int64 = 30
  /// Rows of the coverage table, one per period and currency.
  private static let coveredRows = 12

  func dashboard() async throws -> Page {
    try await consoleCases.refresh()
    let controller = self
    let key = visit.seesAll ? "" : visit.inboxes.sorted().joined(separator: " ")
    let counted = try await Figures.shared.figures("dashboard \(key)") { try await controller.counted() }
    let (backlog, stakes, names, flow) = (counted.tables[0], counted.tables[1], counted.tables[2], counted.tables[3])
    var page = Page(title: "dashboard.title", visit: visit)
    if counted.asOf != context.asOf {
      page.subtitle = Phrase("dashboard.counted", ["at": .plain(visit.reader.exact(counted.asOf))])
    }
    let figures: [(label: Phrase, column: String, address: String)] = [
      ("dashboard.waiting", "case_count", "/queue?aside=yes"), ("dashboard.second", "for_a_second_person", "/approvals"),
      ("dashboard.late", "late", "/queue?late=yes&aside=yes"), ("dashboard.critical", "critical", "/queue?severity=critical&aside=yes"),
    ]
    page.fields["has_figures"] = true
    page.fields["figures"] = try figures.map { label, column, address -> [String: Any] in
      let count = try backlog.records.reduce(0) { try $0 + $1.int(column) }
      let style = column != "late" ? "" : count == 0 ? "good" : "alarm"
      return ["label": label, "value": "\(count)", "class": style, "link": ["address": address]]
    }
    page.sections = try plots(flow, names, precision: visit.seesAll ? counted.tables[4] : nil)
    let atStake = Section("dashboard.at_stake", stakes, note: "dashboard.at_stake_note", empty: "dashboard.at_stake_none")
    let about = Section("section.about", names, note: "dashboard.about_note", empty: "empty.nothing_waits")
    page.sections += try [
      Self.leading(Section("dashboard.by_age", backlog, note: "dashboard.by_age_note"), of: backlog, to: Self.ages, Self.ageParts),
      Self.leading(
        atStake, of: stakes, to: stakes.records.map { try "currency=\(PercentEncoding.of($0.text("currency")))" }, ["", "", "", "", nil]),
      Self.leading(
        about, of: names, to: names.records.map { try "name=\(PercentEncoding.of($0.text("about")))" }, ["", "", "&late=yes", nil]),
    ]
    if visit.seesAll {
      page.sections += [
        Section(
          Phrase("dashboard.nights", ["count": .plain("\(Self.nights)")]),
          try await table(ConsoleSQL.nights, ["rows": .int8(Self.nights)]),
          empty: "dashboard.nights_none"),
        Section(
          "title.coverage", counted.tables[5], note: "dashboard.coverage_note", empty: "dashboard.coverage_none",
          links: Links(table: FigureTable.coverage.rawValue, clock: counted.asOf.rfc3339)),
      ]
    }
    return page
  }

  /// - Parameter precision: nil for an account that is limited to its inboxes.
  private func plots(_ flow: ReportTable, _ names: ReportTable, precision: ReportTable?) throws -> [Section] {
    let all = flow.records
    let empty = try all.prefix { try $0.int("opened") == 0 && $0.int("decided") == 0 && $0.int("backlog") == 0 }
    // A plot has at least two days.
    let shown = Array(all.dropFirst(min(empty.count, all.count - 2)))
    let days = try shown.map { try $0.text("day") }
    func series(
      _ label: Phrase, _ tone: String, _ column: String, _ address: @escaping (String) -> String
    ) throws -> DashboardCharts.Series {
      try DashboardCharts.Series(label: label, tone: tone, values: shown.map { try $0.int(column) }, address: address)
    }
    let backlog = try series("chart.backlog", "k1", "backlog") { "/queue?until=\($0)&aside=yes" }
    let changes = try [
      series("chart.opened", "k2", "opened") { "/queue?day=\($0)&aside=yes" },
      series("chart.decided", "k4", "decided") { "/decided?day=\($0)" },
    ]
    let plots: [(title: Phrase, note: Phrase, drawing: String)] = try [
      (
        "chart.backlog_title", trend(all) + .plain(" ") + "chart.backlog_note",
        DashboardCharts.days(days, [backlog], title: "chart.backlog_title", in: visit.words)
      ),
      ("chart.flow_title", "chart.flow_note", DashboardCharts.days(days, changes, title: "chart.flow_title", in: visit.words)),
      ("chart.class_title", "chart.class_note", DashboardCharts.classes(names, in: visit.words)),
      (
        "dashboard.precision", Phrase("dashboard.precision_note", ["min": .plain("\(DashboardCharts.judgedMin)")]),
        precision.map { try DashboardCharts.precision($0, in: visit.words) } ?? ""
      ),
    ]
    return plots.filter { !$0.drawing.isEmpty }.map { title, note, drawing in
      var section = Section(title, note: note)
      section.drawing = drawing
      return section
    }
  }

  private static let trendDays = 7

  private func trend(_ days: [ReportRecord]) throws -> Phrase {
    let (before, now) = try (days[days.count - 1 - Self.trendDays].int("backlog"), days[days.count - 1].int("backlog"))
    let key = now > before ? "chart.grew" : now < before ? "chart.shrank" : "chart.steady"
    return Phrase(key, ["days": .plain("\(Self.trendDays)"), "before": .plain("\(before)"), "now": .plain("\(now)")])
  }

  /// Filters of the queue that show the cases of each row of `backlog.sql`, and of each of its columns.
  private static let ages = ["under=1", "days=1&under=7", "days=7&under=30", "days=30"]
  private static let ageParts = ["", "", nil, "&late=yes", "&severity=critical"]

  /// Links the figures of a table to the queue, by a filter of each row and one of each column; nil for no link.
  private static func leading(_ section: Section, of table: ReportTable, to rows: [String], _ parts: [String?]) -> Section {
    var section = section
    for (row, filter) in zip(section.rows.indices, rows) {
      for (place, part) in zip(section.rows[row].indices, parts) where !["0", "", nil].contains(table.rows[row][place]) {
        section.rows[row][place].target = part.map { "/queue?\(filter)\($0)&aside=yes" }
      }
    }
    return section
  }

  /// Counts backlog, exposure, classes and rules, and flow over all cases. Accounts without an inbox limit also get precision and coverage.
  private func counted() async throws -> Figures.Counted {
    var tables = [
      try await table(ConsoleSQL.backlog),
      try await table(ConsoleSQL.exposure),
      try await table(ConsoleSQL.waitingNames),
      try await table(ConsoleSQL.flow, ["days": .int8(Self.nights)]),
    ]
    if visit.seesAll { tables += [try await table(ConsoleSQL.precision), try await coverage()] }
    return Figures.Counted(tables: tables, asOf: context.asOf)
  }

  /// Returns the coverage of the newest periods. Each figure links to its cells.
  private func coverage() async throws -> ReportTable {
    let parts = ["proved", "explained", "unexplained", "not_yet_settled"]
    let all = try await table(ReportsSQL.coverage)
    let rows = try all.records.suffix(Self.coveredRows).reversed().map { row -> [String?] in
      let shares = try parts.map { part in try row["\(part)_percent"].map { "\($0) %" } }
      return try ["\(row.text("fiscal_period"))/\(row.text("currency"))", row["units"]] + shares + [row["tied_out_at"]]
    }
    let columns = ["figure", "units"] + parts + ["tied_out_at"]
    var table = ReportTable(columns: columns, isNumeric: columns.map { $0 != "figure" && $0 != "tied_out_at" }, rows: rows)
    table.isTruncated = all.rows.count > rows.count
    return table
  }
}
