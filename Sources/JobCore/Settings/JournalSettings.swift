public import Domain

/// How the journal books revenue.
public struct JournalSettings: Sendable, Hashable {
  /// Dimensions by which lines are kept apart.
  public enum Dimension: String, Sendable, CaseIterable {
    case app, storefront, product
  }

  /// The policy of apps without an entry in `appPolicies`.
  public var policy = RevenuePolicy.principal
  /// Policies by bundle id.
  public var appPolicies: [String: RevenuePolicy] = [:]
  /// Account numbers of the ledger that imports the journal.
  public var codes: [JournalAccount: String] = [:]
  public var dimensions = Set(Dimension.allCases)
  /// Rates into the base currency; nil for a journal without one.
  public var rates: ExchangeRates?

  public init() {}

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
