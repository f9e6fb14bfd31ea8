/// The facts about the money of one charge, each with the day on which it became known. Days count from 1970-01-01.
public struct RevenueFacts: Sendable {
  /// The day of facts that were known when the books began. They count from the first period.
  public static let history = Int.min

  /// A fact, and the last complete day when it became known.
  public struct Known<Fact: Sendable>: Sendable {
    public var fact: Fact
    /// `history` for a fact that is late in no period.
    public var knownOn: Int

    public init(_ fact: Fact, knownOn: Int) {
      self.fact = fact
      self.knownOn = knownOn
    }
  }

  /// The schedule as known from a day on.
  public struct Version: Sendable, Equatable {
    public var knownOn: Int
    public var schedule: RevenueSchedule
    /// Whether a cell of the tie-out has proved the amount.
    public var isProved: Bool

    public init(knownOn: Int, schedule: RevenueSchedule, isProved: Bool = false) {
      self.knownOn = knownOn
      self.schedule = schedule
      self.isProved = isProved
    }
  }

  /// Returns facts that differ from the one before.
  public static func changes<Fact: Equatable>(_ known: [Known<Fact>]) -> [Known<Fact>] {
    known.indices.filter { $0 == 0 || known[$0].fact != known[$0 - 1].fact }.map { known[$0] }
  }

  public var total: Int64
  /// Smallest amount of the currency.
  public var unit: Int64
  /// The day of the charge, and the day on which its price became known.
  public var bookedOn: Known<Int>
  public var termStart: Int
  /// First day after the term; nil if the charge is earned on one day.
  public var termEnd: Int?
  /// The day of delivery, on which a charge without a term is earned; nil if unknown.
  public var deliveredOn: Known<Int>?
  public var refunds: [Known<RevenueSchedule.Refund>] = []
  public var extensions: [Known<RevenueSchedule.Extension>] = []
  public var upgradeDay: Known<Int>?
  /// Terms that replace the original one, each from the day on which it became known, in that order.
  public var terms: [Known<Range<Int>>] = []
  /// Amounts to earn on another basis than the price, in the order in which they became known. Empty for the price.
  public var amounts: [Known<Int64>] = []
  /// The day on which the first proved amount became known. Earlier amounts are estimates.
  public var provedOn = Int.max

  public init(total: Int64, unit: Int64, bookedOn: Known<Int>, termStart: Int, termEnd: Int?) {
    self.total = total
    self.unit = unit
    self.bookedOn = bookedOn
    self.termStart = termStart
    self.termEnd = termEnd
  }

  /// Returns the schedule by the facts known when a day was the last complete one.
  ///
  /// - Parameter amountDay: the same for the amount of the basis; nil for the same day.
  public func schedule(knownBy day: Int, amountKnownBy amountDay: Int? = nil) -> RevenueSchedule {
    func known<Fact>(_ fact: Known<Fact>?) -> Fact? { fact.flatMap { $0.knownOn <= day ? $0.fact : nil } }
    let term = terms.last { $0.knownOn <= day }?.fact
    let start = term?.lowerBound ?? known(deliveredOn) ?? termStart
    let amount = amounts.isEmpty ? total : amounts.last { $0.knownOn <= amountDay ?? day }?.fact ?? 0
    return RevenueSchedule(
      total: amount, unit: unit, bookedOn: bookedOn.fact, termStart: start, termEnd: term?.upperBound ?? termEnd ?? start + 1,
      refunds: refunds.compactMap { known($0) }.map { .init(day: $0.day, amount: part($0.amount, of: amount)) },
      upgradeDay: known(upgradeDay), extensions: extensions.compactMap { known($0) })
  }

  /// Returns the part of an amount that a refund of a part of the price takes, rounded to whole units.
  private func part(_ refunded: Int64, of amount: Int64) -> Int64 {
    guard amount != total, total > 0 else { return refunded }
    guard refunded < total else { return amount }
    return min(amount, Money.rounded(Int128(max(refunded, 0)) * Int128(amount), over: Int128(total), unit: unit))
  }

  /// The schedules in the order in which they became known, without repetitions.
  public var versions: [Version] {
    let later =
      refunds.map(\.knownOn) + extensions.map(\.knownOn) + [deliveredOn?.knownOn, upgradeDay?.knownOn].compactMap(\.self)
      + terms.map(\.knownOn)
    var versions: [Version] = []
    func add(_ schedule: RevenueSchedule, _ day: Int) {
      if versions.last?.schedule != schedule { versions.append(Version(knownOn: day, schedule: schedule, isProved: day >= provedOn)) }
    }
    for day in Set([bookedOn.knownOn] + (later + amounts.map(\.knownOn)).filter { $0 > bookedOn.knownOn }).sorted() {
      // Another amount makes a separate version, so that the difference has no other cause.
      if day > bookedOn.knownOn, amounts.contains(where: { $0.knownOn == day }) {
        add(schedule(knownBy: day - 1, amountKnownBy: day), day)
      }
      add(schedule(knownBy: day), day)
    }
    return versions
  }
}
