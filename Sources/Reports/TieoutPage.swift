internal import Domain
internal import JobCore
internal import Wording

/// The page of a financial report: one HTML file without external resources.
struct TieoutPage {
  typealias Cell = ReportSection.Cell

  /// Maximum number of rows per table on the page. The CSV contains all.
  static let rowsMax = 400

  let report: TieoutReport
  let apps: [AppSettings]
  /// Dictionary of the columns, which determines the currency of amounts.
  let columns: ColumnDictionary
  var console: ConsoleAddress?

  private var words: Catalogue { report.header.words }

  func html() throws -> String { try ReportTemplate.html(model, in: words) }

  private var model: [String: Any] {
    get throws {
      let header = report.header
      return try [
        "title": words(report.header.kind.title), "subtitle": subtitle,
        "verdict": header.verdict.rawValue, "verdict_text": header.verdictText, "reasons": header.reasons.map(words.said),
        "figures": figures.map { figure in
          let table = figure.table == "identities.title" ? FigureTable.identities : .coverage
          return figure.model(target: report.part("coverage") == nil ? nil : console?.rows(table.rawValue, "", asOf: header.asOf))
        },
        "charts": [] as [Any], "sections": report.parts.map { try section($0).model(in: words) }, "as_of": header.asOf.rfc3339,
        "run_id": header.runID, "settings": String(header.settingsSHA256.prefix(12)), "code_version": header.codeVersion,
      ]
    }
  }

  private var subtitle: String {
    let policy = report.header.revenuePolicy.map { words("revenue.policy", ["policy": $0]) }
    return ([apps.map(\.bundleID).sorted().joined(separator: ", "), report.header.period, policy] as [String?]).compactMap(\.self)
      .joined(separator: " · ")
  }

  private var figures: [ReportPage.Figure] {
    get throws {
      switch report.header.kind {
      case .refunds: try refundFigures + identityFigure
      case .deferred: try deferredFigures + identityFigure
      case .journal: try identityFigure
      default: try coverageFigures + identityFigure
      }
    }
  }

  /// Deferred revenue per currency, shown as the page's headline figures.
  private var deferredFigures: [ReportPage.Figure] {
    get throws {
      let months = try (report.part("roll_forward")?.records ?? []).filter { line in
        try line["scope"] == "calendar" && line["restates_period"] == nil
      }
      let closings = try Dictionary(months.map { (try $0.text("currency"), try $0.int("closing_milliunits")) }) { $1 }
      let value = ReportPage.amounts(closings, in: words)
      return [
        ReportPage.Figure(label: words("deferred.now"), value: value.isEmpty ? "–" : value, note: words("deferred.now_note"), tone: "list")
      ]
    }
  }

  private var refundFigures: [ReportPage.Figure] {
    get throws {
      let months = try (report.part("refund_months")?.records ?? []).filter { try $0["scope"] == "calendar" }
      let figure = { (label: Phrase, column: String, isAlarm: Bool) in
        let count = try months.reduce(0) { try $0 + $1.int(column) }
        return ReportPage.Figure(
          label: words(label), value: ReportPage.grouped(count), note: "", tone: isAlarm ? (count == 0 ? "good" : "alarm") : "")
      }
      return try [
        figure("refunds.standing", "by_refund_count", false), figure("refunds.applied", "applied_count", false),
        figure("refunds.not_applied", "not_applied_count", true), figure("refunds.no_order", "no_order_count", false),
      ]
    }
  }

  private var identityFigure: [ReportPage.Figure] {
    get throws {
      let checks = report.parts.first { $0.name.hasSuffix("_identities") }?.table.records ?? []
      let failed = try checks.filter { try $0["holds"] != "yes" }.count
      return checks.isEmpty ? [] : [
        ReportPage.Figure(
          label: words("identities.title"),
          value: words("figure.of", ["count": "\(checks.count - failed)", "all": "\(checks.count)"]), note: words("figure.hold"),
          tone: failed == 0 ? "good" : "alarm", table: "identities.title")
      ]
    }
  }

  private var coverageFigures: [ReportPage.Figure] {
    get throws {
      guard let coverage = report.part("coverage") else { return [] }
      // A provisional day would count twice, together with its own period.
      let rows = try coverage.records.filter { try $0["is_provisional"] != "yes" }
      let parts: [(label: Phrase, column: String)] = [
        ("coverage.proved", "proved_units"), ("coverage.explained", "explained_units"), ("coverage.unexplained", "unexplained_units"),
        ("coverage.open", "not_yet_settled_units"),
      ]
      let counts = try parts.map { part in try rows.reduce(Int128(0)) { try $0 + $1.int(part.column) } }
      let total = counts.reduce(0, +)
      return zip(zip(parts, counts), Shares.tenths(of: counts)).map { entry, tenths in
        let (part, count) = entry
        let isLeast = count > 0 && count * 1000 < total
        let percent = isLeast ? ReportPage.leastPercent : ReportPage.percent(tenths: tenths)
        return ReportPage.Figure(
          label: words(part.label), value: total == 0 ? "–" : percent,
          note: words("coverage.of", ["count": ReportPage.grouped(count), "all": ReportPage.grouped(total)]),
          tone: part.column == "unexplained_units" ? (count == 0 ? "good" : "alarm") : "")
      }
    }
  }

  private func section(_ part: TieoutReport.Part) throws -> ReportSection {
    let isFigure = part.table.columns.map(Self.isFigure)
    let command = FigureTable(rawValue: part.name).map { FigureCommand(table: $0, asOf: report.header.asOf, console: console) }
    let rows = try zip(part.table.rows.prefix(Self.rowsMax), part.table.records).map { cells, record in
      let shown = try zip(cells, isFigure).enumerated().map { index, cell in
        let text = cell.0 ?? ""
        let isAlarm = part.table.columns[index] == "holds" && text == "no"
        let written = try text.isEmpty && cell.1 ? "·" : said(text, part.table.columns[index], isFigure: cell.1, record, in: part.name)
        var shown = Cell(text: written, style: isAlarm ? "alarm" : cell.1 ? "n" : "")
        if let command, cell.1 { shown = try shown.rows(command, record, part.table.columns[index]) }
        if part.table.columns[index] == "cell_id", !text.isEmpty {
          shown.link = console?.rows(CellRows.word, text, asOf: report.header.asOf)
        }
        return shown
      }
      // Rows of the bridge that begin with `=` are totals.
      let isTotal = part.name == "tieout_bridge" && (cells[4] ?? "").hasPrefix("=")
      return (cells: shown, style: isTotal ? "sum" : "")
    }
    let rest = part.table.rows.count - rows.count
    return ReportSection(
      title: part.title,
      note: words(part.note) + (command.map { " \($0.note(in: words))" } ?? "")
        + (rest > 0 ? " " + words("tieout.more", ["count": "\(rows.count)", "file": "\(part.name).csv"]) : ""),
      head: zip(part.table.columns, isFigure).map {
        Cell(text: head($0), style: $1 ? "n" : "")
      }, rows: Array(rows), empty: words(empty))
  }

  private var empty: Phrase {
    switch report.header.kind {
    case .refunds: "refunds.none"
    case .deferred, .journal: "deferred.none"
    default: "tieout.none"
    }
  }

  private func head(_ column: String) -> String {
    let name = column.hasSuffix("_milliunits") ? String(column.dropLast("_milliunits".count)) : column
    return words.name("money", name, otherwise: name.replacing("_", with: " "))
  }

  /// Formats a cell for readers: amounts and rates by their units, and composed texts in the language of the report.
  private func said(_ text: String, _ column: String, isFigure: Bool, _ row: ReportRecord, in table: String) throws -> String {
    if column.hasSuffix("_milliunits") {
      let currency = try row.text(column.hasPrefix("base_") ? "base_currency" : "currency")
      return try ReportPage.amount(row.int(column), currency)
    }
    if column.hasSuffix("_bp") { return try ReportPage.percent(basisPoints: row.int(column)) }
    let word = columns.word(column, in: table)
    if let currency = word.decimalCurrencyColumn {
      return try ReportPage.decimal(text, places: Money.fractionDigits(currency: row.text(currency)))
    }
    if isFigure { return ReportPage.decimal(text) }
    if column == "identity" { return words.name("identity", text) }
    return Self.wordColumns.contains(column) ? words.said(text) : text
  }

  private static let wordColumns = [
    "label", "section", "cause", "likely", "holds", "metric", "formula", "scope", "proceeds_basis", "entry", "event", "account", "policy",
  ]

  private static let figureWords = [
    "units", "amount", "percent", "count", "earned", "diff", "rate", "proceeds", "total", "tax", "adjustments", "delta", "price",
    "first_reported", "now", "forward", "subtotal", "left", "right", "hours", "line_no", "changed", "owed", "milliunits", "bp",
  ]

  private static func isFigure(_ column: String) -> Bool {
    guard !column.hasSuffix("currency"), !column.hasSuffix("_ccy") || column == "proceeds_bank_ccy", column != "rate_basis",
      column != "now_at", column != "totals", !column.hasSuffix("_run")
    else { return false }
    return figureWords.contains { column.hasSuffix($0) || column.hasPrefix($0) }
  }
}
