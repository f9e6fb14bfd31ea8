package import Postgres

/// Kinds of ids that users type; the raw value is the kind in `keys_beginning`, or the file in sql/ids that finds them.
public enum IDKind: String, Sendable, CaseIterable {
  case order, charge, transaction, original, evidence, signal, token, device, user, run, parked, cell
  case lineItem = "line-item"
  case breakID = "break"
  case caseID = "case"
  case listEntry = "list-entry"

  /// Kinds whose ids are not a column of a table.
  private static let filed: [IDKind] = [.caseID, .evidence, .token]
  private static let beginning = Statement("ids/beginning.sql", gives: .text)

  package var statement: Statement<String> {
    Self.filed.contains(self) ? Statement("ids/\(rawValue).sql", gives: .text) : Self.beginning
  }

  package static let statements = [beginning] + filed.map(\.statement)
}
