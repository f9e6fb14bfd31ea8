internal import ArgumentParser
internal import CommandSupport
internal import Ingest
internal import JobCore

struct EvidenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "evidence", abstract: "Verifies evidence again.", subcommands: [Judge.self])

  struct Judge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "judge", abstract: "Verifies evidence again that is not genuine, when roots, apps or this program's reading changed.",
      discussion: """
        The nightly job does the same. What is genuine stays genuine; what was believed before stays on record and in \
        every report as of then. Matches and breaks follow with the next match and detect.
        """)

    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "evidence-judge")
      try await Environment.requireSettings(for: "evidence judge", of: context)
      try await context.requireNewestClock()
      let outcome = try await EvidenceJudge(context: context).run()
      context.progress.finish()
      Output.write(line: "evidence judge: \(outcome.summary)")
    }
  }
}
