/// The changes of a match run.
public struct MatchOutcome: Sendable {
  /// One changed row.
  public struct Change: Sendable {
    public var change: String
    public var orderID: String
    public var chargeID: String
    public var rung: String
  }
  /// Changed rows, at most `changesMax`; empty unless the run was dry.
  public var changes: [Change]
  public var createdCount: Int
  public var closedCount: Int
  public var ambiguousChargeCount: Int
  public var refusedCount: Int
  /// Whether the run decided everything, not only what changed.
  var isWhole = false

  /// `created 12, closed 0, ambiguous charges 1, refused claims 0`.
  public var summary: String {
    "created \(createdCount), closed \(closedCount), ambiguous charges \(ambiguousChargeCount), refused claims \(refusedCount)"
  }

  /// Maximum number of changed rows that `--dry-run` keeps in memory.
  public static let changesMax = 100_000
}
