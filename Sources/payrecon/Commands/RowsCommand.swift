internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Logging
internal import Reports

struct RowsCommand: AsyncParsableCommand {
  /// Sources of figures: report tables and the cells of the tie-out.
  enum Source: ExpressibleByArgument, CaseIterable {
    case table(FigureTable)
    case cells

    static let allCases = FigureTable.allCases.map(Source.table) + [.cells]

    init?(argument: String) {
      guard let found = Self.allCases.first(where: { $0.word == argument }) else { return nil }
      self = found
    }

    var word: String {
      switch self {
      case .table(let table): table.rawValue
      case .cells: CellRows.word
      }
    }

    static var allValueStrings: [String] { allCases.map(\.word) }
  }

  static let configuration = CommandConfiguration(
    commandName: "rows", abstract: "Shows the rows behind a figure of a report.",
    discussion: """
      A figure is named by its table, as the CSV is, and its address in it: the cells that name its row, then its column, with - for an \
      empty cell and %2F for a slash in one. The column value of the rows adds up to the figure. The first parts of an address show the \
      rows of all figures below; no address lists the figures that are not 0. Tables and addresses:

      \(FigureTable.allCases.map { "payrecon rows \($0.rawValue) \($0.form)\n  such as \($0.example)" }.joined(separator: "\n"))
      payrecon rows \(CellRows.word) CELL
        charges and lines of Apple's in a cell of the tie-out; what it came to goes to standard error
      """)

  @Argument(help: ArgumentHelp("Table of a report.", valueName: "report"))
  var source: Source

  @Argument(help: ArgumentHelp("Address of a figure, its first parts, or a cell id.", valueName: "cell"))
  var address: String?

  @Option(help: ArgumentHelp("Show figures as signed in the close of this fiscal period.", valueName: "period"))
  var signed: String?

  @OptionGroup var list: ListOptions

  func run() async throws {
    var context = try await list.options.context(label: "rows", createsCluster: false)
    if let signed { context = try await PeriodStatus(context: context).signedContext(of: signed) }
    switch (source, address) {
    case (.cells, let cell?): try await showCell(cell, context)
    case (.cells, nil):
      throw JobError(
        "could not list the cells of the tie-out here", hint: "Cells and their ids are in payrecon export cells.", status: .usage)
    case (.table(let table), let address?):
      let rows = FigureRows(context: context, table: table)
      let isThere = try await rows.run(address, format: list.format, filter: list.filter) { try Output.tryWrite($0) }
      if !isThere { context.log.notice("\(table.rawValue) \(address) is 0 and has no rows") }
    case (.table(let table), nil):
      let (figures, count) = try await FigureRows(context: context, table: table).list()
      let shown = figures.rows.count
      if shown < count { context.log.warning("these are the first \(shown) of \(count) figures; the report's CSV has all") }
      try list.write(figures)
    }
  }

  private func showCell(_ cell: String, _ context: JobContext) async throws {
    let whole = try await IDResolver(context: context).completed(cell, among: [.cell])
    let (head, rows) = try await CellRows(context: context).table(cell: whole)
    let bytes = try list.filter.bytes(of: rows, as: list.format)
    for line in head { context.log.notice("\(line)") }
    try Output.tryWrite(bytes)
  }
}
