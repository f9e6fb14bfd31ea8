internal import Domain
internal import JobCore
internal import YAML

/// The block "finance" of the settings file: accounts and reports to download, and rates for estimated proceeds.
enum FinanceBlock {
  static func read(_ node: SettingsNode) throws -> FinanceSettings {
    let fields = try node.mapping([
      "accounts", "reports", "vendors", "developers", "horizon_periods", "late_settle_after", "programme", "commission", "tax",
      "fx_source", "coverage_target",
    ])
    var settings = FinanceSettings()
    settings.vendors = try fields["vendors"]?.list().map { try $0.text() } ?? []
    settings.developers = try fields["developers"]?.list().map { try $0.text() } ?? []
    if let accounts = fields["accounts"] {
      settings.accounts = try accounts.list(uniqueBy: \.vendor, twice: { "names vendor number \($0) twice" }) {
        try account($0, of: settings.vendors)
      }
    }
    if let reports = fields["reports"] {
      let names = try reports.list().map { try $0.choice(FinanceSettings.knownReports) }
      guard !names.isEmpty else { throw reports.fault("names no report") }
      settings.reports = FinanceSettings.knownReports.filter(names.contains)
    }
    if let horizon = fields["horizon_periods"] {
      settings.horizonPeriods = try horizon.integer()
      guard (1...12).contains(settings.horizonPeriods) else { throw horizon.fault("must be a whole number from 1 to 12") }
    }
    if let late = fields["late_settle_after"] { settings.lateSettleDays = try days(late) }
    if let target = fields["coverage_target"] { settings.coverageTarget = try basisPoints(target) }
    if let programme = fields["programme"] { settings.programme = try programme.choice(FinanceSettings.programmes) }
    settings.agreedCommissions = try fields["commission"]?.list().map { try rate($0, hasProgramme: true) } ?? []
    settings.taxes = try fields["tax"]?.list().map { try rate($0, hasProgramme: false) } ?? []
    if let source = fields["fx_source"] { settings.rateSources = try rateSources(source) }
    return settings
  }

  /// Reads one word that applies always, or a list such as `[{source: printed, valid_from: 2026-08-30}]`.
  private static func rateSources(_ node: SettingsNode) throws -> [FinanceSettings.RateSource] {
    guard (try? node.list()) != nil else {
      let source = try node.choice(FinanceSettings.rateSourceNames)
      return source == "report" ? [] : [FinanceSettings.RateSource(source, validFrom: "0001-01-01")]
    }
    return try node.list(uniqueBy: \.validFrom, twice: { "names two sources from \($0) on" }) { entry in
      let fields = try entry.mapping(["source", "valid_from"])
      guard let source = fields["source"], let from = fields["valid_from"] else {
        throw entry.fault("needs \"source\" and \"valid_from\"")
      }
      return FinanceSettings.RateSource(try source.choice(FinanceSettings.rateSourceNames), validFrom: try day(from))
    }
  }

  /// Reads `{vendor: "85000000", issuer_id: …, key_id: …, key_file: …, from: 2026-01-01, to: 2026-11-14}`.
  private static func account(_ node: SettingsNode, of vendors: [String]) throws -> FinanceSettings.Account {
    let fields = try node.mapping(["vendor", "issuer_id", "key_id", "key_file", "from", "to"])
    guard let vendor = fields["vendor"], let issuer = fields["issuer_id"], let key = fields["key_id"], let file = fields["key_file"]
    else { throw node.fault("needs \"vendor\", \"issuer_id\", \"key_id\" and \"key_file\"") }
    let number = try vendor.text()
    guard (1...20).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw vendor.fault("is not a vendor number, such as 85000000")
    }
    guard vendors.isEmpty || vendors.contains(number) else { throw vendor.fault("is none of finance.vendors") }
    let account = FinanceSettings.Account(
      vendor: number, issuerID: try issuer.text(), keyID: try key.text(), keyFile: try file.text(),
      from: try fields["from"].map(day), to: try fields["to"].map(day))
    if let from = account.from, let to = account.to, to < from { throw node.fault("ends before it begins") }
    return account
  }

  static func day(_ node: SettingsNode) throws -> String {
    let day = try node.text()
    guard CivilDate(day) != nil else { throw node.fault("is not a day such as 2026-03-15") }
    return day
  }

  private static func days(_ node: SettingsNode) throws -> Int64 {
    let seconds = try node.seconds()
    let day: Int64 = 86_400
    guard seconds % day == 0, (1...400).contains(seconds / day) else { throw node.fault("must be whole days from 1d to 400d") }
    return seconds / day
  }

  /// Reads `{storefront: CHN, programme: standard, valid_from: 2026-03-15, percent: 25}`.
  private static func rate(_ node: SettingsNode, hasProgramme: Bool) throws -> FinanceSettings.Rate {
    let names: Set<String> = ["storefront", "valid_from", "percent"]
    let fields = try node.mapping(hasProgramme ? names.union(["programme"]) : names)
    guard let from = fields["valid_from"], let percent = fields["percent"] else {
      throw node.fault("needs \"valid_from\" and \"percent\"")
    }
    let day = try day(from)
    return FinanceSettings.Rate(
      storefront: try fields["storefront"]?.text(),
      programme: hasProgramme ? try fields["programme"].map { try $0.choice(FinanceSettings.programmes) } ?? "standard" : nil,
      validFrom: day, basisPoints: try basisPoints(percent))
  }

  /// Converts a percentage such as `15`, `7.5` or `7.25` to hundredths of a percent.
  private static func basisPoints(_ node: SettingsNode) throws -> Int64 {
    let parts = try node.text().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let fraction = parts.count > 1 ? parts[1] : ""
    guard (1...2).contains(parts.count), fraction.utf8.count <= 2, let whole = Int64(parts[0]),
      let part = Int64((fraction + "00").prefix(2)), (0...100).contains(whole), part >= 0, whole * 100 + part <= 10_000
    else { throw node.fault("must be a percentage from 0 to 100 with at most two digits behind the point") }
    return whole * 100 + part
  }
}
