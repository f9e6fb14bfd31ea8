/// A database and a simulated App Store Connect with one or two vendor numbers.
struct ReportSetup {
  static let own = "85000000"
  static let other = "86000000"
  static let asOf = "2026-11-21T16:00:00Z"

  var scenario: Scenario
  let store: AppStoreSimulator
  private let time = WorldClock(Moment(milliseconds: 1_795_276_800_000))

  /// - Parameters:
  ///   - from: first day to download.
  ///   - to: last day to download; nil for no end.
  init(reports: [String] = ["SALES"], from: String = "2026-11-19", to: String? = nil) async throws {
    var scenario = try await Scenario()
    let (keyFile, key) = try StoreSetup.key(in: scenario, id: "2X9R4HXF34")
    let time = time
    store = try await AppStoreSimulator.start(
      AppStoreSimulator.Configuration(
        start: try #require(Moment(Self.asOf)), keys: [key], wallClock: { time.milliseconds }))
    CleanUp.afterTest { [store] in await store.stop() }
    store.changeReports { $0.vendors = [Self.own] }
    scenario.settings.finance.accounts = [Self.account(Self.own, keyFile, from: from, to: to)]
    scenario.settings.finance.reports = reports
    self.scenario = scenario
  }

  private static func account(_ vendor: String, _ keyFile: String, from: String, to: String?) -> FinanceSettings.Account {
    FinanceSettings.Account(vendor: vendor, issuerID: StoreSetup.issuer, keyID: "2X9R4HXF34", keyFile: keyFile, from: from, to: to)
  }

  mutating func addVendor(_ vendor: String, from: String) {
    scenario.settings.finance.accounts.append(Self.account(vendor, scenario.settings.finance.accounts[0].keyFile, from: from, to: nil))
    store.changeReports { _ = $0.vendors.insert(vendor) }
  }

  /// Publishes a report of a day or a fiscal period in App Store Connect.
  func publish(_ report: String, _ period: String, vendor: String = own, _ text: String) {
    store.changeReports { $0.reports[ReportStore.Key(report, vendor: vendor, period: period)] = text }
  }

  func refuse(_ report: String, _ period: String, _ refusal: ReportStore.Refusal?) {
    store.changeReports { $0.refusals[ReportStore.Key(report, vendor: Self.own, period: period)] = refusal }
  }

  func collect(again: [String] = [], asksMax: Int = 100, asOf: String = asOf) async throws -> FinanceOutcome {
    let context = try scenario.context(asOf: asOf)
    let access = try ReportAccess(context: context, addresses: StoreSetup.addresses(of: store), clock: time.server)
    return try await FinanceCollectJob(context: context, access: access, asksMax: asksMax).run(again: again)
  }

  var askCount: Int { store.changeReports { $0.asked.values.reduce(0, +) } }

  /// Returns the positions as `VENDOR REPORT PERIOD outcome asks`, sorted.
  func positions() async throws -> [String] {
    try await scenario.answers(
      "select concat_ws(' ', vendor, report, period, outcome, ask_count) from payrecon.finance_downloads order by 1")
  }

  /// Returns the FINANCE_DETAIL report of fiscal 2027-P01, 2026-09-27 to 2026-10-31.
  static func detail(units: Int) -> String {
    FinanceFiles.detail([.init("2026-10-10", settled: "2026-10-12") { $0.units = units }], from: "2026-09-27", to: "2026-10-31")
  }
}
