/// The stories of a money world: plain sales, and planted causes at separate spots.
struct MoneyPlan: Sendable {
  /// A product in a storefront on a day.
  struct Spot: Sendable {
    var good: Int
    var store: Int
    var day: Int
    /// Index of the period it is planted for.
    var period: Int
  }

  struct Story: Sendable {
    /// nil for plain sales.
    var cause: MoneyCause?
    var spot: Spot?
  }

  /// Maximum number of spots per cause; further units reuse them.
  private static let spotsMax = 24
  /// Minimum number of units per cause: one in each period.
  private static let least = 3
  private static let tries = 4000

  let stories: [Story]

  init(seed: UInt64, charges: Int) {
    var random = RandomSource(seed: seed, stream: .max)
    var taken = Set<[Int]>()
    var planted: [Story] = []
    for cause in MoneyCause.allCases {
      let units = max(Self.least, charges * cause.facts.perMillion / 1_000_000)
      let spots = (0..<min(units, Self.spotsMax)).compactMap { Self.spot(cause, number: $0, &random, &taken) }
      guard !spots.isEmpty else { continue }
      planted += (0..<units).map { Story(cause: cause, spot: spots[$0 % spots.count]) }
    }
    var stories = planted + Array(repeating: Story(), count: max(0, charges - planted.count))
    random.shuffle(&stories)
    self.stories = stories
  }

  /// Returns a spot with enough free days around it; nil when none is left.
  private static func spot(_ cause: MoneyCause, number: Int, _ random: inout RandomSource, _ taken: inout Set<[Int]>) -> Spot? {
    let period = number % FiscalSpan.periods.count
    let days = cause.days(in: period)
    for _ in 0..<tries {
      let good = random.pick(cause.goods)
      let stores = cause.stores(of: good)
      guard !stores.isEmpty else { continue }
      let store = random.pick(stores)
      let day = days.lowerBound + random.below(days.count)
      let room = cause.sides.flatMap { side in cause.freeDays.map { [good, store, day + $0, side] } }
      guard taken.isDisjoint(with: room) else { continue }
      taken.formUnion(room)
      return Spot(good: good, store: store, day: day, period: period)
    }
    return nil
  }
}
