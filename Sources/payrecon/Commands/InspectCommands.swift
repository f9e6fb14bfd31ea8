internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Ingest
internal import JobCore
internal import Jobs
internal import Matching
internal import Reports

struct BreaksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "breaks", abstract: "Lists breaks, shows one, or lists what is still in its grace time.",
    subcommands: [List.self, Show.self, Pending.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists breaks.")
    @OptionGroup var wanted: ListOptions
    @OptionGroup var form: ListFormat
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
      abstract: "Lists differences inside their grace time, with the instant each becomes a break.")
    @OptionGroup var wanted: ListLimit
    @Option(name: .customLong("class"), help: "Break class; may be given several times.") var classes: [String] = []
    @Option(help: "Bundle id; may be given several times.") var app: [String] = []
    @OptionGroup var form: ListFormat
    @OptionGroup var options: JobOptions

    func run() async throws {
      var filter = wanted.filter
      filter.want(classes.map { $0.uppercased() }, in: "class")
      filter.want(app, in: "bundle_id")
      try await form.write(.pending, options, filter: filter, classes: classes, apps: app)
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows one break and how it was decided.")
    @Argument(help: "Break id, or its beginning.") var id: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let (context, whole) = try await options.resolving(id, .breakID, label: "breaks")
      Output.write(line: try await ExplainJob(context: context).explain(whole))
    }
  }
}

struct LookupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup",
    abstract: "Shows everything known about an id of any kind; asks Apple when nothing is.",
    discussion: "The beginning of an id is enough where no other id begins so. A user, a token or a device is shown with its "
      + "orders and the charges each has.")

  @Argument(help: "Order, transaction, charge, break, signal, user, app account token, device, evidence hash or Apple's order number.")
  var id: String

  @Flag(help: "Write the bytes of evidence, given its hash, as Apple signed them.")
  var raw = false

  @Option(help: "text or json (default: text).") var format = Form.text

  enum Form: String, CaseIterable, ExpressibleByArgument { case text, json }

  @OptionGroup var options: JobOptions

  /// Note about evidence without a signature.
  private static let rowNote = "a row without a signature is hashed behind the hash of what it lies in, which lookup --raw writes as well:"

  func run() async throws {
    let context = try await options.context(label: "lookup", createsCluster: false)
    if raw {
      let hash = try await IDResolver(context: context).whole(id, among: [.evidence])
      let (bytes, container) = try await ExplainJob(context: context).hashedText(hash)
      Output.write(bytes)
      if let container { Output.writeError("payrecon: \(Self.rowNote) \(container)") }
      return
    }
    let job = LookupJob(context: context, access: try Environment.storeAccess(context))
    Output.write(line: try await format == .json ? job.json(id) : job.run(id))
  }
}

struct DeadletterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadletter", abstract: "Lists parked input, tries it again, or discards it with a reason.",
    subcommands: [List.self, Retry.self, Discard.self], defaultSubcommand: List.self)

  private static func known(_ ids: [String], _ context: JobContext) async throws -> [String] {
    try await IDResolver(context: context).known(ids, .parked, hint: "Parked items are listed by: payrecon deadletter list.")
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists parked items.")
    @OptionGroup var list: ListArguments
    func run() async throws { try await list.write(.parked) }
  }

  struct Retry: AsyncParsableCommand {
    /// Note about a cut file whose end was retried or discarded by id.
    static let namedEnd = "nights no longer wait for what came after the end of this cut file"

    static let configuration = CommandConfiguration(abstract: "Reads parked items again; what is taken leaves the list.")
    @Argument(help: "Ids of parked items, or their beginnings; none: all that are open, but the ends of cut files.")
    var ids: [String] = []
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "deadletter", createsCluster: false)
      try await Environment.requireSettings(for: "deadletter retry", of: context)
      let whole = try await DeadletterCommand.known(ids, context)
      let job = DeadletterJob(context: context, actor: Environment.account())
      let before = try await job.truncatedRecords(ids: whole)
      let tally = try await job.retry(ids: whole)
      let left = try await job.truncatedRecords(ids: whole)
      Output.write(line: "deadletter: retried \(tally.input), taken \(tally.accepted + tally.repeated), still parked \(tally.parked)")
      for end in before { Output.writeError("payrecon: \(left.contains(end) ? "left alone" : Self.namedEnd): \(end)") }
    }
  }

  struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Takes parked items off the list; their bytes stay.")
    @Argument(help: "Ids of parked items, or their beginnings.") var ids: [String]
    @Option(help: "Why they are discarded.") var reason: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "deadletter", createsCluster: false)
      let whole = try await DeadletterCommand.known(ids, context)
      let job = DeadletterJob(context: context, actor: Environment.account())
      let truncatedRecords = try await job.truncatedRecords(ids: whole)
      let count = try await job.discard(ids: whole, reason: reason)
      Output.write(line: "deadletter: discarded \(count)")
      for end in truncatedRecords { Output.writeError("payrecon: \(Retry.namedEnd): \(end)") }
    }
  }
}
