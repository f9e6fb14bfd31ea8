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

  /// Returns the usual action for a class or rule; nil for an unknown name.
  public static func action(for name: String) -> CaseAction? { actions[name] }
}
