internal import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Review

struct EraseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Forgets a person: a pseudonym takes the place of the user id in our books.",
    discussion: """
      Totals, matches and breaks stay. What Apple signed stays as Apple signed it. A tombstone keeps the user from coming \
      back with a later file. There is no way back.
      """)

  @Option(help: "User id to forget.") var user: String
  @Option(help: "Who answers for it (default: your login of the database, which is recorded beside the name).")
  var actor: String?
  @Option(help: "Why, such as a ticket; must not name the person.") var reason: String
  @Flag(name: .customLong("dry-run"), help: "Counts what would change, and changes nothing.") var isDryRun = false
  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "erase", createsCluster: false)
    let outcome = try await EraseJob(context: context).run(userID: user, by: Person(name: actor), reason: reason, isDryRun: isDryRun)
    let verb = outcome.isRepeated ? "is already" : isDryRun ? "would be" : "is now"
    Output.write(line: "erase: \(verb) \(outcome.pseudonym)")
    for change in outcome.changes where change.count > 0 {
      Output.write(line: "  \(change.table) \(change.count)")
    }
  }
}
