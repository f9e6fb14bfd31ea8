internal import Domain

/// The counts of a simulated world, and the expected results of a correct reconciliation.
public struct WorldSummary: Sendable, CustomStringConvertible {
  let seed: UInt64
  public let counts: Counts

  /// The content of `truth/summary.json`, keys in a fixed order.
  public var json: String {
    func table(_ counts: [String: Int]) -> String {
      let members = counts.sorted { $0.key < $1.key }.map { "    \"\($0.key)\": \($0.value)" }
      return "{\n" + members.joined(separator: ",\n") + "\n  }"
    }
    return """
      {
        "as_of": "\(World.asOf.rfc3339)",
        "seed": \(seed),
        "orders": \(counts.orders),
        "users": \(counts.users),
        "evidence": \(counts.evidence),
        "charges": \(counts.charges),
        "matches": \(table(counts.rungs)),
        "breaks": \(table(counts.breaks)),
        "pending": \(table(counts.pending))
      }

      """
  }

  public var description: String {
    "\(counts.orders) orders, \(counts.evidence) pieces of evidence, \(counts.rungs.values.reduce(0, +)) matches, "
      + "\(counts.breaks.values.reduce(0, +)) breaks, \(counts.pending.values.reduce(0, +)) pending as of \(World.asOf.rfc3339)"
  }
}
