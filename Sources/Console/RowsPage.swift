internal import Domain
internal import JobCore
internal import Reports
internal import Wording

extension CaseController {
  /// Returns the rows behind a figure of a report's table, or of the `tieout`, as known at the report's clock.
  func figure(_ name: String, _ query: Form) async throws -> Page {
    try checkSeesAll()
    let cell = query["cell"]
    var clock = try self.clock(query["as_of"])
    try Self.checkLength(cell, ConsoleLimits.addressCharactersMax, "term.figure")
    let clockContext = context.withGivenClock(clock)
    var page: Page
    if name == CellRows.word {
      page = try await cellPage(cell, clockContext)
    } else {
      guard let table = FigureTable(rawValue: name) else { throw ConsoleFault.notThere }
      let counted = try await cell.isEmpty ? figures(of: table, query, clockContext) : rows(table, query, clockContext)
      clock = counted.asOf
      page = cell.isEmpty ? figuresPage(of: table, counted) : rowsPage(table, query, counted)
    }
    page.subtitle = page.subtitle + Phrase("rows.as_of", ["at": .plain(clock.rfc3339)])
    let list = name == CellRows.word ? FigureTable.coverage.rawValue : cell.isEmpty ? nil : name
    page.back = list.map { "/rows/\($0)?as_of=\(PercentEncoding.of(clock.rfc3339))" } ?? "/runs"
    // The rows name orders and users.
    try await viewed("rows", [.text("table", name), .text("as_of", clock.rfc3339)])
    return page
  }

  private func clock(_ text: String) throws -> Timestamp {
    guard !text.isEmpty else { return context.asOf }
    guard let clock = Timestamp(rfc3339: text), clock <= context.asOf else { throw ConsoleFault.invalid("fault.clock") }
    return clock
  }

  private func figures(of table: FigureTable, _ query: Form, _ context: JobContext) async throws -> Figures.Counted {
    try await Figures.shared.figures("rows \(table.rawValue) \(query["as_of"])", .rows) {
      let (list, count) = try await FigureRows(context: context, table: table).list()
      return Figures.Counted(tables: [list], all: count, asOf: context.asOf)
    }
  }

  /// Returns one page of a figure's rows, with their total count and sum. Slow rows may come from the cache.
  private func rows(_ table: FigureTable, _ query: Form, _ context: JobContext) async throws -> Figures.Counted {
    let (cell, skipped) = (query["cell"], Int(query["after"]) ?? 0)
    guard (0...ConsoleLimits.rowsSkippedMax).contains(skipped) else {
      throw ConsoleFault.invalid(Phrase("fault.skipped", ["max": .plain("\(ConsoleLimits.rowsSkippedMax)")]))
    }
    return try await Figures.shared.figures("rows \(table.rawValue) \(query["as_of"]) \(skipped) \(cell)", .rows) {
      let part = try await FigureRows(context: context, table: table).part(cell, skipping: skipped, rows: ConsoleLimits.cardRows)
      return Figures.Counted(tables: [part.table], all: part.count, sum: part.sum?.text, asOf: context.asOf)
    }
  }

  private func figuresPage(of table: FigureTable, _ counted: Figures.Counted) -> Page {
    let list = counted.tables[0]
    var page = Page(
      title: Phrase("rows.figures_of", ["table": .plain(table.rawValue)]), visit: visit, subtitle: "rows.not_zero" + .plain(", "))
    let shown = ReportTable(columns: list.columns, isNumeric: [false, true], rows: Array(list.rows.prefix(ConsoleLimits.figuresMax)))
    let more = Self.first(shown.rows.count, of: counted.all)
    let links = Links(table: table.rawValue, clock: counted.asOf.rfc3339)
    page.sections = [Section("rows.figures", shown, note: more, empty: "rows.all_zero", links: links)]
    return page
  }

  private func rowsPage(_ table: FigureTable, _ query: Form, _ counted: Figures.Counted) -> Page {
    let (shown, all) = (counted.tables[0], counted.all)
    var page = Page(title: Phrase("rows.title", ["table": .plain(table.rawValue)]), visit: visit, subtitle: .plain("\(query["cell"]), "))
    let count = Phrase("rows.count", ["count": .plain("\(all)")], counting: all)
    let sum = all == 0 ? nil : counted.sum.map { Phrase("rows.sum", ["count": count, "sum": .plain($0)]) }
    var section = Section(
      "rows.rows", shown, note: Phrase("rows.note", ["rows": sum ?? count]), empty: "rows.none", isCompact: true,
      links: Links(hasEvidence: table == .quarantine, clock: counted.asOf.rfc3339))
    let next = (Int(query["after"]) ?? 0) + shown.rows.count
    if next < all { section.more = Self.address("/rows/\(table.rawValue)", query, keeping: ["cell", "as_of"], after: "\(next)") }
    page.sections = [section]
    return page
  }

  private func cellPage(_ cell: String, _ context: JobContext) async throws -> Page {
    let (head, rows) = try await CellRows(context: context).table(cell: cell)
    var page = Page(title: "cell.title", visit: visit, subtitle: .plain("\(cell), "))
    let summary = Section("cell.came_to", lines: .list(head, separator: "\n"))
    let shown = ReportTable(columns: rows.columns, isNumeric: rows.isNumeric, rows: Array(rows.rows.prefix(ConsoleLimits.cardRows)))
    let more = Self.first(shown.rows.count, of: rows.rows.count)
    page.sections = [
      summary, Section("cell.parts", shown, note: more, empty: "cell.none", isCompact: true, links: Links(hasEvidence: false)),
    ]
    return page
  }

  /// Returns a note that a table shows only its first rows; empty if the table is complete.
  static func first(_ shown: Int, of count: Int) -> Phrase {
    guard count > shown else { return .plain("") }
    return Phrase("note.first_of", ["count": .plain("\(shown)"), "all": .plain("\(count)")])
  }
}
