internal import Domain
internal import JobCore
internal import Mustache

/// The page of a report on Apple's money: one HTML file, nothing loaded from elsewhere.
struct TieoutPage {
  typealias Cell = ReportSection.Cell

  /// Rows of one table on the page; the CSV has all.
  static let rowsMax = 400

  let report: TieoutReport
  let apps: [AppSettings]
  var console: ConsoleAddress?

  func html() throws -> String {
    var library = MustacheLibrary()
    try library.register(ReportTemplate.table, named: "table")
    try library.register(ReportTemplate.page, named: "page")
    guard let text = try library.render(model, withTemplate: "page") else {
      throw JobError("could not render the page of the tie-out: its template is not registered")
    }
    return text
  }

  private var model: [String: Any] {
    get throws {
      let header = report.header
      return try [
        "title": title, "subtitle": apps.map(\.bundleID).sorted().joined(separator: ", "), "style": ReportTemplate.style,
        "verdict": header.verdict.rawValue, "verdict_text": header.verdictText, "reasons": header.reasons,
        "figures": figures.map { figure in
          let table = figure.label == "Identities" ? FigureTable.identities : .coverage
          return figure.model(target: console?.rows(table.rawValue, "", asOf: header.asOf))
        },
        "charts": [] as [Any], "sections": report.parts.map { try section($0).model }, "as_of": header.asOf.rfc3339,
        "run_id": header.runID, "settings": String(header.settingsSHA256.prefix(12)), "code_version": header.codeVersion,
      ]
    }
  }

  private var title: String {
    switch report.header.kind {
    case .coverage: "Coverage"
    case .restatement: "Restatement"
    default: "Tie-out to Apple's money"
    }
  }

  private var figures: [ReportPage.Figure] {
    get throws {
      guard let coverage = report.parts.first(where: { $0.name == "coverage" }) else { return [] }
      // A day that is tied out before its period closes says nothing of the periods, and would count twice with its own.
      let rows = try coverage.table.records.filter { try $0["is_provisional"] != "yes" }
      let total = try rows.reduce(0) { try $0 + $1.int("units") }
      let figure = { (label: String, column: String, isAlarm: Bool) in
        let count = try rows.reduce(0) { try $0 + $1.int(column) }
        return ReportPage.Figure(
          label: label, value: total == 0 ? "–" : ReportPage.percent(basisPoints: count * 10_000 / total),
          note: "\(ReportPage.grouped(count)) of \(ReportPage.grouped(total)) units",
          tone: isAlarm ? (count == 0 ? "good" : "alarm") : "")
      }
      let checks = report.parts.first { $0.name == "tieout_identities" }?.table.records ?? []
      let failed = try checks.filter { try $0["holds"] != "yes" }.count
      return try [
        figure("Proved", "proved_units", false), figure("Explained", "explained_units", false),
        figure("Unexplained", "unexplained_units", true), figure("Not yet settled", "not_yet_settled_units", false),
      ] + (checks.isEmpty ? [] : [
        ReportPage.Figure(
          label: "Identities", value: "\(checks.count - failed) of \(checks.count)", note: "hold", tone: failed == 0 ? "good" : "alarm")
      ])
    }
  }

  private func section(_ part: TieoutReport.Part) throws -> ReportSection {
    let isFigure = part.table.columns.map(Self.isFigure)
    let command = FigureTable(rawValue: part.name).map { FigureCommand(table: $0, asOf: report.header.asOf, console: console) }
    let rows = try zip(part.table.rows.prefix(Self.rowsMax), part.table.records).map { cells, record in
      let shown = try zip(cells, isFigure).enumerated().map { index, cell in
        let text = cell.0 ?? ""
        let isAlarm = part.table.columns[index] == "holds" && text == "no"
        var shown = Cell(text: text.isEmpty && cell.1 ? "·" : text, style: isAlarm ? "alarm" : cell.1 ? "n" : "")
        if let command, cell.1 { shown = try shown.rows(command, record, part.table.columns[index]) }
        if part.table.columns[index] == "cell_id", !text.isEmpty {
          shown.link = console?.rows(CellRows.word, text, asOf: report.header.asOf)
        }
        return shown
      }
      // A total of the bridge.
      let isTotal = part.name == "tieout_bridge" && (cells[4] ?? "").hasPrefix("=")
      return (cells: shown, style: isTotal ? "sum" : "")
    }
    let rest = part.table.rows.count - rows.count
    return ReportSection(
      title: part.title,
      note: part.note + (command.map { " \($0.note)" } ?? "") + (rest > 0 ? " The first \(rows.count); \(part.name).csv has all." : ""),
      head: zip(part.table.columns, isFigure).map {
        Cell(text: $0.replacing("_", with: " "), style: $1 ? "n" : "")
      }, rows: Array(rows), empty: "Nothing was tied out yet: payrecon ingest finance, then payrecon tieout.")
  }

  private static let figureWords = [
    "units", "amount", "percent", "count", "earned", "diff", "rate", "proceeds", "total", "tax", "adjustments", "delta", "price",
    "first_reported", "now", "forward", "subtotal", "left", "right", "hours", "line_no", "changed", "owed",
  ]

  private static func isFigure(_ column: String) -> Bool {
    guard !column.hasSuffix("currency"), !column.hasSuffix("_ccy") || column == "proceeds_bank_ccy", column != "rate_basis",
      column != "now_at", column != "totals", !column.hasSuffix("_run")
    else { return false }
    return figureWords.contains { column.hasSuffix($0) || column.hasPrefix($0) }
  }
}
