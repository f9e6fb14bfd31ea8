package import Postgres

/// A folder of SQL files with its declared statements.
package struct SQLHome: Sendable {
  package var folder: String
  package var statements: [any DeclaredStatement]
  /// Statements without a declaration in Swift, read from the files of the folder.
  package var added: @Sendable (SQLFiles) throws -> [any DeclaredStatement] = { _ in [] }

  /// Returns all statements of the program, except files of the migrator.
  package static func statements(in files: SQLFiles) throws -> [any DeclaredStatement] {
    try all.flatMap { try $0.statements + $0.added(files) }
  }

  private static let rules: @Sendable (SQLFiles) throws -> [any DeclaredStatement] = { files in
    try RuleCatalogue.read(files).map { try $0.statement(in: files) }
  }

  package static let all = [
    SQLHome(folder: "accounts", statements: AccountsSQL.all),
    SQLHome(folder: "alerts", statements: AlertsSQL.all),
    SQLHome(folder: "audit", statements: AuditSQL.all),
    SQLHome(folder: "collect", statements: CollectSQL.all),
    SQLHome(folder: "console", statements: ConsoleSQL.all),
    SQLHome(folder: "deadletter", statements: DeadletterSQL.all),
    SQLHome(folder: "detect", statements: DetectSQL.all, added: { try DetectSQL.classes.statements(in: $0) }),
    SQLHome(folder: "doctor", statements: DoctorSQL.all),
    SQLHome(folder: "erase", statements: EraseSQL.all),
    SQLHome(folder: "explain", statements: ExplainSQL.all),
    SQLHome(folder: "exports", statements: ExportList.allCases.map(\.statement)),
    SQLHome(folder: "ids", statements: IDKind.allCases.map(\.statement)),
    SQLHome(folder: "ingest", statements: IngestSQL.all),
    SQLHome(folder: "inputs", statements: InputsSQL.all),
    SQLHome(folder: "judge", statements: JudgeSQL.all),
    SQLHome(folder: "lists", statements: ListsSQL.all),
    SQLHome(folder: "ladder", statements: LadderSQL.all),
    SQLHome(folder: "match", statements: MatchSQL.all),
    SQLHome(folder: "pieces", statements: PiecesSQL.all),
    SQLHome(folder: "pull", statements: PullSQL.all),
    SQLHome(folder: "quarantine", statements: QuarantineSQL.all),
    SQLHome(folder: "queue", statements: QueueSQL.all),
    SQLHome(folder: "renewals", statements: RenewalsSQL.all),
    SQLHome(folder: "reports", statements: ReportsSQL.all),
    SQLHome(folder: "retain", statements: RetainSQL.all),
    SQLHome(folder: "rows", statements: RowsSQL.all),
    SQLHome(folder: "rule_desk", statements: RuleDeskSQL.all),
    SQLHome(folder: "rules", statements: RulesSQL.all, added: Self.rules),
    SQLHome(folder: "runs", statements: RunsSQL.all),
    SQLHome(folder: "scope", statements: ScopeSQL.all),
    SQLHome(folder: "sums", statements: SumsSQL.all),
    SQLHome(folder: "tieout", statements: TieoutSQL.all, added: { try TieoutSQL.steps.statements(in: $0) }),
    SQLHome(folder: "webhooks", statements: WebhooksSQL.all),
  ]
}
