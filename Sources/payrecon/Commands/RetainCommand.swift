internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Review

struct RetainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retain", abstract: "Removes what is only operational and old enough, and forgets people nobody deals with.",
    discussion: """
      "retention" in the settings file names the spans; what it does not name is kept for ever. Evidence, orders, charges, \
      matches, breaks, signals, decisions, runs and the audit chain are never removed. Every page and every person \
      removed enters the audit chain.
      """)

  @Flag(name: .customLong("dry-run"), help: "Counts what would go, and changes nothing.") var isDryRun = false
  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "retain", createsCluster: false)
    let outcome = try await RetainJob(context: context, account: Environment.account()).run(isDryRun: isDryRun)
    Output.write(line: isDryRun ? "retain: would go" : "retain: gone")
    for row in outcome.rows {
      let width = max(1, 13 - row.table.utf8.count)
      let name = row.table + String(repeating: " ", count: width)
      guard let before = row.before else {
        Output.write(line: "  \(name)kept for ever")
        continue
      }
      Output.write(line: "  \(name)\(row.count), from before \(before.rfc3339)")
    }
    if outcome.hasMorePersons { Output.write(line: "  more persons are due: the next run goes on") }
  }
}
