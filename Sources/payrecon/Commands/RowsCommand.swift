internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Logging
internal import Reports

/// Leads from a figure of a report to its rows.
struct RowsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows", abstract: "Shows the rows behind a figure.", subcommands: [Tieout.self, Coverage.self])

  struct Tieout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows the charges and Apple's lines of a cell of the tie-out.",
      discussion: "What the cell came to goes to standard error, the rows to standard output.")

    @Argument(help: "Cell id, as payrecon export cells and breaks name it.")
    var cell: String

    @OptionGroup var wanted: ListLimit
    @OptionGroup var form: ListFormat
    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "rows", makes: false)
      let whole = try await IDResolver(context: context).whole(cell, among: [.cell])
      let outcome = try await CellRows(context: context).run(cell: whole, format: form.chosen, filter: wanted.filter)
      for line in outcome.head { context.log.notice("\(line)") }
      try Output.tryWrite(outcome.rows)
    }
  }

  struct Coverage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Shows the cells that add up to a figure of the coverage.",
      discussion: "The column value of the rows adds up to the figure. A cell's own rows: payrecon rows tieout CELL.")

    @Argument(help: "PERIOD/CURRENCY/COLUMN of coverage.csv, such as 2026-P11/USD/unexplained_units; or its first parts, for all below.")
    var figure: String

    @OptionGroup var wanted: ListLimit
    @OptionGroup var form: ListFormat
    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "rows", makes: false)
      try await CoverageRows(context: context).run(figure: figure, format: form.chosen, filter: wanted.filter) { bytes in
        try Output.tryWrite(bytes)
      }
    }
  }
}
