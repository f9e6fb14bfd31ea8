public import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Review

extension CaseAction: ExpressibleByArgument {}
extension CaseOutcome: ExpressibleByArgument {}

struct PersonOptions: ParsableArguments {
  @Option(help: "A name to go by (default: your login of the database, which is recorded beside it and alone counts).")
  var person: String?

  var value: Person { Person(name: person) }
}

struct ActingOptions: ParsableArguments {
  @OptionGroup var name: PersonOptions
  @OptionGroup var options: JobOptions

  var person: Person { name.value }
}

/// Consent options for punishing actions.
struct AppleOptions: ParsableArguments {
  @Option(help: "Goes on although Apple says otherwise: what the refusal named.") var appleSeen: String = ""
  @Flag(help: "Goes on although Apple could not be asked; this is recorded.") var unasked = false

  var consent: AppleConsent { AppleConsent(seen: appleSeen, acceptsMissingRecord: unasked) }

  static func job(_ context: JobContext) -> CaseJob { CaseJob(context: context, stateSource: Environment.appleStateSource(context)) }

  /// Converts a mismatch into an error message with the options that override it.
  static func namingOptions<Result>(_ work: () async throws -> Result) async throws -> Result {
    do { return try await work() } catch let mismatch as AppleRecordMismatch {
      let seen = mismatch.check.seen
      let options = [seen.isEmpty ? nil : "--apple-seen \(seen)", mismatch.check.missingReason == nil ? nil : "--unasked"]
      throw JobError(
        "could not go on, nothing was done: \(mismatch)",
        hint: "To go on all the same: \(options.compactMap(\.self).joined(separator: " ")).")
    }
  }
}

struct ConclusionOptions: ParsableArguments {
  @Argument(help: "Case id, or its beginning.") var id: String
  @Option(help: "Proposal, as queue show names it; another one is refused.") var proposal: String?
  @Option(help: "Why.") var reason: String
  @OptionGroup var acting: ActingOptions

  func run(_ conclusion: CaseJob.Conclusion, _ done: String, apple: AppleOptions? = nil) async throws {
    let (context, whole) = try await acting.options.resolving(id, .caseID, label: "queue")
    let late = try await AppleOptions.namingOptions {
      try await AppleOptions.job(context).conclude(
        whole, conclusion, of: proposal, by: acting.person, reason: reason, consent: apple?.consent ?? AppleConsent())
    }
    Output.write(line: "queue: \(done)")
    for line in CaseJob.Decided.lines(of: late, since: "after it was proposed") { Output.write(line: line) }
  }
}

struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Works off what waits for a person: signals of live rules, and breaks.",
    discussion: """
      What is accepted, dismissed or written off counts no longer until the facts get worse. A ban, a write-off and what \
      is said of an order and a charge (forced_match, unmatch, benign_duplicate) need a second person, who is another \
      login of the database; the next match run honours the latter until it is undone, or decided otherwise. Nothing else \
      is done by itself. \
      Before goods are taken back, somebody is banned or money is written off, Apple is asked again, where the app has a key; \
      what it says otherwise than the case rests on is shown first.
      """,
    subcommands: [
      List.self, Work.self, Show.self, Take.self, Decide.self, Approve.self, Reject.self, Withdraw.self, Release.self, Undo.self,
      Snooze.self, Wake.self, Assign.self, Follow.self, Attach.self, Attachments.self, Answered.self,
    ], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists what waits, best first.")
    @OptionGroup var wanted: RowFilterOptions
    @Option(help: "Abuse rule, such as R01; may be given several times.") var rule: [String] = []
    @OptionGroup var form: FormatOptions
    @OptionGroup var options: JobOptions

    func validate() throws { try wanted.check(statuses: ["open", "taken", "waiting_approval"]) }

    func run() async throws {
      let context = try await options.context(label: "queue", createsCluster: false)
      try RowFilterOptions.check(wanted.classes, "--class", in: context)
      try RowFilterOptions.check(rule, "--rule", in: context)
      RowFilterOptions.warn(ofApps: wanted.app, in: context)
      var filter = wanted.filter(classes: "names", apps: "bundle_ids")
      filter.want((wanted.classes + rule).map { $0.uppercased() }, in: "names")
      try await context.stream(QueueSQL.list, ["as_of": context.asOfValue], by: filter, as: form.chosen, role: .review) {
        try Output.tryWrite($0)
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one case, its links and what was decided.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let (context, whole) = try await options.resolving(id, .caseID, label: "queue")
      Output.write(line: try await CaseJob(context: context).show(whole))
    }
  }

  struct Take: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "take", abstract: "Takes a case, or the best one that nobody has.")
    @Argument(help: "Case id, or its beginning (default: the best).") var id: String?
    @Option(help: "Minutes until it goes back by itself.") var minutes: Int64 = 60
    @OptionGroup var acting: ActingOptions

    func validate() throws {
      guard (1...10_080).contains(minutes) else { throw ValidationError("--minutes must be from 1 to 10080") }
    }

    func run() async throws {
      let context = try await acting.options.context(label: "queue", createsCluster: false)
      let job = CaseJob(context: context)
      let wanted = try await IDResolver(context: context).completed(id.map { [$0] } ?? [], among: [.caseID]).first
      guard let taken = try await job.take(wanted, by: acting.person, leaseSeconds: minutes * 60) else {
        return Output.write(line: "queue: nothing waits")
      }
      Output.write(line: try await job.show(taken, isFollowing: true))
    }
  }

  struct Decide: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decide", abstract: "Decides a case you have taken, or many alike that nobody else has.")
    @Argument(help: "Case ids, or their beginnings; none where nothing waits of a pair that two people part or join.")
    var ids: [String] = []
    @Option(help: "accept, dismiss, watch, contact, take_back, ban, forced_match, unmatch, benign_duplicate or write_off.")
    var action: CaseAction
    @Option(help: "confirmed, suspected or false_positive (default: confirmed; of a dismissal: false_positive).")
    var outcome: CaseOutcome?
    @Option(help: "Why.") var reason: String
    @Option(help: "The order that is meant (default: all that is undecided).") var order: String?
    @Option(help: "The charge that is meant.") var charge: String?
    @Option(name: .customLong("break"), help: "A break that is meant; may be given several times.") var breaks: [String] = []
    @Option(help: "Until when an acceptance or a dismissal holds, RFC 3339 (default: until the facts change).", transform: Timestamp.option)
    var until: Timestamp?
    @Flag(name: .customLong("dry-run"), help: "Of several cases: says how many would be decided, and decides none.") var isDryRun = false
    @OptionGroup var apple: AppleOptions
    @OptionGroup var acting: ActingOptions

    func validate() throws {
      guard ids.isEmpty else { return }
      guard action.isAboutPair, order != nil, charge != nil, !isDryRun else {
        throw ValidationError("Name a case; without one, --order and --charge of a forced_match, unmatch or benign_duplicate")
      }
    }

    func run() async throws {
      let context = try await acting.options.context(label: "queue", createsCluster: false)
      var decision = CaseDecision(action: action, outcome: outcome, reason: reason)
      let resolver = IDResolver(context: context)
      decision.breakIDs = try await resolver.completed(breaks, among: [.breakID])
      decision.until = until
      if let order { decision.orderID = try await resolver.completed(order, among: [.order]) }
      if let charge { decision.chargeID = try await resolver.completed(charge, among: [.charge]) }
      let cases = try await resolver.completed(ids, among: [.caseID])
      guard !cases.isEmpty else {
        let id = try await CaseJob(context: context).propose(decision, by: acting.person)
        return Output.write(line: "queue: proposed in case \(id), a second person must approve")
      }
      guard cases.count == 1, !isDryRun else { return try await decideMany(cases, decision, context) }
      let decided = try await AppleOptions.namingOptions {
        try await AppleOptions.job(context).decide(cases[0], decision, by: acting.person, consent: apple.consent)
      }
      for line in decided.lines { Output.write(line: line) }
    }

    private func decideMany(_ cases: [String], _ decision: CaseDecision, _ context: JobContext) async throws {
      let outcome = try await AppleOptions.namingOptions {
        try await AppleOptions.job(context).decideMany(cases, decision, by: acting.person, isDryRun: isDryRun, consent: apple.consent)
      }
      if let check = outcome.apple, !AppleConsent().covers(check) { Output.write(line: "queue: \(AppleRecordMismatch(check: check))") }
      let verb = (isDryRun ? "would be " : "") + (action.needsSecondPerson ? "proposed" : "decided")
      let batch = outcome.batchID.map { ", batch \($0)" } ?? ""
      Output.write(line: "queue: \(verb) \(outcome.decidedCount), left \(outcome.left.count)\(batch)")
      for (id, reason) in outcome.left { Output.write(line: "  case \(id): \(reason)") }
    }
  }

  struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "approve", abstract: "Approves what another account proposed.")
    @OptionGroup var conclusion: ConclusionOptions
    @OptionGroup var apple: AppleOptions
    func run() async throws { try await conclusion.run(.approved, "approved", apple: apple) }
  }

  struct Reject: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reject", abstract: "Rejects what another account proposed; the case is open again.")
    @OptionGroup var conclusion: ConclusionOptions
    func run() async throws { try await conclusion.run(.rejected, "rejected") }
  }

  struct Withdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "withdraw", abstract: "Withdraws what this account proposed; the case is open again.")
    @OptionGroup var conclusion: ConclusionOptions
    func run() async throws { try await conclusion.run(.withdrawn, "withdrawn") }
  }

  struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "release", abstract: "Gives a case back undecided.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Option(help: "Why.") var reason: String = ""
    @OptionGroup var acting: ActingOptions
    func run() async throws {
      let (context, whole) = try await acting.options.resolving(id, .caseID, label: "queue")
      try await CaseJob(context: context).release(whole, by: acting.person, reason: reason)
      Output.write(line: "queue: released")
    }
  }

  struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "undo", abstract: "Takes decisions back; cases that went on in the meantime are left and named.")
    @Argument(help: "Case ids, or their beginnings (default: all).") var ids: [String] = []
    @Option(help: "Id of the batch in which they were made, as decide printed it.") var batch: String?
    @Option(help: "Who made or approved the decisions.") var actor: String?
    @Option(help: "Instant from which on they were made, RFC 3339.", transform: Timestamp.option) var since: Timestamp?
    @Option(help: "Why.") var reason: String
    @Flag(name: .customLong("dry-run"), help: "Says what would be undone, and undoes nothing.") var isDryRun = false
    @OptionGroup var acting: ActingOptions

    func validate() throws {
      if ids.isEmpty, since == nil, batch == nil { throw ValidationError("name cases, --batch or --since") }
      if !ids.isEmpty, batch != nil { throw ValidationError("name cases or --batch, not both") }
    }

    func run() async throws {
      let context = try await acting.options.context(label: "queue", createsCluster: false)
      let since = since ?? Timestamp(microseconds: 0)
      let cases = try await cases(context)
      let outcome = try await CaseJob(context: context).undo(
        CaseJob.UndoScope(actor: actor, cases: cases, since: since, batchID: batch), by: acting.person, reason: reason, isDryRun: isDryRun)
      let verb = isDryRun ? "would be undone" : "undone"
      Output.write(line: "queue: \(verb) \(outcome.undoneCount), proposed \(outcome.proposedCount), left \(outcome.left.count)")
      for (caseID, why) in outcome.left { Output.write(line: "  case \(caseID): \(why)") }
    }

    private func cases(_ context: JobContext) async throws -> [String] {
      guard let batch else { return try await IDResolver(context: context).completed(ids, among: [.caseID]) }
      let cases = try await CaseJob(context: context).cases(ofBatch: batch)
      guard !cases.isEmpty else { throw JobError("could not undo: there is no batch \"\(batch)\"", status: .usage) }
      return cases
    }
  }

  struct Answered: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "answered",
      abstract: "Records that Apple's consumption request was answered, or may not be without the customer's consent.")
    @Argument(help: "Transaction id that Apple asked about, or its beginning.") var id: String
    @Option(help: "Its app, where several apps have a transaction of this id.") var bundleID: String?
    @Flag(help: "The customer did not consent, so nothing may be sent.") var noConsent = false
    @Option(help: "Why, or where the answer is.") var reason: String = ""
    @OptionGroup var acting: ActingOptions
    func run() async throws {
      let (context, whole) = try await acting.options.resolving(id, .transaction, label: "queue")
      try await CaseJob(context: context).answered(whole, ofApp: bundleID, isSent: !noConsent, by: acting.person, reason: reason)
      Output.write(line: "queue: recorded")
    }
  }
}

private func arrange(
  _ id: String, _ mark: CaseMark, _ acting: ActingOptions, reason: String = "", done: String
) async throws {
  let (context, whole) = try await acting.options.resolving(id, .caseID, label: "queue")
  try await CaseJob(context: context).mark(whole, mark, by: acting.person, reason: reason)
  Output.write(line: "queue: \(done)")
}

extension QueueCommand {
  struct Snooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "snooze", abstract: "Sets a case aside: nobody is given it before an instant, unless something new comes to it.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Option(help: "When it comes back, RFC 3339; within 90 days.", transform: Timestamp.option) var until: Timestamp
    @Option(help: "Why.") var reason: String
    @OptionGroup var acting: ActingOptions

    func run() async throws {
      try await arrange(id, .snooze(until: until), acting, reason: reason, done: "set aside until \(until.rfc3339)")
    }
  }

  struct Wake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "wake", abstract: "Takes a case back that was set aside.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @OptionGroup var acting: ActingOptions
    func run() async throws { try await arrange(id, .wake, acting, done: "it waits again") }
  }

  struct Assign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "assign", abstract: "Gives a case to somebody, who gets it first; whoever names its id can take it all the same.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Argument(help: "Account of the console or login of the database (default: nobody any more).") var name: String?
    @OptionGroup var acting: ActingOptions
    func run() async throws {
      try await arrange(id, .assign(to: name), acting, done: name.map { "it is for \($0)" } ?? "it is nobody's")
    }
  }

  struct Follow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "follow", abstract: "Lists a case among those that this account follows.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Flag(help: "Follow it no longer.") var end = false
    @OptionGroup var acting: ActingOptions
    func run() async throws { try await arrange(id, .follow(!end), acting, done: end ? "followed no longer" : "followed") }
  }

  struct Attach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "attach", abstract: "Attaches a file to a case, of at most 4 MiB; erased with the person whom the case is about.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Argument(help: "The file.") var file: String
    @OptionGroup var acting: ActingOptions

    func run() async throws {
      let (context, whole) = try await acting.options.resolving(id, .caseID, label: "queue")
      guard let bytes = try LocalFile.contents(file, bytesMax: CaseJob.attachmentBytesMax + 1) else {
        throw JobError("could not read \"\(file)\"", status: .usage)
      }
      let hash = try await CaseJob(context: context).attach(whole, bytes, name: file, by: acting.person)
      Output.write(line: "queue: attached \(hash)")
    }
  }

  struct Attachments: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "attachments", abstract: "Lists the files that are attached to a case, or writes one of them.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Argument(help: "SHA-256 of the file to write to standard output (default: lists them).") var sha256: String?
    @OptionGroup var person: PersonOptions
    @OptionGroup var list: ListOptions

    func run() async throws {
      let (context, whole) = try await list.options.resolving(id, .caseID, label: "queue")
      let job = CaseJob(context: context)
      guard let sha256 else { return try list.write(try await job.attachments(whole)) }
      try Output.tryWrite(try await job.attachment(whole, sha256, by: person.value))
    }
  }
}
