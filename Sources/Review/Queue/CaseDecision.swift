public import Domain
internal import JobCore
internal import Postgres

public enum CaseAction: String, Sendable, CaseIterable {
  case accept, dismiss, watch, contact
  case takeBack = "take_back"
  case ban
  /// The order and the charge belong together, despite contrary evidence.
  case forcedMatch = "forced_match"
  /// The order and the charge do not belong together, despite supporting evidence.
  case unmatch
  /// The order is a harmless duplicate record of the charge's purchase.
  case benignDuplicate = "benign_duplicate"
  case writeOff = "write_off"

  /// Whether a second person must approve the action; the database enforces it, too.
  public var needsSecondPerson: Bool { self == .ban || self == .writeOff || isAboutPair }

  /// Whether the action concerns an order and a charge, and the match ladder applies it.
  public var isAboutPair: Bool { self == .forcedMatch || self == .unmatch || self == .benignDuplicate }

  /// The outcomes that the action may have, its default first. The command line, the console and the API read this table.
  ///
  /// A dismissal confirms nothing, and a punishment needs at least a suspicion.
  public var outcomes: [CaseOutcome] {
    switch self {
    case .dismiss: [.falsePositive, .suspected]
    case .takeBack, .ban, .writeOff: [.confirmed, .suspected]
    case .accept, .watch, .contact, .forcedMatch, .unmatch, .benignDuplicate: [.confirmed, .suspected, .falsePositive]
    }
  }
}

public enum CaseOutcome: String, Sendable, CaseIterable {
  case confirmed, suspected
  case falsePositive = "false_positive"
}

/// A decision of a reviewer. It covers everything undecided in the case, or only what it names.
public struct CaseDecision: Sendable, Equatable {
  public var action: CaseAction
  public var outcome: CaseOutcome
  public var reason: String
  /// The order concerned, if the case has several.
  public var orderID: String?
  /// The charge concerned. A decision about a pair names both.
  public var chargeID: String?
  /// The breaks concerned; empty for all of the case, or of the order and charge.
  public var breakIDs: [String] = []
  /// End of an acceptance or dismissal; nil until the facts change.
  public var until: Timestamp?

  /// - Parameter outcome: nil for the action's default.
  public init(action: CaseAction, outcome: CaseOutcome? = nil, reason: String) {
    self.action = action
    self.outcome = outcome ?? action.outcomes[0]
    self.reason = reason
  }

  /// The order, charge and breaks that the decision names, as values of a statement.
  var subject: [String: Value] {
    [
      "order_id": orderID.map(Value.text) ?? .null, "charge_id": chargeID.map(Value.text) ?? .null, "break_ids": .textArray(breakIDs),
    ]
  }

  var details: [AuditEntry.Detail] {
    let ids: [(String, String?)] = [("order", orderID), ("charge", chargeID)]
    return [.text("action", action.rawValue), .text("outcome", outcome.rawValue), .reason(reason)]
      + ids.compactMap { name, id in id.map { .text(name, $0) } }
      + (until.map { [.text("until", $0.rfc3339)] } ?? [])
  }
}

/// The action that reviewers usually take on a break class or a rule. It is a suggestion: nobody decides without choosing.
public enum UsualDecision {
  /// Actions by class and rule. Where our systems must be corrected, the case is watched until the facts change.
  private static let actions: [String: CaseAction] = [
    "FORGED_SIGNATURE": .takeBack, "BUNDLE_DIFF": .takeBack, "APP_ID_DIFF": .watch, "PROD_IN_SANDBOX": .watch,
    "SANDBOX_IN_PROD": .takeBack, "REPLAY_MULTI_USER": .takeBack, "USER_DIFF": .contact, "PRODUCT_DIFF": .watch,
    "DUP_DELIVERY": .takeBack, "LATE_VERIFICATION": .contact, "RENEWAL_MISSING": .watch, "ORDER_NO_TX": .contact,
    "GHOST_TX": .takeBack, "AMBIGUOUS_MATCH": .forcedMatch, "DUP_CHARGE": .contact, "REFUND_NO_ORDER": .accept,
    "RENEWAL_NO_ORDER": .watch, "TX_NO_ORDER": .contact, "PAID_NOT_DELIVERED": .watch, "CURRENCY_DIFF": .watch,
    "AMOUNT_DIFF": .accept, "QUANTITY_DIFF": .watch, "REFUND_NOT_APPLIED": .takeBack, "REFUND_REVERSED_NOT_APPLIED": .watch,
    "REFUND_ONLY_OURS": .watch, "ENTITLEMENT_OVERRUN": .takeBack, "ENTITLEMENT_SHORT": .watch, "ID_CONFLICT": .watch,
    "FAMILY_NOT_SHAREABLE": .watch, "PRICE_OFF_CATALOG": .accept, "UNRECOGNIZED_VALUE": .watch, "MISSED_NOTIFICATION": .watch,
    "STALE_INPUT": .watch, "FORGED_STORM": .watch, "CELL_DIFF": .watch, "L3_NO_L1": .watch, "LATE_SETTLE": .accept,
    "NEVER_COLLECTED": .writeOff, "REFUND_UNSEEN": .watch, "COMMISSION_DIFF": .watch, "PAYMENT_DIFF": .watch,
    "FX_RATE_ROUNDING": .accept,
    "R01": .takeBack, "R02": .ban, "R03": .contact, "R04": .takeBack, "R05": .takeBack, "R06": .ban, "R07": .watch, "R08": .watch,
    "R09": .watch, "R10": .watch, "R11": .takeBack, "R12": .takeBack, "R13": .watch, "R14": .takeBack, "R15": .contact,
    "R16": .takeBack, "R17": .watch, "R18": .watch, "R19": .contact, "R20": .watch, "R21": .contact, "R22": .ban, "R23": .ban,
  ]

  public static func action(for name: String) -> CaseAction? { actions[name] }
}
