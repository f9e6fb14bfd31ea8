public import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Reports
internal import Review

extension RuleList: ExpressibleByArgument {}
extension RuleSubject: ExpressibleByArgument {}

struct ListsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists", abstract: "Keeps the allow, block, tester and family lists.",
    subcommands: [Add.self, Remove.self, List.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all entries, with how they stand.")
    @OptionGroup var list: ListOptions
    func run() async throws { try await list.write(.lists) }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Puts a user, device, order, charge or chain on a list.")
    @Argument(help: "allow, block, tester or family.") var list: RuleList
    @Argument(help: "user, device, order, charge or chain (an original transaction id).") var subject: RuleSubject
    @Argument(help: "Its id.") var id: String
    @Option(help: "Who answers for the entry.") var owner: String
    @Option(help: "Why it is there.") var reason: String
    @Option(
      help: "When it ends: an RFC 3339 instant with offset; what testers and households bought before it stays covered.",
      transform: Timestamp.option)
    var until: Timestamp
    @Option(help: "When it begins (default: the clock); what was bought before is not covered.", transform: Timestamp.option)
    var from: Timestamp?
    @Option(help: "Name of the household, on the family list.") var family: String?
    @Option(help: "The one rule that is allowed, on the allow list (default: all).") var rule: String?
    @OptionGroup var options: JobOptions

    func run() async throws {
      var entry = ListEntry(list: list, subject: subject, id: id, owner: owner, reason: reason, until: until)
      entry.from = from
      entry.family = family
      entry.rule = rule
      let context = try await options.context(label: "lists", createsCluster: false)
      let isNew = try await ListJob(context: context).add(entry)
      Output.write(line: isNew ? "lists: added" : "lists: was there already")
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Takes an entry off its list; it stays on record, and what a tester or a household bought before stays covered.")
    @Argument(help: "Id of the entry, or its beginning.") var id: String
    @Option(help: "Who takes it off.") var owner: String
    @Option(help: "Why.") var reason: String
    @Flag(help: "It should never have been there: it covers nothing, not even what was bought before.") var mistaken = false
    @OptionGroup var options: JobOptions
    func run() async throws {
      let (context, whole) = try await options.resolving(id, .listEntry, label: "lists")
      try await ListJob(context: context).remove(whole, by: owner, reason: reason, isMistake: mistaken)
      Output.write(line: "lists: removed")
    }
  }
}
