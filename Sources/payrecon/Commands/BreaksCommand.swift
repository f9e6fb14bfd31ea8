internal import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Matching

struct BreaksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "breaks", abstract: "Lists breaks, shows one, or lists what is still in its grace time.",
    subcommands: [List.self, Show.self, Pending.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists breaks.")
    @OptionGroup var wanted: RowFilterOptions
    @OptionGroup var form: FormatOptions
    @OptionGroup var options: JobOptions

    private static let statuses = ["new", "persisting", "accepted", "dismissed", "written_off", "resolved", "reopened"]

    func validate() throws { try wanted.check(statuses: Self.statuses) }

    func run() async throws {
      try await form.write(
        .breaks, options, filter: wanted.filter(classes: "class", apps: "bundle_id"), classes: wanted.classes, apps: wanted.app)
    }
  }

  struct Pending: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pending", abstract: "Lists differences inside their grace time, with the instant each becomes a break.")
    @OptionGroup var wanted: LimitOptions
    @Option(name: .customLong("class"), help: "Break class; may be given several times.") var classes: [String] = []
    @Option(help: "Bundle id; may be given several times.") var app: [String] = []
    @OptionGroup var form: FormatOptions
    @OptionGroup var options: JobOptions

    func run() async throws {
      var filter = wanted.filter
      filter.want(classes.map { $0.uppercased() }, in: "class")
      filter.want(app, in: "bundle_id")
      try await form.write(.pending, options, filter: filter, classes: classes, apps: app)
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one break and how it was decided.")
    @Argument(help: "Break id, or its beginning.") var id: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let (context, whole) = try await options.resolving(id, .breakID, label: "breaks")
      Output.write(line: try await ExplainJob(context: context).explain(whole))
    }
  }
}
