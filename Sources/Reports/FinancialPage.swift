internal import Domain
internal import JobCore
internal import Wording

/// The page of a financial report: one HTML file without external resources that prints on at most eight A4 pages.
struct FinancialPage {
  typealias Cell = ReportSection.Cell
  typealias Row = ReportSection.Row

  let report: FinancialReport
  /// Dictionary of the columns, which determines figures and the currency of amounts.
  let columns: ColumnDictionary

  private var header: ReportHeader { report.header }
  var words: Catalogue { header.words }

  func html() throws -> String {
    let figures = try figures() + identityFigure()
    return try header.page(
      [
        "subtitle": subtitle,
        "figures": figures.map { figure in
          let table = figure.table == "identities.title" ? FigureTable.identities : .coverage
          return figure.model(target: report.part("coverage") == nil ? nil : header.console?.rows(table.rawValue, "", asOf: header.asOf))
        },
        "charts": charts().map(\.model),
        "sections": report.parts.flatMap { try sections($0) }.map { $0.model(in: words) },
      ], subject())
  }

  private var subtitle: String {
    let policy = header.revenuePolicy.map { words("revenue.policy", ["policy": $0]) }
    return ([header.appNames, header.period, policy] as [String?]).compactMap(\.self).joined(separator: " · ")
  }

  private func identityFigure() throws -> [ReportPage.Figure] {
    let checks = report.identities
    let failed = try checks.filter { try $0["holds"] != "yes" }.count
    return checks.isEmpty ? [] : [.identities(of: checks.count, failed: failed, in: words)]
  }

  private func sections(_ part: FinancialReport.Part) throws -> [ReportSection] {
    if part.name.hasSuffix("_identities") { return try [identityTable(part)] }
    switch part.name {
    case "finance_files": return try [fileTable(part)]
    case "tieout_bridge": return try bridgeTables(part)
    case "waterfall": return try [waterfallTable(part)]
    case "refund_rates": return try [rateTable(part)]
    default: return try FinancialTable.all(of: part).map { try section($0, of: part) }
    }
  }

  // MARK: Tables of columns

  private func section(_ view: FinancialTable, of part: FinancialReport.Part) throws -> ReportSection {
    let rows = try view.rows(of: part.table) { isFigure($0, in: part.name) }
    let shown = rows.prefix(view.rowsMax)
    let (columns, empty) = try split(view.columns, rows: shown, in: part.name)
    let command = FigureTable(rawValue: part.name).map(header.command)
    let table = try zip(shown, view.beginsPeriod(shown)).map { row, isFirst in
      try Row(columns.map { try cell($0, row, in: part.name, below: view.below[$0], command: command) }, style: isFirst ? "first" : "")
    }
    let totals = try view.title == "coverage.units_title" ? coverageTotals(columns, shown) : [:]
    let isShortened = table.contains { $0.cells.contains { $0.text.hasSuffix("…") } }
    let notes = [
      words(view.note), empty.isEmpty ? "" : words("tieout.no_figures", ["columns": empty.map(head).joined(separator: ", ")]),
      more(rows.count - shown.count, of: rows.count, file: part.name),
      isShortened ? words("tieout.shortened", ["file": "\(part.name).csv"]) : "", command?.note(in: words) ?? "",
    ]
    return ReportSection(
      title: view.title, note: notes.filter { !$0.isEmpty }.joined(separator: " "),
      head: columns.map { Cell(text: head($0), style: isFigure($0, in: part.name) ? "n" : "") },
      rows: zip(shown.indices, table).flatMap { [$1] + (totals[$0] ?? []) }, empty: words(report.emptyText),
      folded: view.isFolded ? words("rows.count", ["count": "\(shown.count)"], counting: shown.count) : nil)
  }

  /// Returns the lines of totals behind rows of the coverage in units: of each period, and of all periods. They are the sums of the
  /// headline, without provisional days.
  private func coverageTotals(_ columns: [String], _ rows: ArraySlice<ReportRecord>) throws -> [Int: [Row]] {
    let sums = try report.coverage()
    let periods = try rows.map { try $0.text("fiscal_period") }
    var totals: [Int: [Row]] = [:]
    for (index, period) in zip(rows.indices, periods) where sums.periods.contains(period) {
      guard index + 1 == rows.endIndex || periods[index + 1 - rows.startIndex] != period else { continue }
      totals[index] = [coverageTotal(columns, period, sums.counts(of: period))]
    }
    if let last = rows.indices.last, !totals.isEmpty {
      totals[last, default: []].append(coverageTotal(columns, words("coverage.all_periods"), CoverageSums.Part.allCases.map(sums.total)))
    }
    return totals
  }

  private func coverageTotal(_ columns: [String], _ period: String, _ counts: [Int128]) -> Row {
    let cells = columns.map { column in
      switch column {
      case "fiscal_period": Cell(text: period)
      case "currency": Cell(text: words("coverage.all_currencies"))
      case "units": Cell.number(counts.reduce(0, +))
      default: CoverageSums.Part.allCases.firstIndex { $0.rawValue == column }.map { Cell.number(counts[$0]) } ?? Cell(text: "")
      }
    }
    return Row(cells, style: "sum")
  }

  /// Separates columns with a figure or text in some row from columns of figures without any.
  private func split(
    _ all: [String], rows: ArraySlice<ReportRecord>, in table: String
  ) throws -> (shown: [String], empty: [String]) {
    let shown = try all.filter { column in
      try rows.contains { row in try isFigure(column, in: table) ? !FigureRows.isZero(row.text(column)) : row[column] != nil }
    }
    return (shown, all.filter { !shown.contains($0) && isFigure($0, in: table) })
  }

  /// States how many rows the page leaves out and where they are; empty for none.
  func more(_ rest: Int, of count: Int, file: String) -> String {
    rest > 0 ? words("tieout.more", ["count": "\(count - rest)", "all": "\(count)", "file": "\(file).csv"]) : ""
  }

  func cell(
    _ column: String, _ row: ReportRecord, in table: String, below: String?, command: FigureCommand?
  ) throws -> Cell {
    let isFigure = isFigure(column, in: table)
    let text = try row.text(column)
    let isZero = isFigure && FigureRows.isZero(text)
    var shown = try Cell(
      text: isZero ? "·" : formatted(text, column, row, in: table), small: isZero ? "" : below.map { try small($0, row, in: table) } ?? "",
      style: isFigure ? (isZero ? "n zero" : "n") : columns.word(column, in: table).kind == .date ? "fix" : "")
    if column == "unexplained_units" || column.hasPrefix("diff"), isFigure, !isZero { shown.style = "n alarm" }
    if let command, isFigure { shown = try shown.rows(command, row, column) }
    if column == "cell_id", !text.isEmpty { shown.link = header.console?.rows(CellRows.word, text, asOf: header.asOf) }
    return shown
  }

  private func small(_ column: String, _ row: ReportRecord, in table: String) throws -> String {
    try column.hasSuffix("_percent") ? row.text(column) + "\u{A0}%" : formatted(row.text(column), column, row, in: table)
  }

  func head(_ column: String) -> String {
    let name = column.hasSuffix("_milliunits") ? String(column.dropLast("_milliunits".count)) : column
    let text = words.name("money", name, otherwise: name.replacing("_", with: " "))
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Maximum number of characters of a text in a cell. Longer texts end in `…`; the CSV contains all.
  private static let textMax = 90

  /// Formats a cell for readers: amounts and rates by their units, and composed texts in the language of the report.
  private func formatted(_ text: String, _ column: String, _ row: ReportRecord, in table: String) throws -> String {
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
    if column == "type" { return words.name("product_type", text) }
    if word.kind == .datetime { return ReportPage.minute(text) }
    let translated = Self.named.contains(column) ? named(text) : text
    return translated.count > Self.textMax ? translated.prefix(Self.textMax) + "…" : translated
  }

  /// Returns the words for one or more codes, separated by blanks; other texts stay.
  private func named(_ text: String) -> String {
    let whole = words(.code(text))
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard whole == text, parts.allSatisfy({ $0.first?.isNumber == true || words.texts["word.\($0)"] != nil }) else { return whole }
    return parts.map { words(.code(String($0))) }.joined(separator: " ")
  }

  /// Columns with codes.
  private static let named: Set = [
    "label", "section", "cause", "likely", "holds", "metric", "formula", "scope", "proceeds_basis",
    "entry", "event", "account", "policy", "history", "revenue_basis",
  ]

  private func isFigure(_ column: String, in table: String) -> Bool {
    [.integer, .number].contains(columns.word(column, in: table).kind)
  }
}

extension FinancialTable {
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
