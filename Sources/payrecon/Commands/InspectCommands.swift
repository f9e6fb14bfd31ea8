internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Jobs

/// Shows breaks.
struct BreaksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "breaks", abstract: "Lists breaks, shows one, or lists what is still in its grace time.",
    subcommands: [List.self, Show.self, Pending.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists breaks as CSV.")
    @OptionGroup var wanted: ListOptions
    @OptionGroup var options: JobOptions

    /// PRODUCT's words for how a break stands.
    private static let statuses = [
      "new", "persisting", "accepted", "dismissed", "written_off", "resolved", "reopened",
    ]

    func validate() throws { try wanted.check(statuses: Self.statuses) }

    func run() async throws { try await write(.breaks, options, filter: wanted.filter(classes: "class", apps: "bundle_id")) }
  }

  struct Pending: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists differences inside their grace time, with the instant each becomes a break.")
    @OptionGroup var options: JobOptions
    func run() async throws { try await write(.pending, options) }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows one break and how it was decided.")
    @Argument(help: "Break id.") var id: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "breaks", makes: false)
      Output.write(line: try await ExplainJob(context: context).explain(id))
    }
  }
}

private func write(_ list: ExportList, _ options: JobOptions, filter: RowFilter = RowFilter()) async throws {
  let context = try await options.context(label: "breaks", makes: false)
  _ = try await ExportJob(context: context).run(list, format: .csv, filter: filter) { bytes in try Output.tryWrite(bytes) }
}

/// Answers support's question: what happened to this?
struct LookupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup",
    abstract: "Shows everything known about an order id, a transaction id or Apple's order number; asks Apple when nothing is.")

  @Argument(help: "Order id, transaction id, charge id, break id or evidence hash.")
  var id: String

  @Flag(help: "Write the bytes of a piece of evidence, given its hash, as Apple signed them.")
  var raw = false

  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "lookup", makes: false)
    if raw {
      Output.write(try await ExplainJob(context: context).evidenceBytes(id))
      return
    }
    let job = LookupJob(
      context: context,
      access: try Environment.storeAccess(context))
    Output.write(line: try await job.run(id))
  }
}

/// Lists, retries and discards input that could not be taken.
struct DeadletterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadletter", abstract: "Lists parked input, tries it again, or discards it with a reason.",
    subcommands: [List.self, Retry.self, Discard.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists parked items as CSV.")
    @OptionGroup var options: JobOptions
    func run() async throws { try await write(.parked, options) }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Reads parked items again; what is taken leaves the list.")
    @Argument(help: "Ids of parked items; none: all that are open.") var ids: [String] = []
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "deadletter", makes: false)
      let tally = try await DeadletterJob(context: context, actor: Environment.account()).retry(ids: ids)
      Output.write(line: "deadletter: retried \(tally.input), taken \(tally.accepted + tally.repeated), still parked \(tally.parked)")
    }
  }

  struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Takes parked items off the list; their bytes stay.")
    @Argument(help: "Ids of parked items.") var ids: [String]
    @Option(help: "Why they are discarded.") var reason: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "deadletter", makes: false)
      let count = try await DeadletterJob(context: context, actor: Environment.account()).discard(ids: ids, reason: reason)
      Output.write(line: "deadletter: discarded \(count)")
    }
  }
}
