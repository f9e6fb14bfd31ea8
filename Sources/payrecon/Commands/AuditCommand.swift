internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Postgres
internal import Review

struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Checks or lists the chain of everything people and privileged jobs did.",
    subcommands: [Verify.self, List.self], defaultSubcommand: List.self)

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Checks every entry, every byte of evidence and every recorded act against the chain.",
      discussion: """
        Exit status 0 when all is whole, 1 when something was changed, removed or added. Whoever may rewrite the whole \
        database can rewrite the chain with it: write the printed head down elsewhere and give it to --expect later.
        """)

    @Option(help: "A head printed earlier, NUMBER:HASH, that must still be in the chain.")
    var expect: String?

    @OptionGroup var options: JobOptions

    func run() async throws {
      let expected = try expect.map { text in
        guard let head = AuditVerification.Head(text) else {
          throw ValidationError("--expect \"\(text)\" is not NUMBER:HASH as audit verify prints it")
        }
        return head
      }
      let context = try await options.context(label: "audit", createsCluster: false)
      let outcome = try await AuditVerification(context: context).run(expected: expected)
      context.progress.finish()
      for finding in outcome.findings { Output.write(line: "WRONG     \(finding.subject): \(finding.text)") }
      Output.write(line: "entries   \(outcome.entryCount)")
      Output.write(line: "head      \(outcome.head.number):\(outcome.head.hash)")
      Output.write(line: "evidence  \(outcome.evidenceCount) rows in \(outcome.batchCount) batches, \(outcome.sealCount) seals")
      Output.write(
        line: "acts      "
          + (outcome.isComparedToActs ? "compared with the tables they changed" : "not compared: the chain is broken"))
      let count = outcome.findings.count
      Output.write(line: count == 0 ? "whole" : count == 1 ? "1 thing is wrong" : "\(count) things are wrong")
      if !outcome.findings.isEmpty { throw ExitStatusError(status: .breaks) }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the entries, oldest first; with --limit the newest of them.")

    @OptionGroup var list: ListOptions

    /// Lists the entries up to `--as-of`, or all of them if no clock is given.
    func run() async throws {
      try await list.write(AuditSQL.list, label: "audit", lastBy: ["number"]) { context in
        ["as_of": context.isClockGiven ? context.asOfValue : .text("infinity")]
      }
    }
  }
}
