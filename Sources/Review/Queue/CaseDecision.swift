public import Domain
internal import JobCore

/// What a person can decide about a case.
public enum CaseAction: String, Sendable, CaseIterable {
  case accept, dismiss, watch, contact
  case takeBack = "take_back"
  case ban
  /// The order and the charge belong together, whatever speaks against it.
  case forcedMatch = "forced_match"
  /// The order and the charge do not belong together, whatever speaks for it.
  case unmatch
  /// The order records once more what the charge paid for; nobody owes anything for it.
  case benignDuplicate = "benign_duplicate"
  case writeOff = "write_off"

  /// Whether a second person must approve it; the database insists as well.
  public var needsSecondPerson: Bool { self == .ban || self == .writeOff || isAboutPair }

  /// Whether it says something of an order and a charge that the match ladder honours.
  public var isAboutPair: Bool { self == .forcedMatch || self == .unmatch || self == .benignDuplicate }

  /// Whether it decides the breaks themselves; after anything else they wait for the facts to change.
  public var decidesBreaks: Bool { self == .accept || self == .dismiss || self == .writeOff }

  /// The outcome of a case where the decision names none.
  fileprivate var usualOutcome: CaseOutcome { self == .dismiss ? .falsePositive : .confirmed }

  /// Whether the action and the outcome agree: a dismissal confirms nothing, and a false positive costs nobody anything.
  func fits(_ outcome: CaseOutcome) -> Bool {
    switch self {
    case .dismiss: outcome != .confirmed
    case .takeBack, .ban, .writeOff: outcome != .falsePositive
    case .accept, .watch, .contact, .forcedMatch, .unmatch, .benignDuplicate: true
    }
  }
}

/// What a case turned out to be.
public enum CaseOutcome: String, Sendable, CaseIterable {
  case confirmed, suspected
  case falsePositive = "false_positive"
}

/// A decision as a person makes it; it is about all that is undecided in the case, or about what it names.
public struct CaseDecision: Sendable, Equatable {
  public var action: CaseAction
  public var outcome: CaseOutcome
  public var reason: String
  /// The order that is meant, where the case has several.
  public var orderID: String?
  /// The charge that is meant; what is said of a pair names both.
  public var chargeID: String?
  /// The breaks that are meant; none: all of the case, or of the order and the charge.
  public var breakIDs: [String] = []
  /// Until when an acceptance or a dismissal holds; nil: until the facts change.
  public var until: Timestamp?

  /// - Parameter outcome: nil for the usual one of the action.
  public init(action: CaseAction, outcome: CaseOutcome? = nil, reason: String) {
    self.action = action
    self.outcome = outcome ?? action.usualOutcome
    self.reason = reason
  }
}

extension CaseDecision {
  /// What the audit chain keeps of it.
  var details: [AuditEntry.Detail] {
    let ids: [(String, String?)] = [("order", orderID), ("charge", chargeID)]
    return [.text("action", action.rawValue), .text("outcome", outcome.rawValue), .reason(reason)]
      + ids.compactMap { name, id in id.map { .text(name, $0) } }
      + (until.map { [.text("until", $0.rfc3339)] } ?? [])
  }
}
