package import Postgres

/// A folder of SQL files that Swift knows as values, each in one place.
package struct SQLHome: Sendable {
  package var folder: String
  package var statements: [any DeclaredStatement]

  package static let all = [
    SQLHome(folder: "accounts", statements: AccountsSQL.all),
    SQLHome(folder: "alerts", statements: AlertsSQL.all),
    SQLHome(folder: "audit", statements: AuditSQL.all),
    SQLHome(folder: "collect", statements: CollectSQL.all),
    SQLHome(folder: "console", statements: ConsoleSQL.all),
    SQLHome(folder: "deadletter", statements: DeadletterSQL.all),
    SQLHome(folder: "doctor", statements: DoctorSQL.all),
    SQLHome(folder: "erase", statements: EraseSQL.all),
    SQLHome(folder: "exports", statements: ExportList.allCases.map(\.statement)),
    SQLHome(folder: "ids", statements: IDKind.allCases.map(\.statement)),
    SQLHome(folder: "ingest", statements: IngestSQL.all),
    SQLHome(folder: "judge", statements: JudgeSQL.all),
    SQLHome(folder: "lists", statements: ListsSQL.all),
    SQLHome(folder: "pull", statements: PullSQL.all),
    SQLHome(folder: "quarantine", statements: QuarantineSQL.all),
    SQLHome(folder: "queue", statements: QueueSQL.all),
    SQLHome(folder: "renewals", statements: RenewalsSQL.all),
    SQLHome(folder: "reports", statements: ReportsSQL.all),
    SQLHome(folder: "retain", statements: RetainSQL.all),
    SQLHome(folder: "rows", statements: RowsSQL.all),
    SQLHome(folder: "rule_desk", statements: RuleDeskSQL.all),
    SQLHome(folder: "runs", statements: RunsSQL.all),
    SQLHome(folder: "webhooks", statements: WebhooksSQL.all),
  ]
}
