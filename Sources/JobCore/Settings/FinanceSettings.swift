/// Requirements on financial files, and the rates of proceeds estimates.
public struct FinanceSettings: Sendable, Hashable {
  /// A rate that is valid from a day on, for one storefront or for all.
  public struct Rate: Sendable, Hashable {
    /// Three letters; nil for every storefront without a separate rate.
    public var storefront: String?
    /// Programme of a commission: `standard`, `small_business` or `rate_after_one_year`; nil for a tax.
    public var programme: String?
    /// First day, `YYYY-MM-DD`.
    public var validFrom: String
    /// Hundredths of a percent: 3000 is 30 %.
    public var basisPoints: Int64

    public init(storefront: String?, programme: String?, validFrom: String, basisPoints: Int64) {
      self.storefront = storefront
      self.programme = programme
      self.validFrom = validFrom
      self.basisPoints = basisPoints
    }
  }

  /// The source of exchange rates for estimates, from a day on.
  public struct RateSource: Sendable, Hashable {
    /// `report` is the amount paid divided by the amount owed; `printed` is the rate on the payment page.
    public var name: String
    /// First day, `YYYY-MM-DD`.
    public var validFrom: String

    public init(_ name: String, validFrom: String) {
      self.name = name
      self.validFrom = validFrom
    }
  }

  /// A vendor number whose reports are downloaded, with the API key of its team.
  public struct Account: Sendable, Hashable {
    public var vendor: String
    /// The team's issuer id, a UUID.
    public var issuerID: String
    public var keyID: String
    /// The `.p8` file of a team key with access to sales and finance.
    public var keyFile: String
    /// First and last day of the download, `YYYY-MM-DD`. nil starts a year ago, or has no end.
    public var from: String?
    public var to: String?

    public init(vendor: String, issuerID: String, keyID: String, keyFile: String, from: String? = nil, to: String? = nil) {
      self.vendor = vendor
      self.issuerID = issuerID
      self.keyID = keyID
      self.keyFile = keyFile
      self.from = from
      self.to = to
    }
  }

  public var accounts: [Account] = []
  public var reports = FinanceSettings.knownReports
  /// Our vendor numbers; empty accepts any.
  public var vendors: [String] = []
  /// Our name as printed in reports; empty accepts any.
  public var developers: [String] = []
  /// Number of fiscal periods after which an unsettled amount counts as never collected.
  public var horizonPeriods: Int64 = 2
  /// Number of days from a sale to its settlement after which it is late. An earlier settlement may fall into the next period (cut-off).
  public var lateSettleDays: Int64 = 31
  /// Proved and explained units that the close of a period requires in each currency, in hundredths of a percent.
  public var coverageTarget: Int64 = FinanceSettings.usualCoverageTarget
  public var programme = "standard"
  /// Apple's commission as agreed, by storefront, programme and day. Apple's lines are compared with these rates, even where they repeat a
  /// shipped one.
  public var agreedCommissions: [Rate] = []
  /// Tax included in the price, by storefront and day.
  public var taxes: [Rate] = []
  /// Sources of exchange rates for estimates, each with its first day. Before the first of these days, the source is `report`.
  public var rateSources: [RateSource] = []

  public init() {}

  /// The rates in force, which serve estimates. Of several with one place and day the last one counts, which is the agreed one.
  public var commissions: [Rate] { Self.shippedCommissions + agreedCommissions }

  public static let usualCoverageTarget: Int64 = 9500

  /// The coverage target in percent, as the settings and the database write it.
  package var coverageTargetText: String { Self.percent(coverageTarget) }

  private static func percent(_ basisPoints: Int64) -> String {
    let rest = basisPoints % 100
    let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return "\(basisPoints / 100)\(digits)"
  }

  public static let rateSourceNames = ["report", "printed"]

  public static let programmes = ["standard", "small_business", "rate_after_one_year"]

  public static let knownReports = ["FINANCIAL", "FINANCE_DETAIL", "SALES", "SUBSCRIBER", "SUBSCRIPTION_EVENT"]

  public static let shippedCommissions = [
    Rate(storefront: nil, programme: "standard", validFrom: "2008-07-10", basisPoints: 3000),
    Rate(storefront: nil, programme: "small_business", validFrom: "2021-01-01", basisPoints: 1500),
    Rate(storefront: nil, programme: "rate_after_one_year", validFrom: "2016-06-13", basisPoints: 1500),
    Rate(storefront: "CHN", programme: "standard", validFrom: "2026-03-15", basisPoints: 2500),
    Rate(storefront: "CHN", programme: "small_business", validFrom: "2026-03-15", basisPoints: 1200),
    Rate(storefront: "CHN", programme: "rate_after_one_year", validFrom: "2026-03-15", basisPoints: 1200),
  ]

  /// One entry per key that can change a result.
  var entries: [SettingsEntry] {
    // The last one of several rates with one place and day counts.
    func text(_ rates: [Rate]) -> String {
      Dictionary(rates.map { ([$0.storefront ?? "*", $0.programme, $0.validFrom].compactMap(\.self), $0.basisPoints) }) { $1 }
        .map { ($0.key + ["\($0.value)"]).joined(separator: " ") }.sorted().joined(separator: "; ")
    }
    let dated = rateSources.sorted { $0.validFrom < $1.validFrom }.map { "\($0.name) from \($0.validFrom)" }
    let sources = (["report"] + dated).joined(separator: "; ")
    return [
      // All rates in force. `SettingsEntry.shown` has the keys of the settings file.
      SettingsEntry("finance.commissions", text(commissions)),
      SettingsEntry("finance.developers", developers.sorted().joined(separator: ", ")),
      SettingsEntry("finance.fx_source", sources), SettingsEntry("finance.horizon_periods", "\(horizonPeriods)"),
      SettingsEntry("finance.late_settle_after", "\(lateSettleDays)d"),
      SettingsEntry("finance.programme", programme), SettingsEntry("finance.taxes", text(taxes)),
      SettingsEntry("finance.vendors", vendors.sorted().joined(separator: ", ")),
      // The usual target is no entry, so that the identity of earlier runs stays the same.
    ] + (agreedCommissions.isEmpty ? [] : [SettingsEntry("finance.commission", text(agreedCommissions))])
      + (coverageTarget == Self.usualCoverageTarget ? [] : [SettingsEntry("finance.coverage_target", coverageTargetText)])
  }

  /// Entries about the access to reports, which change no result. They contain no key.
  var accessEntries: [SettingsEntry] {
    guard !accounts.isEmpty else { return [] }
    return accounts.sorted { $0.vendor < $1.vendor }.flatMap { account in
      [
        ("from", account.from ?? ""), ("issuer_id", account.issuerID), ("key_file", account.keyFile), ("key_id", account.keyID),
        ("to", account.to ?? ""),
      ].map { SettingsEntry("finance.accounts.\(account.vendor).\($0)", $1) }
    } + [SettingsEntry("finance.reports", reports.joined(separator: ", "))]
  }
}
