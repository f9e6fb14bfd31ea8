package import Postgres

/// The files of sql/retain: removal of operational rows.
package enum RetainSQL {
  package static let caseLeases = Statement(
    "retain/case_leases.sql",
    ["before": .timestamptz, "is_dry_run": .bool, "row_max": .int8],
    gives: .text, .int8)
  package static let jobWindows = Statement(
    "retain/job_windows.sql",
    ["before": .timestamptz, "is_dry_run": .bool, "row_max": .int8],
    gives: .text, .int8)
  package static let parkedItems = Statement(
    "retain/parked_items.sql",
    ["before": .timestamptz, "is_dry_run": .bool, "row_max": .int8],
    gives: .text, .int8)
  package static let persons = Statement(
    "retain/persons.sql",
    ["as_of": .timestamptz, "since": .timestamptz, "kept": .textArray, "row_max": .int8],
    gives: .text)
  package static let quarantine = Statement(
    "retain/quarantine.sql",
    ["before": .timestamptz, "is_dry_run": .bool, "row_max": .int8],
    gives: .text, .int8)

  package static let all: [any DeclaredStatement] = [caseLeases, jobWindows, parkedItems, persons, quarantine]
}
