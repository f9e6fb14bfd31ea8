public import Domain

/// The counts of a simulated world, and the expected results of a correct reconciliation.
public struct WorldSummary: Sendable, CustomStringConvertible {
  public let seed: UInt64
  /// The as-of of the truth.
  public let asOf: Timestamp
  public let orders: Int
  public let users: Int
  /// Number of lines in `inbox/apple.ndjson`.
  public let evidence: Int
  /// Number of Apple's charges, including those with forged and foreign evidence.
  public let charges: Int
  /// True matches by rung, `M1` to `M6`.
  public let rungs: [String: Int]
  /// True open breaks by class.
  public let breaks: [String: Int]
  /// Differences within their grace time, by class.
  public let pending: [String: Int]

  init(seed: UInt64, counts: Counts) {
    self.seed = seed
    asOf = World.asOf
    orders = counts.orders
    users = counts.users
    evidence = counts.evidence
    charges = counts.charges
    rungs = counts.rungs
    breaks = counts.breaks
    pending = counts.pending
  }

  /// The content of `truth/summary.json`, keys in a fixed order.
  public var json: String {
    func table(_ counts: [String: Int]) -> String {
      let members = counts.sorted { $0.key < $1.key }.map { "    \"\($0.key)\": \($0.value)" }
      return "{\n" + members.joined(separator: ",\n") + "\n  }"
    }
    return """
      {
        "as_of": "\(asOf.rfc3339)",
        "seed": \(seed),
        "orders": \(orders),
        "users": \(users),
        "evidence": \(evidence),
        "charges": \(charges),
        "matches": \(table(rungs)),
        "breaks": \(table(breaks)),
        "pending": \(table(pending))
      }

      """
  }

  public var description: String {
    "\(orders) orders, \(evidence) pieces of evidence, \(rungs.values.reduce(0, +)) matches, "
      + "\(breaks.values.reduce(0, +)) breaks, \(pending.values.reduce(0, +)) pending as of \(asOf.rfc3339)"
  }
}
