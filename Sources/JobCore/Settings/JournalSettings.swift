public import Domain

public struct JournalSettings: Sendable, Hashable {
  /// Dimensions by which lines are kept apart.
  public enum Dimension: String, Sendable, CaseIterable {
    case app, storefront, product
  }

  public var policy = RevenuePolicy.principal
  public var appPolicies: [String: RevenuePolicy] = [:]
  /// Account numbers of the ledger that imports the journal.
  public var codes: [JournalAccount: String] = [:]
  public var dimensions = Set(Dimension.allCases)
  /// Rates into the base currency; nil for a journal without one.
  public var rates: ExchangeRates?

  public init() {}

  /// Reads the entries of stored settings; those without a journal have none. Returns nil if an entry is not readable.
  init?(_ values: [String: String]) {
    for (place, part) in (values["journal.policy"] ?? policyText).split(separator: ", ").enumerated() {
      let words = part.split(separator: " ").map(String.init)
      guard let policy = words.last.flatMap({ RevenuePolicy(rawValue: $0) }) else { return nil }
      if place == 0 { self.policy = policy } else { appPolicies[words[0]] = policy }
    }
    for account in JournalAccount.allCases { codes[account] = values["journal.accounts.\(account.rawValue)"] }
    if let names = values["journal.dimensions"] {
      let listed = names.split(separator: ", ")
      dimensions = Set(listed.compactMap { Dimension(rawValue: String($0)) })
      guard dimensions.count == listed.count else { return nil }
    }
    guard let base = values["journal.base_currency"], !base.isEmpty else { return }
    var rates: [ExchangeRates.Rate] = []
    for entry in (values["journal.rates"] ?? "").split(separator: "; ") {
      let words = entry.split(separator: " ").map(String.init)
      guard words.count == 3, let rate = ExchangeRates.Rate(currency: words[0], from: words[1], text: words[2]) else { return nil }
      rates.append(rate)
    }
    self.rates = ExchangeRates(base: base, rates: rates)
  }

  public func policy(of bundleID: String) -> RevenuePolicy { appPolicies[bundleID] ?? policy }

  public func code(_ account: JournalAccount) -> String { codes[account] ?? account.usualCode }

  /// The policies as a header states them: `principal, com.acme.kids agent`.
  public var policyText: String {
    ([policy.rawValue] + appPolicies.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" }).joined(separator: ", ")
  }

  var entries: [SettingsEntry] {
    let rates = rates?.rates.map { "\($0.currency) \($0.from) \($0.text)" }.sorted().joined(separator: "; ") ?? ""
    return [
      SettingsEntry("journal.base_currency", self.rates?.base ?? ""),
      SettingsEntry("journal.dimensions", Dimension.allCases.filter(dimensions.contains).map(\.rawValue).joined(separator: ", ")),
      SettingsEntry("journal.policy", policyText), SettingsEntry("journal.rates", rates),
    ] + JournalAccount.allCases.map { SettingsEntry("journal.accounts.\($0.rawValue)", code($0)) }
  }
}
