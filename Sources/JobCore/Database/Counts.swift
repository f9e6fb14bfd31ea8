package import Postgres

extension DatabaseTransaction {
  /// Rows of a name and a count.
  package mutating func counts(_ file: SQLFile, _ values: [String: Value]) throws -> [(name: String, count: Int)] {
    try rows(file, values) { row throws(PostgresError) in (try row.text(), Int(try row.int8())) }
  }
}
