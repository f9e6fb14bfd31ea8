package import Postgres

extension DatabaseTransaction {
  /// Runs statements that look single rows up by their keys, where a join would read whole tables; as no plan depends on
  /// what the rows hold, `analyze` reads a tenth of what it otherwise would.
  package mutating func lookingUp<Result>(_ body: (inout DatabaseTransaction) throws -> Result) throws -> Result {
    try execute(
      "set local enable_hashjoin = off; set local enable_mergejoin = off; set local default_statistics_target = 10")
    let result = try body(&self)
    try joining()
    try execute("set local default_statistics_target = default")
    return result
  }

  /// From here on whole tables may be joined.
  package mutating func joining() throws { try execute("set local enable_hashjoin = on; set local enable_mergejoin = on") }
}
