internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Reports

extension Desk {
  /// The rows behind a figure of a report, as it was known at the report's clock.
  ///
  /// - Parameter name: table of the report; `tieout` for a cell of the tie-out.
  func figure(_ name: String, _ query: Form) async throws -> Page {
    try checkSeesAll()
    let (cell, clock) = (query["cell"], try self.clock(query["as_of"]))
    try Self.checkLength(cell, ConsoleLimits.addressCharactersMax, "The address of a figure")
    let looking = context.looking(at: clock)
    var page: Page
    if name == CellRows.word {
      page = try await cellPage(cell, looking)
    } else {
      guard let table = FigureTable(rawValue: name) else { throw ConsoleFault.notThere }
      page = cell.isEmpty ? try await figures(of: table, looking) : try await rowsPage(table, cell, query, looking)
    }
    page.subtitle += "as of \(clock.rfc3339)"
    page.fields["back"] = cell.isEmpty ? "/runs" : "/rows/\(name)?as_of=\(Form.encoded(clock.rfc3339))"
    if name == CellRows.word { page.fields["back"] = "/rows/coverage?as_of=\(Form.encoded(clock.rfc3339))" }
    // Orders and users stand there.
    try await viewed("rows", [.text("table", name), .text("as_of", clock.rfc3339)])
    return page
  }

  /// The clock that is asked for; this moment for none.
  private func clock(_ text: String) throws -> Timestamp {
    guard !text.isEmpty else { return context.asOf }
    guard let clock = Timestamp(rfc3339: text), clock <= context.asOf else {
      throw ConsoleFault(status: .badRequest, message: "The clock of a report is an instant that has passed, such as 2026-05-01T00:00:00Z.")
    }
    return clock
  }

  private func figures(of table: FigureTable, _ context: JobContext) async throws -> Page {
    let (list, count) = try await FigureRows(context: context, table: table).list()
    var page = Page(title: "Figures of \(table.rawValue)", visit: visit, subtitle: "Those that are not 0, ")
    let shown = ReportTable(columns: list.columns, isNumeric: list.isNumeric, rows: Array(list.rows.prefix(ConsoleLimits.figuresMax)))
    let more = count > shown.rows.count ? "The first \(shown.rows.count) of \(count)." : ""
    let links = Links(table: table.rawValue, clock: context.asOf.rfc3339)
    page.sections = [Section("Figures", shown, note: more, empty: "Every figure is 0.", links: links)]
    return page
  }

  private func rowsPage(_ table: FigureTable, _ cell: String, _ query: Form, _ context: JobContext) async throws -> Page {
    let skipped = Int(query["after"]) ?? 0
    guard (0...ConsoleLimits.rowsSkippedMax).contains(skipped) else {
      throw ConsoleFault(status: .badRequest, message: "A page of rows begins after 0 to \(ConsoleLimits.rowsSkippedMax) of them.")
    }
    let part = try await FigureRows(context: context, table: table)
      .part(cell, skipping: skipped, rows: ConsoleLimits.cardRows)
    var page = Page(title: "Rows of \(table.rawValue)", visit: visit, subtitle: "\(cell), ")
    let sum = part.sum.map { ", which add up to \($0.text)" } ?? ""
    let count = "\(part.count) row\(part.count == 1 ? "" : "s")"
    var section = Section(
      "Rows", part.table, note: "\(count)\(part.count == 0 ? "" : sum); the last column is what each adds.",
      empty: "It is 0 and has no rows.", isCompact: true, 
      links: Links(hasEvidence: table == .quarantine, clock: context.asOf.rfc3339))
    let next = skipped + part.table.rows.count
    if next < part.count { section.more = Self.address("/rows/\(table.rawValue)", query, keeping: ["cell", "as_of"], after: "\(next)") }
    page.sections = [section]
    return page
  }

  private func cellPage(_ cell: String, _ context: JobContext) async throws -> Page {
    let (head, rows) = try await CellRows(context: context).table(cell: cell)
    var page = Page(title: "Cell of the tie-out", visit: visit, subtitle: "\(cell), ")
    var told = Section("What it came to")
    told.lines = head.joined(separator: "\n")
    let shown = ReportTable(columns: rows.columns, isNumeric: rows.isNumeric, rows: Array(rows.rows.prefix(ConsoleLimits.cardRows)))
    let more = rows.rows.count > shown.rows.count ? "The first \(shown.rows.count) of \(rows.rows.count)." : ""
    page.sections = [
      told, Section("Charges and lines", shown, note: more, empty: "It has none.", isCompact: true, links: Links(hasEvidence: false)),
    ]
    return page
  }
}
