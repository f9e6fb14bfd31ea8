package import Postgres

/// Kinds of ids that users type; the raw value is the file in sql/ids that finds them.
public enum IDKind: String, Sendable, CaseIterable {
  case order, charge, transaction, original, evidence, signal, token, device, user, run, parked, cell
  case lineItem = "line-item"
  case breakID = "break"
  case caseID = "case"
  case listEntry = "list-entry"

  package var statement: Statement<String> { Statement("ids/\(rawValue).sql", gives: .text) }
}
