internal import Domain
package import Postgres

extension DatabaseTransaction {
  /// Whether the large tables lie on several nodes of the server.
  package mutating func isSpread(files: SQLFiles) throws(PostgresError) -> Bool {
    try rows(files(RunsSQL.isSpread)).first ?? false
  }

  /// Has every node know what functions are told by settings of this transaction. A setting goes to the nodes as its statement
  /// came, so that it stands alone.
  package mutating func tellNodes(files: SQLFiles) throws(PostgresError) {
    let told = try rows(files(RunsSQL.settingsTold))
    guard !told.isEmpty else { return }
    try execute("set local citus.propagate_set_commands = 'local'")
    for (name, value) in told { try execute("set local \(name) = '\(value.replacing("'", with: "''"))'") }
    try execute("set local citus.propagate_set_commands = 'none'")
  }

  /// Has statements read large tables as a whole, for the rest of the transaction, where these lie on several nodes: for what compares
  /// them in a way that nodes cannot.
  package mutating func gatherReads(files: SQLFiles) throws {
    if try isSpread(files: files) { try lookBack(to: Self.endOfTime, files: files) }
  }

  /// A clock after all that is known.
  private static let endOfTime = Timestamp(rfc3339: "9999-01-01T00:00:00Z") ?? Timestamp(microseconds: .max)

  /// Has decisions read everything, for the rest of the transaction: the tables themselves, or where these lie on several nodes,
  /// which would not compare them in every way, copies.
  package mutating func showEverything(files: SQLFiles) throws(PostgresError) {
    try run(files(InputsSQL.everything))
    try gatherSpread(files: files)
  }

  /// Puts copies in the place of large tables that lie on several nodes.
  package mutating func gatherSpread(files: SQLFiles) throws(PostgresError) {
    if try isSpread(files: files) { try run(files(InputsSQL.gathered)) }
  }
}
