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

  /// Returns the dashboard: backlog, lateness, amounts at stake and the last nights.
  func dashboard() async throws -> Page {
    try await board.refresh()
    let desk = self
    let key = visit.seesAll ? "" : visit.inboxes.sorted().joined(separator: " ")
    let counted = try await Figures.shared.figures("dashboard \(key)") { try await desk.counted() }
    let backlog = counted.tables[0]
    func sum(_ name: String) throws -> String { try "\(backlog.records.reduce(0) { try $0 + $1.int(name) })" }
    var page = Page(title: "dashboard.title", visit: visit)
    let late = try sum("late")
    if counted.asOf != context.asOf {
      page.subtitle = Phrase("dashboard.counted", ["at": .plain(visit.reader.exact(counted.asOf))])
    }
    page.fields["has_figures"] = true
    page.fields["figures"] = try [
      ["label": "dashboard.waiting" as Phrase, "value": sum("case_count"), "class": "", "link": ["address": "/queue"]],
      ["label": "dashboard.second" as Phrase, "value": sum("for_a_second_person"), "class": "", "link": ["address": "/approvals"]],
      ["label": "dashboard.late" as Phrase, "value": late, "class": late == "0" ? "good" : "alarm", "link": ["address": "/queue"]],
      ["label": "dashboard.critical" as Phrase, "value": sum("critical"), "class": "", "link": ["address": "/queue?severity=critical"]],
    ] as [[String: Any]]
    let plots: [(title: Phrase, note: Phrase, drawing: String)] = try [
      ("chart.flow_title", "chart.flow_note", DashboardCharts.flow(counted.tables[3], in: visit.words)),
      ("chart.class_title", "chart.class_note", DashboardCharts.classes(counted.tables[2], in: visit.words)),
    ]
    page.sections = plots.filter { !$0.drawing.isEmpty }.map { title, note, drawing in
      var section = Section(title, note: note)
      section.drawing = drawing
      return section
    }
    page.sections += [
      Section("dashboard.by_age", backlog, note: "dashboard.by_age_note"),
      Section("dashboard.at_stake", counted.tables[1], note: "dashboard.at_stake_note", empty: "dashboard.at_stake_none"),
      Section("section.about", counted.tables[2], note: "dashboard.about_note", empty: "empty.nothing_waits"),
    ]
    if visit.seesAll {
      page.sections += [
        Section("dashboard.precision", counted.tables[4], note: "dashboard.precision_note", empty: "dashboard.precision_none"),
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

  /// Counts backlog, exposure, classes and rules over all cases. Accounts without an inbox limit also get precision and coverage.
  private func counted() async throws -> Figures.Counted {
    let rows: Value = .int8(Self.cardRows)
    var tables = [
      try await table(ConsoleSQL.backlog, ["as_of": asOf, "inboxes": inboxes]),
      try await table(ConsoleSQL.exposure, ["as_of": asOf, "inboxes": inboxes, "rows": rows]),
      try await table(ConsoleSQL.waitingNames, ["as_of": asOf, "inboxes": inboxes, "rows": rows]),
      try await table(ConsoleSQL.flow, ["as_of": asOf, "inboxes": inboxes, "days": .int8(Self.nights)]),
    ]
    if visit.seesAll {
      tables.append(try await table(ConsoleSQL.precision, ["rows": rows]))
      tables.append(try await coverage())
    }
    return Figures.Counted(tables: tables, asOf: context.asOf)
  }

  /// Returns the coverage of the newest periods. Each figure links to its cells.
  private func coverage() async throws -> ReportTable {
    let parts = ["proved", "explained", "unexplained", "not_yet_settled"]
    let all = try await table(ReportsSQL.tieoutCoverage, ["as_of": asOf])
    let rows = try all.records.suffix(Self.coveredRows).reversed().map { row -> [String?] in
      let shares = try parts.map { part in try row["\(part)_percent"].map { "\($0) %" } }
      return try ["\(row.text("fiscal_period"))/\(row.text("currency"))", row["units"]] + shares + [row["tied_out_at"]]
    }
    let columns = ["figure", "units"] + parts + ["tied_out_at"]
    var table = ReportTable(columns: columns, isNumeric: columns.map { $0 != "figure" && $0 != "tied_out_at" }, rows: rows)
    table.isCut = all.rows.count > rows.count
    return table
  }

  /// Returns the list of accounts, for administrators.
  func people() async throws -> Page {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    let people = try await table(ConsoleSQL.people)
    try await viewed("people")
    var page = Page(title: "people.title", visit: visit, subtitle: "people.subtitle")
    page.fields["people"] = try people.records.filter { try $0.int("session_count") > 0 }.map { try ["name": $0.text("account")] }
    page.fields["locked"] = try people.records.filter { try $0.text("status") == "locked" }.map { try ["name": $0.text("account")] }
    page.sections = [Section("people.accounts", people)]
    return page
  }

  /// Unlocks an account that failed log-ins had locked.
  func unlock(_ account: String) async throws {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    let (context, actor) = (context, visit.account)
    try await context.transaction(as: .review) { tx in
      guard try tx.rows(context.sql(ConsoleSQL.unlock), ["account": .text(account)]).first ?? 0 > 0 else { return }
      try tx.audit(AuditEntry(actor: actor, act: .accountUnlocked, subject: account), in: context)
    }
  }

  func endSessions(of account: String) async throws {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    let context = context
    let actor = visit.account
    let file = try context.sql(ConsoleSQL.endAll)
    try await context.transaction(as: .review) { tx in
      try tx.audit(AuditEntry(actor: actor, act: .sessionEnded, subject: account), in: context)
      _ = try tx.run(file, ["account": .text(account)])
    }
  }
}
