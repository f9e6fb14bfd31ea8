internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Ingest
internal import JobCore

struct DeadletterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadletter", abstract: "Lists parked input, tries it again, or discards it with a reason.",
    subcommands: [List.self, Retry.self, Discard.self], defaultSubcommand: List.self)

  private static func known(_ ids: [String], _ context: JobContext) async throws -> [String] {
    try await IDResolver(context: context).existing(ids, .parked, hint: "Parked items are listed by: payrecon deadletter list.")
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists parked items.")
    @OptionGroup var list: ListOptions
    func run() async throws { try await list.write(.parked) }
  }

  struct Retry: AsyncParsableCommand {
    /// Note about a cut file whose end was retried or discarded by id.
    static let namedEnd = "nights no longer wait for what came after the end of this cut file"

    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: "Reads parked items again; what is taken leaves the list.")
    @Argument(help: "Ids of parked items, or their beginnings; none: all that are open, but the ends of cut files.")
    var ids: [String] = []
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "deadletter", createsCluster: false)
      try await Environment.requireSettings(for: "deadletter retry", of: context)
      let whole = try await DeadletterCommand.known(ids, context)
      let job = ParkedItemsJob(context: context, actor: Environment.account())
      let before = try await job.truncatedRecords(ids: whole)
      let tally = try await job.retry(ids: whole)
      let left = try await job.truncatedRecords(ids: whole)
      Output.write(line: "deadletter: retried \(tally.input), taken \(tally.input - tally.parked), still parked \(tally.parked)")
      for end in before { Output.writeError("payrecon: \(left.contains(end) ? "left alone" : Self.namedEnd): \(end)") }
    }
  }

  struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "discard", abstract: "Takes parked items off the list; their bytes stay.")
    @Argument(help: "Ids of parked items, or their beginnings.") var ids: [String]
    @Option(help: "Why they are discarded.") var reason: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "deadletter", createsCluster: false)
      let whole = try await DeadletterCommand.known(ids, context)
      let job = ParkedItemsJob(context: context, actor: Environment.account())
      let truncatedRecords = try await job.truncatedRecords(ids: whole)
      let count = try await job.discard(ids: whole, reason: reason)
      Output.write(line: "deadletter: discarded \(count)")
      for end in truncatedRecords { Output.writeError("payrecon: \(Retry.namedEnd): \(end)") }
    }
  }
}
