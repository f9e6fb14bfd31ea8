internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Jobs
internal import Matching

struct NightlyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightly",
    abstract: "Reads the inbox, matches, detects, settles and plans renewals, reports: one verdict, one exit status.")

  @Option(help: "Folder to read; default: inbox.directory of the settings, else \"inbox\" when it is there.")
  var inbox: String?

  @Option(help: "Folder for this night's reports; default: the business day under reports.directory.")
  var out: String?

  @Flag(name: .customLong("accept-settings"), help: "Goes on although an app that has charges is no longer named in the settings.")
  var acceptsSettings = false

  @Flag(name: .customLong("accept-clock"), help: "Decides although the clock of a file of orders is probably local time.")
  var acceptsClock = false

  @OptionGroup var partitioning: PartitioningOptions
  @OptionGroup var options: JobOptions

  func run() async throws {
    try Environment.requireSettings(for: "nightly")
    let context = try await options.context(label: "nightly")
    let night = NightlyJob(context: context, acceptsSettings: acceptsSettings, acceptsClock: acceptsClock, partitioning: partitioning.value)
    let outcome: NightlyJob.Outcome
    do {
      outcome = try await night.run(inbox: inbox, reportDirectory: out)
    } catch {
      await writeMetrics(context)
      throw error
    }
    await writeMetrics(context)
    Output.write(line: "run      \(outcome.runID)")
    Output.write(line: "as of    \(context.asOf.rfc3339)")
    Output.write(line: "verdict  \(outcome.verdict.rawValue)")
    for reason in outcome.reasons { Output.write(line: "         \(reason)") }
    for (kind, tally) in outcome.tallies { Output.write(line: padded(kind.rawValue) + tally.text) }
    Output.write(line: "matches  \(outcome.match?.summary ?? "nothing was decided")")
    Output.write(line: "breaks   \(outcome.detect.summary)")
    if let renewals = outcome.renewals { Output.write(line: "renewals \(renewals.summary)") }
    for line in outcome.notReconciled { Output.write(line: "outside  \(line)") }
    Output.write(line: "report   \(outcome.reportDirectory)/report.html")
    try ExitStatusError.check(outcome.verdict)
  }

  private func padded(_ text: String) -> String { text + String(repeating: " ", count: max(1, 9 - text.utf8.count)) }
}
