/// What a person can decide about a case.
public enum CaseAction: String, Sendable, CaseIterable {
  case dismiss, watch, contact
  case takeBack = "take_back"
  case ban
  case forcedMatch = "forced_match"
  case writeOff = "write_off"

  /// Whether a second person must approve it; the database insists as well.
  public var needsSecondPerson: Bool { self == .ban || self == .forcedMatch || self == .writeOff }
}

/// What a case turned out to be.
public enum CaseOutcome: String, Sendable, CaseIterable {
  case confirmed, suspected
  case falsePositive = "false_positive"
}

/// A decision as a person makes it.
public struct CaseDecision: Sendable {
  public var action: CaseAction
  public var outcome: CaseOutcome
  public var reason: String
  /// The order that is meant, where the case has several.
  public var orderID: String?
  /// The charge that is meant; a forced match names both.
  public var chargeID: String?

  public init(action: CaseAction, outcome: CaseOutcome, reason: String) {
    self.action = action
    self.outcome = outcome
    self.reason = reason
  }
}

extension CaseDecision {
  /// What the audit chain keeps of it.
  var details: [AuditEntry.Detail] {
    let ids: [(String, String?)] = [("order", orderID), ("charge", chargeID)]
    return [.text("action", action.rawValue), .text("outcome", outcome.rawValue), .text("reason", reason)]
      + ids.compactMap { name, id in id.map { .text(name, $0) } }
  }
}

/// Who acts: the name a person gives, and the login that the command ran under.
public struct Person: Sendable {
  public var name: String
  public var account: String

  public init(name: String, account: String) {
    self.name = name
    self.account = account
  }
}
