/// A rule that is shipped: its file, and what it is tuned by.
public struct RuleDefinition: Sendable {
  /// `R01` and so on.
  public var name: String
  /// File in sql/rules, without ending.
  public var file: String
  /// What a suspicion by this rule is called.
  public var title: String
  public var shipped: RuleSetting

  init(
    _ name: String, _ file: String, _ title: String, _ state: RuleState = .live,
    _ parameters: [String: RuleParameter] = [:]
  ) {
    self.name = name
    self.file = file
    self.title = title
    shipped = RuleSetting(state: state, version: 1, parameters: parameters)
  }
}

/// The closed list of abuse rules.
///
/// What sharing, velocity and prices show can be innocent: those start as shadow, until somebody has looked at them.
public enum RuleCatalogue {
  public static let all: [RuleDefinition] = claims + patterns + facts

  /// Rules about single claims that matching refused.
  private static let claims = [
    RuleDefinition("R01", "r01_receipt_replay", "one purchase claimed by several users"),
    RuleDefinition(
      "R02", "r02_account_sharing", "one purchase used by many users", .shadow,
      ["users_max": .count(3), "window": .seconds(30 * day), "listed_max": .count(20)]),
    RuleDefinition(
      "R03", "r03_token_mismatch", "the purchase carries another user's token", .live, ["window": .seconds(30 * day)]),
    RuleDefinition("R04", "r04_sandbox_leak", "live goods on a purchase nobody paid"),
    RuleDefinition(
      "R05", "r05_bundle_mismatch", "the receipt of another app", .live, ["white_label_bundles": .texts([])]),
    RuleDefinition(
      "R14", "r14_dup_fulfilment", "one purchase delivered again to the same user", .live, ["copies_min": .count(1)]),
    RuleDefinition(
      "R15", "r15_hoarded_receipts", "old purchases presented late", .live,
      ["receipts_min": .count(2), "within": .seconds(day), "age_max": .seconds(30 * day), "skew": .seconds(300)]),
  ]

  /// Rules about what a user or a group of users does over time.
  private static let patterns = [
    RuleDefinition(
      "R06", "r06_use_and_refund", "used, then refunded, again and again", .live,
      [
        "window": .seconds(90 * day), "refunds_min": .count(3), "ratio_percent": .count(50),
        "use_min": .seconds(3600), "listed_max": .count(20),
      ]),
    RuleDefinition(
      "R07", "r07_refund_ring", "refunded users who share devices", .live,
      [
        "window": .seconds(90 * day), "degree_max": .count(10), "users_min": .count(3), "users_max": .count(1000),
        "listed_max": .count(20),
      ]),
    RuleDefinition(
      "R08", "r08_velocity", "a new user buys very fast", .shadow,
      [
        "window": .seconds(3600), "purchases_min": .count(10), "account_age_max": .seconds(7 * day),
        "launch": .seconds(3 * day), "listed_max": .count(20),
      ]),
    RuleDefinition(
      "R09", "r09_storefront_arbitrage", "buys where it is cheap", .shadow,
      [
        "window": .seconds(30 * day), "purchases_min": .count(3), "storefronts_min": .count(3),
        "price_percent": .count(70), "rates": .currencies([:]), "listed_max": .count(20),
      ]),
    RuleDefinition(
      "R10", "r10_small_amounts", "many small purchases that Apple could not collect", .shadow,
      [
        "window": .seconds(day), "purchases_min": .count(10), "uncollected_percent": .count(30),
        "amounts": .currencies([
          "CNY": 40_000, "EUR": 6000, "GBP": 6000, "HKD": 48_000, "JPY": 1_000_000, "TWD": 200_000, "USD": 6000,
        ]),
        "listed_max": .count(20),
      ]),
    RuleDefinition(
      "R13", "r13_trial_cycling", "one trial after the other", .shadow,
      [
        "window": .seconds(90 * day), "trials_max": .count(1), "win_backs_max": .count(2), "degree_max": .count(10),
        "listed_max": .count(20),
      ]),
  ]

  /// Rules about single facts that no claim shows.
  private static let facts = [
    RuleDefinition(
      "R11", "r11_uncollected", "delivered, and Apple did not collect", .shadow,
      ["settled_after": .seconds(68 * day)]),
    RuleDefinition("R12", "r12_refund_before_order", "ordered after the refund", .live, ["skew": .seconds(300)]),
    RuleDefinition(
      "R16", "r16_not_finished", "one purchase presented again and again", .shadow,
      ["window": .seconds(30 * day), "attempts_min": .count(10), "retry_gap": .seconds(600)]),
    RuleDefinition(
      "R17", "r17_family_misuse", "family access where there should be none", .live, ["grace": .seconds(3 * day)]),
    RuleDefinition(
      "R18", "r18_price_anomaly", "a price far from the catalogue", .shadow, ["deviation_percent": .count(20)]),
    RuleDefinition(
      "R19", "r19_reversal_not_restored", "refund taken back, goods not restored", .live,
      ["grace": .seconds(3 * day)]),
    RuleDefinition(
      "R20", "r20_consumption_late", "Apple's consumption request was not answered", .live,
      ["answer_within": .seconds(12 * 3600), "window": .seconds(30 * day)]),
    RuleDefinition(
      "R21", "r21_insider_delivery", "delivered by an employee without a charge", .live,
      ["grace": .seconds(day), "orders_min": .count(1)]),
    RuleDefinition(
      "R22", "r22_block_list", "somebody on the block list bought again", .live, ["listed_max": .count(20)]),
    RuleDefinition(
      "R23", "r23_false_claims", "a device names purchases that do not exist", .shadow,
      ["claims_min": .count(1), "listed_max": .count(20)]),
  ]

  private static let day: Int64 = 86400

  static func definition(_ name: String) -> RuleDefinition? { all.first { $0.name == name } }
}
