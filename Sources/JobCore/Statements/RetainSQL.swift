package import Postgres

/// The files of sql/retain: removal of operational rows.
package enum RetainSQL {
  package static let caseLeases = Statement("retain/case_leases.sql", gives: .text, .int8)
  package static let jobWindows = Statement("retain/job_windows.sql", gives: .text, .int8)
  package static let parkedItems = Statement("retain/parked_items.sql", gives: .text, .int8)
  package static let persons = Statement("retain/persons.sql", gives: .text)
  package static let quarantine = Statement("retain/quarantine.sql", gives: .text, .int8)

  package static let all: [any DeclaredStatement] = [caseLeases, jobWindows, parkedItems, persons, quarantine]
}
