internal import Postgres

extension Transaction {
  /// Runs statements that look single rows up by their keys, where a join would read whole tables.
  mutating func lookingUp<Result>(_ body: (inout Transaction) throws -> Result) throws -> Result {
    try execute("set local enable_hashjoin = off; set local enable_mergejoin = off")
    let result = try body(&self)
    try execute("set local enable_hashjoin = on; set local enable_mergejoin = on")
    return result
  }
}
