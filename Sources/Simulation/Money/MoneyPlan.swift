/// What happens in a money world: plain sales, and planted causes at places of their own.
struct MoneyPlan: Sendable {
  /// A product in a storefront on a day.
  struct Spot: Sendable {
    var good: Int
    var store: Int
    var day: Int
    /// Which of the periods it is planted for.
    var period: Int
  }

  struct Story: Sendable {
    /// Nil for plain sales.
    var cause: MoneyCause?
    var spot: Spot?
  }

  /// Most places of one cause; more of it happens at the same ones.
  private static let spotsMax = 24
  /// Fewest units of one cause: one in each period.
  private static let least = 3
  private static let tries = 4000

  let stories: [Story]

  init(seed: UInt64, charges: Int) {
    var random = RandomSource(seed: seed, stream: .max)
    var taken = Set<[Int]>()
    var planted: [Story] = []
    for cause in MoneyCause.allCases {
      let units = max(Self.least, charges * cause.perMillion / 1_000_000)
      let spots = (0..<min(units, Self.spotsMax)).compactMap { Self.spot(cause, number: $0, &random, &taken) }
      guard !spots.isEmpty else { continue }
      planted += (0..<units).map { Story(cause: cause, spot: spots[$0 % spots.count]) }
    }
    var stories = planted + Array(repeating: Story(), count: max(0, charges - planted.count))
    random.shuffle(&stories)
    self.stories = stories
  }

  /// A place with room around it; nil when there is none left.
  private static func spot(
    _ cause: MoneyCause, number: Int, _ random: inout RandomSource, _ taken: inout Set<[Int]>
  ) -> Spot? {
    let period = number % FiscalSpan.periods.count
    let days = cause.days(in: period)
    for _ in 0..<tries {
      let good = random.pick(cause.goods)
      let stores = cause.stores(of: good)
      guard !stores.isEmpty else { continue }
      let store = random.pick(stores)
      let day = days.lowerBound + random.below(days.count)
      let room = cause.sides.flatMap { side in cause.reach.map { [good, store, day + $0, side] } }
      guard taken.isDisjoint(with: room) else { continue }
      taken.formUnion(room)
      return Spot(good: good, store: store, day: day, period: period)
    }
    return nil
  }
}
