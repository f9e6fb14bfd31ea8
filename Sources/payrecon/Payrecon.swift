internal import ArgumentParser
internal import CommandSupport

@main
struct Payrecon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payrecon",
    abstract: "Matches Apple's signed transactions to internal orders, and finds every difference.",
    discussion: """
      Data goes to standard output, logs to standard error. Exit status: 0 clean or pending only, 1 breaks at or over \
      the threshold, 2 error, 3 incomplete (missing or late input), 4 lock held, 64 usage, 75 temporary.
      """,
    version: Version.withCommit,
    subcommands: [
      InitCommand.self, DoctorCommand.self, IngestCommand.self, CollectCommand.self, EvidenceCommand.self, MatchCommand.self,
      DetectCommand.self, TieoutCommand.self, PeriodCommand.self, RenewalsCommand.self, ConsumptionCommand.self,
      ReportCommand.self, ExportCommand.self, NightlyCommand.self, RunDueCommand.self, RunJobCommand.self,
      BackfillCommand.self, BreaksCommand.self, QueueCommand.self, ListsCommand.self, RulesCommand.self, RowsCommand.self,
      LookupCommand.self, SettingsCommand.self, DeadletterCommand.self, RunsCommand.self, AuditCommand.self,
      EraseCommand.self, RetainCommand.self, WebhooksCommand.self, ServeCommand.self, ConsoleAccountCommand.self,
      DatabaseCommand.self, SimulateCommand.self,
    ])

  static func main() async { await Terminal.run(Self.self) }
}
