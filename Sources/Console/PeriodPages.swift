internal import Domain
internal import JobCore
internal import Reports
internal import Wording

extension CaseController {
  func periods() async throws -> Page {
    try checkSeesAll()
    let table = try await PeriodStatus(context: context).table()
    var page = Page(title: "periods.title", visit: visit, subtitle: "periods.subtitle")
    var section = Section(
      "periods.title", table, empty: "periods.none", hiding: ["obstacles", "reports_sha256", "starts_on", "ends_on"], isCompact: true)
    for (row, record) in table.records.enumerated() where !section.rows[row].isEmpty {
      section.rows[row][0].target = try "/periods/\(PercentEncoding.of(record.text("fiscal_period")))"
    }
    page.sections = [section]
    try await viewed("periods")
    return page
  }

  func period(_ name: String) async throws -> Page {
    try checkSeesAll()
    let status = PeriodStatus(context: context)
    let table = try await status.table(name)
    guard let state = try table.records.first?.text("state") else { throw ConsoleFault.notThere }
    let details = try await status.details(of: name)
    var page = Page(title: Phrase("period.title", ["period": .plain(name)]), visit: visit, back: "/periods")
    let facts = Section("period.facts", table, hiding: ["fiscal_period", "obstacles"], isCompact: true, isFacts: true)
    let isClosed = state == "closed" || state == "reopen_proposed"
    page.sections =
      [facts] + (isClosed ? [] : [Self.checklist(details)]) + [
        Section("period.steps", details.steps, note: "note.newest_first", empty: "period.steps_none", isCompact: true)
      ]
    if isClosed {
      page.sections += [Section("period.reports", details.reports, hiding: ["reasons", "run_id"]), Self.differences(details.differences)]
    }
    try await viewed("periods", [.text("period", name)])
    return page
  }

  private static func checklist(_ details: PeriodStatus.Details) -> Section {
    let places = Array(1...PeriodStatus.conditionCount)
    let table = ReportTable(
      columns: ["condition", "is_met", "detail"], isNumeric: [false, false, false],
      rows: places.map { ["\($0)", details.obstacles[$0] == nil ? "t" : "f", nil] })
    var section = Section("period.checklist", table, note: "period.checklist_note")
    for (row, place) in places.enumerated() {
      section.rows[row][0].text = .name("condition", "\(place)")
      if let obstacle = details.obstacles[place] { section.rows[row][2].text = obstacle }
    }
    return section
  }

  private static func differences(_ table: ReportTable) -> Section {
    var section = Section(
      "period.differences", table, note: "period.differences_note", empty: "period.differences_none", hiding: ["period"])
    for (row, cells) in table.rows.enumerated() {
      for (place, column) in table.columns.enumerated() where ["metric", "cause"].contains(column) {
        // The first column is hidden.
        section.rows[row][place - 1].text = .name("word", cells[place] ?? "")
      }
    }
    return section
  }
}
