package import Postgres

/// A folder of SQL files that Swift knows as values, each in one place.
package struct SQLHome: Sendable {
  package var folder: String
  package var statements: [any DeclaredStatement]

  package static let all = [
    SQLHome(folder: "audit", statements: AuditSQL.all), SQLHome(folder: "doctor", statements: DoctorSQL.all),
    SQLHome(folder: "runs", statements: RunsSQL.all),
  ]
}
