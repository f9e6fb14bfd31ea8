package import Postgres

/// The statements of the program, except files of the migrator.
package enum SQLStatements {
  private static let lists: [[any DeclaredStatement]] = [
    AccountsSQL.all, AlertsSQL.all, AuditSQL.all, CollectSQL.all, ConsoleSQL.all, ConsumptionSQL.all, DetectSQL.all, DoctorSQL.all,
    EraseSQL.all, ExplainSQL.all, ExportList.allCases.map(\.statement), IDKind.statements, IngestSQL.all, InputsSQL.all, JudgeSQL.all,
    LadderSQL.all, ListsSQL.all, MatchSQL.all, ParkedSQL.all, PartitionsSQL.all, PeriodsSQL.all, PullSQL.all, QuarantineSQL.all,
    QueueSQL.all, RenewalsSQL.all, ReportsSQL.all, RetainSQL.all, RowsSQL.all, RuleChangesSQL.all, RulesSQL.all, RunsSQL.all,
    SchedulesSQL.all, ScopeSQL.all, SumsSQL.all, TieoutSQL.all, WebhooksSQL.all,
  ]

  package static let declared = Array(lists.joined())

  /// Returns all statements, with those that are read from the files of a folder.
  package static func all(in files: SQLFiles) throws -> [any DeclaredStatement] {
    let folders: [[any DeclaredStatement]] = try [
      DetectSQL.classes.statements(in: files), TieoutSQL.steps.statements(in: files), RuleCatalogue.read(files).map(\.statement),
    ]
    return declared + folders.joined()
  }
}
