internal import JobCore
internal import YAML

/// The block "consumption" of the settings file. Without it nothing is sent to Apple.
enum ConsumptionBlock {
  static func read(_ node: SettingsNode) throws -> ConsumptionSettings {
    let fields = try node.mapping(["send", "sample_products", "refund_preference"])
    var settings = ConsumptionSettings()
    if let send = fields["send"] { settings.isSending = try flag(send) }
    settings.sampleProducts = try fields["sample_products"]?.list().map { try $0.text() } ?? []
    settings.preferences = try fields["refund_preference"]?.list().map(rule) ?? []
    return settings
  }

  private static func rule(_ node: SettingsNode) throws -> RefundPreferenceRule {
    let fields = try node.mapping(["reasons", "products", "delivered", "used_percent_from", "used_percent_to", "prefer"])
    guard let prefer = fields["prefer"] else { throw node.fault("needs \"prefer\"") }
    var rule = RefundPreferenceRule(try prefer.choice(RefundPreference.allCases))
    rule.reasons = try fields["reasons"]?.list().map { try $0.choice(RefundPreferenceRule.knownReasons) } ?? []
    rule.products = try fields["products"]?.list().map { try $0.text() } ?? []
    rule.isDelivered = try fields["delivered"].map(flag)
    rule.usedPercentFrom = try fields["used_percent_from"]?.integer(0...100)
    rule.usedPercentTo = try fields["used_percent_to"]?.integer(0...100)
    if let from = rule.usedPercentFrom, let to = rule.usedPercentTo, from > to {
      throw node.fault("has a \"used_percent_from\" above its \"used_percent_to\"")
    }
    return rule
  }

  private static func flag(_ node: SettingsNode) throws -> Bool {
    switch try node.text() {
    case "true": return true
    case "false": return false
    default: throw node.fault("must be true or false")
    }
  }
}
