/// Worlds without differences over both changes of summer time. Apple's days follow the rules of time zones, so every unit of every
/// period is proved.
@Suite(.cleansUp) struct DaylightSavingTests {
  typealias Line = FinanceFiles.Line

  /// The changes between summer and standard time, written by hand: the offset to UTC in hours, and its start.
  enum Zone: String {
    case pacific = "America/Los_Angeles"
    case eastern = "America/New_York"
    case berlin = "Europe/Berlin"
    case tokyo = "Asia/Tokyo"

    private var changes: [(from: String, hours: Int64)] {
      switch self {
      case .pacific: [("2026-03-08T10:00:00Z", -7), ("2026-11-01T09:00:00Z", -8), ("2027-03-14T10:00:00Z", -7)]
      case .eastern: [("2026-03-08T07:00:00Z", -4), ("2026-11-01T06:00:00Z", -5), ("2027-03-14T07:00:00Z", -4)]
      case .berlin: [("2026-03-29T01:00:00Z", 2), ("2026-10-25T01:00:00Z", 1), ("2027-03-28T01:00:00Z", 2)]
      case .tokyo: [("1970-01-01T00:00:00Z", 9)]
      }
    }

    /// Returns the day of an instant, counted since 1970.
    func day(of at: Timestamp) -> Int {
      let hours = changes.last { instant($0.from) <= at }?.hours ?? 0
      return Int((at.wholeSeconds + hours * 3600) / 86_400)
    }
  }

  struct Store: Sendable {
    var storefront: String
    var country: String
    var currency: String
    var price: (milliunits: Int64, text: String)
    var share: String
  }

  static let stores = [
    Store(storefront: "USA", country: "US", currency: "USD", price: (990, "0.99"), share: "0.69"),
    Store(storefront: "DEU", country: "DE", currency: "EUR", price: (1190, "1.19"), share: "0.70"),
    Store(storefront: "JPN", country: "JP", currency: "JPY", price: (160_000, "160"), share: "112"),
  ]

  struct World: NamedCase {
    var name: String
    var zones: [Zone]
    var basis = ["learned", "learned", "learned"]
    var isFinancial = false
  }

  static let worlds = [
    World(name: "each storefront has its own days", zones: [.pacific, .berlin, .tokyo]),
    World(name: "all have Apple's days", zones: [.pacific, .pacific, .pacific]),
    World(name: "one has days that are not usual there", zones: [.eastern, .berlin, .tokyo]),
    World(name: "reports without days", zones: [.pacific, .berlin, .tokyo], basis: ["usual", "usual", "usual"], isFinancial: true),
  ]

  static let asOf = "2027-08-01T00:00:00Z"
  /// Name, first and last day of the periods around both changes, and of those in which their sales may settle late.
  static let periods = [
    ("2027-P01", "2026-09-27", "2026-10-31"), ("2027-P02", "2026-11-01", "2026-11-28"), ("2027-P06", "2027-02-28", "2027-03-27"),
    ("2027-P07", "2027-03-28", "2027-05-01"),
  ]

  static func sales() -> [Timestamp] {
    [("2026-10-22T00:07:00Z", 14), ("2027-03-12T00:07:00Z", 5), ("2027-03-26T00:07:00Z", 5)].flatMap { first, days in
      let begin = instant(first)
      return stride(from: Int64(0), to: Int64(days) * 86_400, by: 149 * 60).map { begin.advanced(bySeconds: $0) }
    }
  }

  private static func number(_ day: String) -> Int { Int(instant("\(day)T00:00:00Z").wholeSeconds / 86_400) }

  @Test(arguments: worlds) func everyUnitIsProved(_ world: World) async throws {
    let scenario = try await Scenario()
    var purchases: [ApplePurchase] = []
    var units: [Int: [Int: Int]] = [:]
    for (index, store) in Self.stores.enumerated() {
      for (number, at) in Self.sales().enumerated() {
        purchases.append(
          ApplePurchase("\(index)-\(number)", at: at.rfc3339, price: store.price.milliunits).with {
            ($0.storefront, $0.currency) = (store.storefront, store.currency)
          })
        units[world.zones[index].day(of: at), default: [:]][index, default: 0] += 1
      }
    }
    _ = try await scenario.evidence(purchases.map(\.jws), asOf: Self.asOf)
    for (name, first, last) in Self.periods {
      let lines = units.filter { Self.number(first)...Self.number(last) ~= $0.key }.sorted { $0.key < $1.key }.flatMap { day, counts in
        counts.sorted { $0.key < $1.key }.map { index, count in
          let store = Self.stores[index]
          let date = "\(CivilDate(daysSince1970: day))"
          return Line(date, settled: date) {
            ($0.country, $0.region, $0.currency) = (store.country, store.country, store.currency)
            ($0.price, $0.share, $0.units) = (store.price.text, store.share, count)
          }
        }
      }
      let text =
        world.isFinancial ? FinanceFiles.financial(lines, from: first, to: last) : FinanceFiles.detail(lines, from: first, to: last)
      try await scenario.ingest(.finance, text, name: name, asOf: Self.asOf)
    }
    for (name, _, _) in Self.periods {
      let outcome = try await scenario.tieOut(name, asOf: Self.asOf)
      #expect(outcome.coverage.count == 3 && outcome.coverage.allSatisfy { $0.percent.proved == "100.00" }, "\(name): \(outcome.coverage)")
      #expect(outcome.changedCount == 0, "\(name)")
    }
    let zones = try #require(try await FigureWalk.tables(.tieout, scenario, asOf: Self.asOf)["tieout_offsets"])
    for (index, store) in Self.stores.enumerated() {
      let found = zones.filter { $0["storefront"] == store.storefront && $0["fiscal_period"] == "2027-P02" }
      #expect(found.map { $0["zone"] } == [world.zones[index].rawValue], "\(found)")
      #expect(found.map { $0["basis"] } == [world.basis[index]], "\(found)")
      if !world.isFinancial {
        #expect(found.allSatisfy { $0["hit_count"] == $0["unit_count"] && $0["runner_up"] != $0["zone"] }, "\(found)")
      }
    }
  }
}
