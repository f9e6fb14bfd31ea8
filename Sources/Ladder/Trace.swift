/// A decided component with the findings of rungs M1 to M6 about an order, a charge or both.
public struct Trace: Sendable {
  public let decision: Decision
  let evaluation: Evaluation

  init(_ evaluation: Evaluation) { (decision, self.evaluation) = (evaluation.decision(), evaluation) }

  func findings(
    _ transaction: NameFinding, _ token: TokenFinding, _ purchase: NameFinding, _ period: PeriodFinding, _ evidence: NameFinding,
    _ candidate: CandidateFinding, matched: Rung? = nil
  ) -> [RungFinding] {
    let findings: [(Rung, Finding)] = [
      (.transactionID, .name(transaction)), (.appAccountToken, .token(token)), (.lineItem, .name(purchase)), (.chain, .period(period)),
      (.evidence, .name(evidence)), (.singleCandidate, .candidate(candidate)),
    ]
    return findings.map { RungFinding(rung: $0, finding: $1, didMatch: $0 == matched) }
  }

  /// Returns the span of time in which the order of a later period is booked.
  public func bookingTime(ofCharge charge: Int) -> Range<Microseconds> { evaluation.bookingTime(charge) }
}

/// The finding of one rung, and whether the rung matched.
public struct RungFinding: Sendable {
  public var rung: Rung
  public var finding: Finding
  /// Whether the rung matched the order and the charge.
  public var didMatch: Bool
}
