internal import Domain
internal import JobCore
internal import Wording

/// The page of a financial report: one HTML file without external resources that prints on at most eight A4 pages.
struct TieoutPage {
  typealias Cell = ReportSection.Cell
  typealias Row = (cells: [Cell], style: String)

  let report: TieoutReport
  let apps: [AppSettings]
  /// Dictionary of the columns, which determines figures and the currency of amounts.
  let columns: ColumnDictionary
  var console: ConsoleAddress?

  var words: Catalogue { report.header.words }

  func html() throws -> String { try ReportTemplate.html(model, in: words) }

  private var model: [String: Any] {
    get throws {
      let header = report.header
      let headline = MoneyHeadline(report: report)
      let figures = try headline.figures + identityFigure
      return try [
        "title": words(header.kind.title), "subtitle": subtitle, "signed": true,
        "figures": figures.map { figure in
          let table = figure.table == "identities.title" ? FigureTable.identities : .coverage
          return figure.model(target: report.part("coverage") == nil ? nil : console?.rows(table.rawValue, "", asOf: header.asOf))
        },
        "charts": MoneyCharts(report: report).all.map { ["title": $0.title, "svg": $0.svg] },
        "sections": report.parts.flatMap { try sections($0) }.map { $0.model(in: words) },
      ].merging(header.pageFields(headline.subject)) { $1 }
    }
  }

  private var subtitle: String {
    let policy = report.header.revenuePolicy.map { words("revenue.policy", ["policy": $0]) }
    return ([apps.map(\.bundleID).sorted().joined(separator: ", "), report.header.period, policy] as [String?]).compactMap(\.self)
      .joined(separator: " · ")
  }

  private var identityFigure: [ReportPage.Figure] {
    get throws {
      let checks = report.identities
      let failed = try checks.filter { try $0["holds"] != "yes" }.count
      return checks.isEmpty ? [] : [.identities(of: checks.count, failed: failed, in: words)]
    }
  }

  private func sections(_ part: TieoutReport.Part) throws -> [ReportSection] {
    if part.name.hasSuffix("_identities") { return try [identityTable(part)] }
    switch part.name {
    case "finance_files": return try [fileTable(part)]
    case "tieout_bridge": return try bridgeTables(part)
    case "waterfall": return try [waterfallTable(part)]
    case "refund_rates": return try [rateTable(part)]
    default: return try MoneyView.all(of: part).map { try section($0, of: part) }
    }
  }

  // MARK: Tables of columns

  private func section(_ view: MoneyView, of part: TieoutReport.Part) throws -> ReportSection {
    let rows = try view.rows(of: part.table) { isFigure($0, in: part.name) }
    let shown = rows.prefix(view.rowsMax)
    let (columns, empty) = try split(view.columns, below: view.below, rows: shown, in: part.name)
    let command = FigureTable(rawValue: part.name).map { FigureCommand(table: $0, asOf: report.header.asOf, console: console) }
    let table: [Row] = try zip(shown, view.beginsPeriod(shown)).map { row, isFirst in
      try (
        columns.map { try cell($0, row, in: part.name, below: view.below[$0], command: command) }, isFirst ? "first" : ""
      )
    }
    let isShortened = table.contains { $0.cells.contains { $0.text.hasSuffix("…") } }
    let notes = [
      words(view.note), empty.isEmpty ? "" : words("tieout.no_figures", ["columns": empty.map(head).joined(separator: ", ")]),
      more(rows.count - shown.count, of: rows.count, file: part.name),
      isShortened ? words("tieout.shortened", ["file": "\(part.name).csv"]) : "", command?.note(in: words) ?? "",
    ]
    return ReportSection(
      title: view.title, note: notes.filter { !$0.isEmpty }.joined(separator: " "),
      head: columns.map { Cell(text: head($0), style: isFigure($0, in: part.name) ? "n" : "") },
      rows: table, empty: words(report.emptyText),
      folded: view.isFolded ? words("rows.count", ["count": "\(shown.count)"], counting: shown.count) : nil)
  }

  /// Separates columns with a figure or text in some row from columns of figures without any.
  private func split(
    _ all: [String], below: [String: String], rows: ArraySlice<ReportRecord>, in table: String
  ) throws -> (shown: [String], empty: [String]) {
    let shown = try all.filter { column in
      try rows.contains { row in try isFigure(column, in: table) ? !FigureRows.isZero(row.text(column)) : row[column] != nil }
    }
    return (shown, all.filter { !shown.contains($0) && isFigure($0, in: table) })
  }

  /// States how many rows the page leaves out and where they are; empty for none.
  private func more(_ rest: Int, of count: Int, file: String) -> String {
    rest > 0 ? words("tieout.more", ["count": "\(count - rest)", "all": "\(count)", "file": "\(file).csv"]) : ""
  }

  private func cell(
    _ column: String, _ row: ReportRecord, in table: String, below: String?, command: FigureCommand?
  ) throws -> Cell {
    let isFigure = isFigure(column, in: table)
    let text = try row.text(column)
    let isZero = isFigure && FigureRows.isZero(text)
    var shown = try Cell(
      text: isZero ? "·" : said(text, column, row, in: table), small: isZero ? "" : below.map { try small($0, row, in: table) } ?? "",
      style: isFigure ? (isZero ? "n zero" : "n") : columns.word(column, in: table).kind == .date ? "fix" : "")
    if column == "unexplained_units" || column.hasPrefix("diff"), isFigure, !isZero { shown.style = "n alarm" }
    if let command, isFigure { shown = try shown.rows(command, row, column) }
    if column == "cell_id", !text.isEmpty { shown.link = console?.rows(CellRows.word, text, asOf: report.header.asOf) }
    return shown
  }

  private func small(_ column: String, _ row: ReportRecord, in table: String) throws -> String {
    try column.hasSuffix("_percent") ? row.text(column) + "\u{A0}%" : said(row.text(column), column, row, in: table)
  }

  private func head(_ column: String) -> String {
    let name = column.hasSuffix("_milliunits") ? String(column.dropLast("_milliunits".count)) : column
    let text = words.name("money", name, otherwise: name.replacing("_", with: " "))
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Maximum number of characters of a text in a cell. Longer texts end in `…`; the CSV contains all.
  private static let textMax = 90

  /// Formats a cell for readers: amounts and rates by their units, and composed texts in the language of the report.
  private func said(_ text: String, _ column: String, _ row: ReportRecord, in table: String) throws -> String {
    if column.hasSuffix("_milliunits") {
      let currency = try row.text(column.hasPrefix("base_") ? "base_currency" : "currency")
      return try ReportPage.amount(row.int(column), currency)
    }
    if column.hasSuffix("_bp") { return try ReportPage.percent(basisPoints: row.int(column)) }
    let word = columns.word(column, in: table)
    if let currency = word.decimalCurrencyColumn {
      return try ReportPage.decimal(text, places: Money.fractionDigits(currency: row.text(currency)))
    }
    if isFigure(column, in: table) { return ReportPage.decimal(text) }
    if column == "identity" { return words.name("identity", text) }
    if column == "basis" { return words.name("zone_basis", text) }
    if column == "status" { return words.name("payment_status", text) }
    if word.kind == .datetime { return ReportPage.minute(text) }
    let translated = Self.sentences.contains(column) ? words.said(text) : text
    return translated.count > Self.textMax ? translated.prefix(Self.textMax) + "…" : translated
  }

  private static let sentences: Set = ["label", "section", "cause", "likely", "holds", "metric", "formula", "scope", "proceeds_basis",
    "entry", "event", "account", "policy"]

  private func isFigure(_ column: String, in table: String) -> Bool {
    [.integer, .number].contains(columns.word(column, in: table).kind)
  }

  // MARK: Summaries

  /// Maximum number of failed identities shown in full.
  private static let failuresMax = 10

  /// The checks of each identity as one row, then those that fail.
  private func identityTable(_ part: TieoutReport.Part) throws -> ReportSection {
    let checks = part.table.records
    let failures = try checks.filter { try $0["holds"] != "yes" }
    let names = try checks.map { try $0.text("identity") }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var rows: [Row] = try names.map { name in
      let own = try checks.filter { try $0.text("identity") == name }
      let failed = try own.filter { try $0["holds"] != "yes" }.count
      return try (
        [
          Cell(text: words.name("identity", name)), Cell(text: words.name("tieout_formula", name, otherwise: words.said(own[0].text("formula")))), .number(Int128(own.count)),
          ReportSection.identityResult(of: own.count, failed: failed, in: words),
        ], ""
      )
    }
    for check in failures.prefix(Self.failuresMax) {
      let places = part.table.columns.prefix { $0 != "formula" }.dropFirst()
      let place = try places.compactMap { try check[$0] }.joined(separator: " · ")
      let numbers = try ["left", "right", "difference"].map { try "\(head($0)) \(ReportPage.decimal(check.text($0)))" }
      rows.append(([Cell(text: ""), Cell(text: place), Cell(text: ""), Cell(text: numbers.joined(separator: ", "), style: "alarm")], "detail"))
    }
    let rest = more(failures.count - min(failures.count, Self.failuresMax), of: failures.count, file: part.name)
    return ReportSection(
      title: part.title, note: words("tieout.identities_shown", ["note": words(part.note), "file": "\(part.name).csv"]) + " " + rest,
      head: ReportSection.heads(["head.identity", "head.sum"], ["head.checked"], in: words) + [Cell(text: words("head.result"))],
      rows: rows, empty: words(report.emptyText))
  }

  /// The files about money by report and period, newest period first.
  private func fileTable(_ part: TieoutReport.Part) throws -> ReportSection {
    let groups = try Dictionary(grouping: part.table.records) { try [$0.text("fiscal_period"), $0.text("report")] }
    let sorted = groups.sorted { ($1.key[0], $0.key[1]) < ($0.key[0], $1.key[1]) }
    let rows: [Row] = try sorted.prefix(Self.groupsMax).map { key, files in
      let replaced = try files.filter { try $0["is_current"] != "true" }.count
      return try (
        [
          Cell(text: key[0].isEmpty ? "–" : key[0]), Cell(text: key[1]), .number(Int128(files.count)), .number(Int128(replaced)),
          .number(files.reduce(0) { try $0 + $1.int("row_count") }),
          Cell(text: ReportPage.minute(files.map { try $0.text("read_at") }.max() ?? "")),
        ], ""
      )
    }
    let note = words("tieout.files_shown", ["note": words(part.note), "file": "\(part.name).csv"])
    return ReportSection(
      title: part.title, note: note + " " + more(sorted.count - rows.count, of: sorted.count, file: part.name),
      head: ["fiscal_period", "finance_report"].map { Cell(text: head($0)) }
        + ["file_count", "replaced_count", "row_count"].map { Cell(text: head($0), style: "n") } + [Cell(text: head("read_at"))],
      rows: rows, empty: words(report.emptyText))
  }

  /// Maximum number of rows of a summary and of columns for currencies.
  private static let groupsMax = 18, currenciesMax = 7

  /// The audit bridge with one column per currency: the latest period, then the earlier ones folded.
  private func bridgeTables(_ part: TieoutReport.Part) throws -> [ReportSection] {
    let periods = try Dictionary(grouping: part.table.records) { try $0.text("fiscal_period") }.sorted { $0.key > $1.key }
    guard !periods.isEmpty else {
      return [ReportSection(title: part.title, note: words(part.note), head: [], rows: [], empty: words(report.emptyText))]
    }
    let command = FigureCommand(table: .bridge, asOf: report.header.asOf, console: console)
    let sections = ["customer", "proceeds", "bank"]
    return try periods.prefix(MoneyCharts.periodsMax).enumerated().flatMap { index, period in
      try sections.map { name in
        let lines = try period.value.filter { try $0.text("section") == name }
        let title = Phrase(
          "auditors.section", ["section": .name("auditors", name), "period": .plain(period.key)])
        var table = try pivot(lines, title: title, command: command)
        table.note = index > 0 ? table.note : [words.name("auditors", "\(name)_note"), table.note].joined(separator: " ")
        if index > 0 { table.folded = words("rows.count", ["count": "\(table.rows.count)"], counting: table.rows.count) }
        return table
      }
    }
  }

  /// Lines of a bridge with one column per currency.
  private func pivot(_ lines: [ReportRecord], title: Phrase, command: FigureCommand) throws -> ReportSection {
    let all = try Set(lines.map { try $0.text("currency") }).sorted()
    let currencies = all.prefix(Self.currenciesMax)
    let byLine = try Dictionary(grouping: lines) { try $0.int("line_no") }.sorted { $0.key < $1.key }
    let rows: [Row] = try byLine.compactMap { number, line in
      let label = try line[0].text("label")
      let cells = try currencies.map { currency in
        try line.first { try $0.text("currency") == currency }.map { try cell("amount", $0, in: "tieout_bridge", below: nil, command: command) }
          ?? Cell(text: "·", style: "n zero")
      }
      let isTotal = label.hasPrefix("=")
      guard isTotal || cells.contains(where: { $0.text != "·" }) else { return nil }
      return (([Cell(text: words.name("bridge_line", "\(number)", otherwise: label))] + cells), isTotal ? "sum" : "")
    }
    let more = all.count > currencies.count ? [words("figure.stake_more", ["count": "\(all.count - currencies.count)"]), "tieout_bridge.csv"] : []
    return ReportSection(
      title: title, note: more.joined(separator: ": "),
      head: [Cell(text: words("auditors.line"))] + currencies.map { Cell(text: $0, style: "n") }, rows: rows, empty: words(report.emptyText))
  }

  /// The money that is still to be earned, by the period in which it is earned, with one column per currency.
  private func waterfallTable(_ part: TieoutReport.Part) throws -> ReportSection {
    let lines = try part.table.records.filter { try $0["scope"] == "calendar" && $0.int("to_come_milliunits") != 0 }
    let all = try Set(lines.map { try $0.text("currency") }).sorted()
    let currencies = all.prefix(Self.currenciesMax)
    let periods = try Dictionary(grouping: lines) { try $0.text("recognised_period") }.sorted { $0.key < $1.key }
    let rows: [Row] = try periods.prefix(Self.groupsMax).map { period, own in
      let cells = try currencies.map { currency in
        try Cell.amount(own.filter { try $0["currency"] == currency }.reduce(0) { try $0 + $1.int("to_come_milliunits") }, currency)
      }
      return ([Cell(text: period)] + cells, "")
    }
    let rest = all.count > currencies.count ? words("figure.stake_more", ["count": "\(all.count - currencies.count)"]) + ": waterfall.csv." : ""
    let notes = [words(part.note), more(periods.count - rows.count, of: periods.count, file: part.name), rest]
    return ReportSection(
      title: part.title, note: notes.filter { !$0.isEmpty }.joined(separator: " "),
      head: [Cell(text: head("recognised_period"))] + currencies.map { Cell(text: $0, style: "n") }, rows: rows,
      empty: words(report.emptyText))
  }

  /// The refund rate of each product over all months, the highest first.
  private func rateTable(_ part: TieoutReport.Part) throws -> ReportSection {
    let products = try Dictionary(grouping: part.table.records) { try [$0.text("product_id"), $0.text("bundle_id"), $0.text("type")] }
    let sums = try products.map { key, lines in
      try (
        key: key, charges: lines.reduce(Int128(0)) { try $0 + $1.int("charge_count") },
        refunds: lines.reduce(Int128(0)) { try $0 + $1.int("refund_count") }
      )
    }
    let sorted = sums.sorted { ($1.refunds * $0.charges, $0.key[0]) < ($0.refunds * $1.charges, $1.key[0]) }
    let rows: [Row] = sorted.prefix(Self.groupsMax).map { product in
      let rate = ReportPage.percent(of: product.refunds, in: product.charges)
      return (
        [
          .id(product.key[0], small: product.key[1]), Cell(text: words.name("product_type", product.key[2])), .number(product.charges),
          .number(product.refunds), Cell(text: rate, style: "n"),
        ], ""
      )
    }
    return ReportSection(
      title: part.title,
      note: words("refund_rates.shown", ["note": words(part.note)]) + " " + more(sorted.count - rows.count, of: sorted.count, file: part.name),
      head: ["product_id", "type"].map { Cell(text: head($0)) }
        + ["charge_count", "refund_count", "refund_rate_bp"].map { Cell(text: head($0), style: "n") }, rows: rows,
      empty: words(report.emptyText))
  }
}

extension MoneyView {
  /// Returns the rows with a figure, latest period first.
  fileprivate func rows(of table: ReportTable, isFigure: (String) -> Bool) throws -> [ReportRecord] {
    let figures = columns.filter(isFigure)
    let rows = try table.records.filter { row in
      try (scope == nil || row["scope"] == scope)
        && (figures.isEmpty || figures.contains { try !FigureRows.isZero(row.text($0)) })
    }
    guard let period else { return rows }
    let sorted = try rows.enumerated().map { (index: $0.offset, period: try $0.element.text(period), row: $0.element) }
      .sorted { ($1.period, $0.index) < ($0.period, $1.index) }
    return sorted.map(\.row)
  }

  private var period: String? { Self.periodColumns.first { columns.contains($0) } }

  /// Returns for each row whether its period differs from that of the row before it.
  fileprivate func beginsPeriod(_ rows: ArraySlice<ReportRecord>) throws -> [Bool] {
    guard let period else { return rows.map { _ in false } }
    let periods = try rows.map { try $0.text(period) }
    return periods.indices.map { $0 == 0 || periods[$0] != periods[$0 - 1] }
  }
}
