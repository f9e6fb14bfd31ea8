package import Postgres

/// A folder of SQL files with its declared statements.
package struct SQLLocation: Sendable {
  package var folder: String
  package var statements: [any DeclaredStatement]
  /// Statements without a declaration in Swift, read from the files of the folder.
  package var added: @Sendable (SQLFiles) throws -> [any DeclaredStatement] = { _ in [] }

  /// Returns all statements of the program, except files of the migrator.
  package static func statements(in files: SQLFiles) throws -> [any DeclaredStatement] {
    try all.flatMap { try $0.statements + $0.added(files) }
  }

  private static let rules: @Sendable (SQLFiles) throws -> [any DeclaredStatement] = { files in
    try RuleCatalogue.read(files).map(\.statement)
  }

  package static let all = [
    SQLLocation(folder: "accounts", statements: AccountsSQL.all),
    SQLLocation(folder: "alerts", statements: AlertsSQL.all),
    SQLLocation(folder: "audit", statements: AuditSQL.all),
    SQLLocation(folder: "collect", statements: CollectSQL.all),
    SQLLocation(folder: "consumption", statements: ConsumptionSQL.all),
    SQLLocation(folder: "console", statements: ConsoleSQL.all),
    SQLLocation(folder: "deadletter", statements: DeadletterSQL.all),
    SQLLocation(folder: "detect", statements: DetectSQL.all, added: { DetectSQL.classes.statements(in: $0) }),
    SQLLocation(folder: "doctor", statements: DoctorSQL.all),
    SQLLocation(folder: "erase", statements: EraseSQL.all),
    SQLLocation(folder: "explain", statements: ExplainSQL.all),
    SQLLocation(folder: "exports", statements: ExportList.allCases.map(\.statement)),
    SQLLocation(folder: "ids", statements: IDKind.statements),
    SQLLocation(folder: "ingest", statements: IngestSQL.all),
    SQLLocation(folder: "inputs", statements: InputsSQL.all),
    SQLLocation(folder: "judge", statements: JudgeSQL.all),
    SQLLocation(folder: "lists", statements: ListsSQL.all),
    SQLLocation(folder: "ladder", statements: LadderSQL.all),
    SQLLocation(folder: "match", statements: MatchSQL.all),
    SQLLocation(folder: "periods", statements: PeriodsSQL.all),
    SQLLocation(folder: "partitions", statements: PartitionsSQL.all),
    SQLLocation(folder: "pull", statements: PullSQL.all),
    SQLLocation(folder: "quarantine", statements: QuarantineSQL.all),
    SQLLocation(folder: "queue", statements: QueueSQL.all),
    SQLLocation(folder: "renewals", statements: RenewalsSQL.all),
    SQLLocation(folder: "reports", statements: ReportsSQL.all),
    SQLLocation(folder: "retain", statements: RetainSQL.all),
    SQLLocation(folder: "rows", statements: RowsSQL.all),
    SQLLocation(folder: "rule_desk", statements: RuleDeskSQL.all),
    SQLLocation(folder: "rules", statements: RulesSQL.all, added: Self.rules),
    SQLLocation(folder: "runs", statements: RunsSQL.all),
    SQLLocation(folder: "schedules", statements: SchedulesSQL.all),
    SQLLocation(folder: "scope", statements: ScopeSQL.all),
    SQLLocation(folder: "sums", statements: SumsSQL.all),
    SQLLocation(folder: "tieout", statements: TieoutSQL.all, added: { TieoutSQL.steps.statements(in: $0) }),
    SQLLocation(folder: "webhooks", statements: WebhooksSQL.all),
  ]
}
