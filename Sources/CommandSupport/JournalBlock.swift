internal import Domain
internal import JobCore
internal import YAML

/// The block "journal" of the settings file: policy of revenue, accounts, dimensions and exchange rates.
enum JournalBlock {
  private static let codeMax = 40

  static func read(_ node: SettingsNode) throws -> JournalSettings {
    let fields = try node.mapping(["policy", "apps", "accounts", "dimensions", "base_currency", "rates"])
    var settings = JournalSettings()
    if let policy = fields["policy"] { settings.policy = try policy.choice(RevenuePolicy.allCases) }
    for app in try fields["apps"]?.list() ?? [] {
      let keys = try app.mapping(["bundle_id", "policy"])
      guard let bundleID = keys["bundle_id"], let policy = keys["policy"] else { throw app.fault("needs \"bundle_id\" and \"policy\"") }
      settings.appPolicies[try bundleID.text()] = try policy.choice(RevenuePolicy.allCases)
    }
    for (name, code) in try fields["accounts"]?.mapping(Set(JournalAccount.allCases.map(\.rawValue))) ?? [:] {
      guard let account = JournalAccount(rawValue: name) else { continue }
      settings.codes[account] = try self.code(code)
    }
    if let dimensions = fields["dimensions"] {
      settings.dimensions = Set(try dimensions.list().map { try $0.choice(JournalSettings.Dimension.allCases) })
    }
    settings.rates = try rates(base: fields["base_currency"], list: fields["rates"])
    return settings
  }

  private static func code(_ node: SettingsNode) throws -> String {
    let code = try node.text()
    guard (1...codeMax).contains(code.count) else { throw node.fault("must be an account number of 1 to \(codeMax) characters") }
    return code
  }

  private static func rates(base: SettingsNode?, list: SettingsNode?) throws -> ExchangeRates? {
    guard let base else {
      if let list { throw list.fault("needs \"base_currency\" beside it") }
      return nil
    }
    return ExchangeRates(base: try currency(base), rates: try list?.list().map(rate) ?? [])
  }

  /// Reads `{currency: CNY, valid_from: 2026-01-31, rate: 0.1398}`.
  private static func rate(_ node: SettingsNode) throws -> ExchangeRates.Rate {
    let fields = try node.mapping(["currency", "valid_from", "rate"])
    guard let code = fields["currency"], let from = fields["valid_from"], let number = fields["rate"] else {
      throw node.fault("needs \"currency\", \"valid_from\" and \"rate\"")
    }
    let rate = ExchangeRates.Rate(currency: try currency(code), from: try FinanceBlock.day(from), text: try number.text())
    guard let rate else { throw number.fault("must be a positive decimal with at most 10 digits on each side of the point") }
    return rate
  }

  private static func currency(_ node: SettingsNode) throws -> String {
    let code = try node.text()
    guard Money.isKnown(currency: code) else { throw node.fault("is not a currency of ISO 4217, such as USD") }
    return code
  }
}
