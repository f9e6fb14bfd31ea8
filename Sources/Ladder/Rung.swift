/// A rung of the ladder. A smaller rung outranks a greater one.
public enum Rung: Int, Comparable, CaseIterable, Sendable {
  case decided, transactionID, appAccountToken, lineItem, chain, evidence, singleCandidate, ambiguous

  public static func < (one: Rung, other: Rung) -> Bool { one.rawValue < other.rawValue }

  /// `M0` to `M7`.
  public var code: String { "M\(rawValue)" }

  /// Returns nil if the code is not `M0` to `M7`.
  public init?(code: String) {
    guard let rung = Rung.allCases.first(where: { $0.code == code }) else { return nil }
    self = rung
  }

  /// Whether a match on this rung requires that the order names the charge.
  var isClaim: Bool { self == .transactionID || self == .lineItem || self == .evidence }
}
