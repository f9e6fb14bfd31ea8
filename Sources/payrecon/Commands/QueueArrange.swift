internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Review

/// Applies an arrangement to a case and prints the result.
private func arrange(
  _ id: String, _ mark: CaseMark, _ person: PersonOptions, _ options: JobOptions, reason: String = "", done: String
) async throws {
  let (context, whole) = try await options.resolving(id, .caseID, label: "queue")
  try await CaseJob(context: context).mark(whole, mark, by: person.value, reason: reason)
  Output.write(line: "queue: \(done)")
}

extension QueueCommand {
  struct Snooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sets a case aside: nobody is given it before an instant, unless something new comes to it.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Option(help: "When it comes back, RFC 3339; within 90 days.", transform: Timestamp.option) var until: Timestamp
    @Option(help: "Why.") var reason: String
    @OptionGroup var person: PersonOptions
    @OptionGroup var options: JobOptions

    func run() async throws {
      try await arrange(id, .snooze(until: until), person, options, reason: reason, done: "set aside until \(until.rfc3339)")
    }
  }

  struct Wake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Takes a case back that was set aside.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @OptionGroup var person: PersonOptions
    @OptionGroup var options: JobOptions
    func run() async throws { try await arrange(id, .wake, person, options, done: "it waits again") }
  }

  struct Assign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Gives a case to somebody, who gets it first; whoever names its id can take it all the same.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Argument(help: "Account of the console or login of the database (default: nobody any more).") var name: String?
    @OptionGroup var person: PersonOptions
    @OptionGroup var options: JobOptions
    func run() async throws {
      try await arrange(id, .assign(to: name), person, options, done: name.map { "it is for \($0)" } ?? "it is nobody's")
    }
  }

  struct Follow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists a case among those that this account follows.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Flag(help: "Follow it no longer.") var end = false
    @OptionGroup var person: PersonOptions
    @OptionGroup var options: JobOptions
    func run() async throws {
      try await arrange(id, .follow(!end), person, options, done: end ? "followed no longer" : "followed")
    }
  }
}
