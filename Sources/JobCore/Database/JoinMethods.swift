package import Postgres

extension DatabaseTransaction {
  /// Runs statements that look single rows up by key, with hash and merge joins off. Plans do not depend on the data, so `analyze` reads
  /// a tenth of the usual sample.
  package mutating func withNestedLoops<Result>(_ body: (inout DatabaseTransaction) throws -> Result) throws -> Result {
    send("set local enable_hashjoin = off; set local enable_mergejoin = off; set local default_statistics_target = 10")
    let result = try body(&self)
    allowWholeJoins()
    send("set local default_statistics_target = default")
    return result
  }

  /// Allows joins of whole tables again.
  package mutating func allowWholeJoins() { send("set local enable_hashjoin = on; set local enable_mergejoin = on") }
}
