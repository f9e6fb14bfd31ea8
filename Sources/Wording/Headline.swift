internal import Domain

/// The facts of a case's leading break or signal, from which its headline is generated.
public struct HeadlineFacts: Sendable, Equatable {
  /// An order of ours or a charge of Apple's.
  public struct Side: Sendable, Equatable {
    public var id = ""
    /// Our user; empty if unknown.
    public var user = ""
    public var product = ""
    public var quantity = ""
    /// Price with its currency, as displayed; empty if unknown.
    public var price = ""
    /// Status of an order, or state of a charge.
    public var status = ""
    /// Creation of an order, or the purchase, in seconds since 1970; nil if unknown.
    public var began: Int64?
    /// Whether goods or access were given out for the order.
    public var isDelivered = false
    public var device = ""
    /// End of access, as displayed; empty if none.
    public var end = ""

    public init(id: String) { self.id = id }
  }

  /// Break class or rule.
  public var name: String
  /// Subject of the case, as displayed.
  public var subject: Phrase
  /// Amount at stake with its currency, as displayed; empty if none.
  public var amount = ""
  public var order: Side?
  /// The order that holds the claimed charge.
  public var otherOrder: Side?
  public var charge: Side?
  /// The charge that already pays the order.
  public var otherCharge: Side?
  /// Orders among which a reviewer chooses.
  public var candidateCount = 0

  public init(name: String, subject: Phrase) {
    self.name = name
    self.subject = subject
  }
}

/// The sentence that says what happened in a case.
public enum Headline {
  /// Returns the sentence for a case's leading break or signal. It depends on the facts alone.
  public static func phrase(_ facts: HeadlineFacts) -> Phrase {
    let arguments = arguments(facts)
    for key in sentences[classOfRule[facts.name] ?? facts.name] ?? [] where needs(of: key).allSatisfy({ arguments[$0]?.isEmpty == false }) {
      return Phrase(key, arguments)
    }
    let title = title(of: facts.name)
    guard !facts.amount.isEmpty else { return Phrase("headline.bare", ["title": title, "subject": facts.subject]) }
    return Phrase("headline.other", ["title": title, "subject": facts.subject, "amount": .plain(facts.amount)])
  }

  /// Returns the human title of a class or rule.
  public static func title(of name: String) -> Phrase { isRule(name) ? .name("rule", name) : .name("class", name) }

  /// Returns names that are separated by spaces: classes, which state facts, before rules, which raise suspicions.
  public static func ordered(_ names: String) -> [String] {
    let names = names.split(separator: " ").map(String.init)
    return names.filter { !isRule($0) } + names.filter(isRule)
  }

  /// Whether a name is that of a rule, such as `R01`.
  public static func isRule(_ name: String) -> Bool {
    name.utf8.count == 3 && name.hasPrefix("R") && name.dropFirst().allSatisfy(\.isNumber)
  }

  /// Returns the facts that a sentence needs: the placeholders of its English text, and for a replayed device the other device.
  private static func needs(of key: String) -> [String] {
    Pattern(Catalogue.of(.english).texts[key] ?? "").placeholders + (key == "headline.replay_device" ? ["device"] : [])
  }

  /// Class whose sentences also say what a rule suspects.
  private static let classOfRule = [
    "R01": "REPLAY_MULTI_USER", "R03": "USER_DIFF", "R04": "SANDBOX_IN_PROD", "R05": "BUNDLE_DIFF", "R14": "DUP_DELIVERY",
    "R15": "LATE_VERIFICATION",
  ]

  /// Keys of the sentences by class, the most precise first.
  private static let sentences = [
    "REPLAY_MULTI_USER": ["headline.replay_device", "headline.replay", "headline.replay_unknown"],
    "USER_DIFF": ["headline.user_known", "headline.user_diff"],
    "DUP_DELIVERY": ["headline.delivered_twice", "headline.delivered_again"],
    "DUP_CHARGE": ["headline.charged_twice", "headline.charged_again"],
    "AMOUNT_DIFF": ["headline.price_diff"],
    "CURRENCY_DIFF": ["headline.price_diff"],
    "PRODUCT_DIFF": ["headline.product_diff"],
    "QUANTITY_DIFF": ["headline.quantity_diff"],
    "AMBIGUOUS_MATCH": ["headline.ambiguous"],
    "ENTITLEMENT_OVERRUN": ["headline.overrun"],
    "ENTITLEMENT_SHORT": ["headline.short"],
    "TX_NO_ORDER": ["headline.no_order_of", "headline.no_order"],
    "ORDER_NO_TX": ["headline.no_charge"],
    "PAID_NOT_DELIVERED": ["headline.not_delivered"],
    "FORGED_SIGNATURE": ["headline.forged", "headline.forged_evidence"],
    "GHOST_TX": ["headline.ghost"],
    "BUNDLE_DIFF": ["headline.other_app", "headline.other_app_evidence"],
    "SANDBOX_IN_PROD": ["headline.sandbox"],
    "PROD_IN_SANDBOX": ["headline.in_sandbox"],
    "LATE_VERIFICATION": ["headline.late"],
    "REFUND_NOT_APPLIED": ["headline.refund_open"],
    "REFUND_NO_ORDER": ["headline.refund_no_order"],
    "REFUND_REVERSED_NOT_APPLIED": ["headline.refund_back"],
    "REFUND_ONLY_OURS": ["headline.refund_ours"],
    "RENEWAL_NO_ORDER": ["headline.renewal_no_order"],
    "RENEWAL_MISSING": ["headline.renewal_missing"],
    "FAMILY_NOT_SHAREABLE": ["headline.family"],
    "PRICE_OFF_CATALOG": ["headline.off_catalogue"],
  ]

  private static func arguments(_ facts: HeadlineFacts) -> [String: Phrase] {
    let (order, charge) = (facts.order, facts.charge)
    let amount = [facts.amount, order?.price, charge?.price].compactMap(\.self).first { !$0.isEmpty } ?? ""
    let texts = [
      "user": order?.user, "other": facts.otherOrder?.user ?? charge?.user, "owner": charge?.user, "order": order?.id,
      "product": order?.product ?? charge?.product, "price": order?.price, "quantity": order?.quantity, "end": order?.end,
      "charge_price": charge?.price, "charge_product": charge?.product, "charge_quantity": charge?.quantity,
      "charge_end": charge?.end, "amount": amount,
    ]
    var arguments = texts.compactMapValues { text in text.map { Phrase.plain($0) } }
    arguments["subject"] = facts.subject
    if let order {
      arguments["status"] = .name("status", order.status)
      arguments["goods"] = goods(order, amount)
      if let device = facts.otherOrder?.device, !device.isEmpty, !order.device.isEmpty, device != order.device {
        arguments["device"] = .plain(order.device)
      }
    }
    if facts.candidateCount > 0 { arguments["count"] = .plain("\(facts.candidateCount)") }
    arguments["gap"] = span(facts.otherOrder ?? facts.otherCharge, facts.otherOrder == nil ? charge : order)
    arguments["delay"] = span(charge, order)
    return arguments
  }

  private static func goods(_ order: HeadlineFacts.Side, _ amount: String) -> Phrase {
    guard order.isDelivered else { return "headline.nothing_delivered" }
    return amount.isEmpty ? "headline.something_delivered" : Phrase("headline.delivered", ["amount": .plain(amount)])
  }

  private static func span(_ first: HeadlineFacts.Side?, _ second: HeadlineFacts.Side?) -> Phrase? {
    guard let first = first?.began, let second = second?.began else { return nil }
    return .span(seconds: abs(second - first))
  }
}

extension Phrase {
  /// Returns a length of time in its largest unit: seconds, minutes, hours up to two days, then days.
  public static func span(seconds: Int64) -> Phrase {
    let (key, size): (String, Int64) =
      seconds < 60
      ? ("age.seconds", 1)
      : seconds < 3600 ? ("age.minutes", 60) : seconds < 172_800 ? ("age.hours", 3600) : ("age.days", 86_400)
    return Phrase(key, ["count": .plain("\(seconds / size)")])
  }
}

extension HeadlineFacts {
  /// Returns invented facts with which a glossary shows the headline of a class or rule.
  public static func example(_ name: String) -> HeadlineFacts {
    func side(_ id: String, _ user: String, began: Int64) -> Side {
      var side = Side(id: id)
      (side.user, side.product, side.quantity, side.price) = (user, "coins60", "1", "68.00 CNY")
      (side.began, side.isDelivered, side.device, side.end) = (began, true, "D-\(user)", "2026-06-01")
      side.status = "delivered"
      return side
    }
    var facts = HeadlineFacts(name: name, subject: .plain("U2"))
    facts.amount = "68.00 CNY"
    facts.order = side("A2", "U2", began: 72_000)
    facts.otherOrder = side("A1", name == "DUP_DELIVERY" ? "U2" : "U1", began: 0)
    facts.charge = side("3fe74b0d9c21", "U1", began: name == "LATE_VERIFICATION" ? -1_728_000 : 0)
    facts.charge?.product = "coins300"
    facts.charge?.price = "60.00 CNY"
    facts.charge?.quantity = "2"
    facts.charge?.end = "2026-05-01"
    facts.otherCharge = name == "DUP_CHARGE" ? side("57a1d2c04b7e", "U2", began: 71_700) : nil
    if name == "DUP_CHARGE" { facts.otherOrder = nil }
    facts.candidateCount = 2
    return facts
  }
}
