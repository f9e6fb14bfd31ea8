package import Postgres

extension IDKind {
  /// The file of sql/ids that knows ids of the kind.
  package var statement: Statement<String> { Statement("ids/\(rawValue).sql", ["prefix": .text, "rows": .int8], gives: .text) }
}
