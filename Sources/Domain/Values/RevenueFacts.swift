/// What is known of the money of one charge, and since when. Days count from 1970-01-01.
public struct RevenueFacts: Sendable {
  /// A fact, and the last day that was complete when it became known.
  public struct Known<Fact: Sendable>: Sendable {
    public var fact: Fact
    public var knownOn: Int

    public init(_ fact: Fact, knownOn: Int) {
      self.fact = fact
      self.knownOn = knownOn
    }
  }

  /// The schedule as it was known from a day on.
  public struct Version: Sendable {
    public var knownOn: Int
    public var schedule: RevenueSchedule

    public init(knownOn: Int, schedule: RevenueSchedule) {
      self.knownOn = knownOn
      self.schedule = schedule
    }
  }

  public var total: Int64
  /// Smallest amount of the currency.
  public var unit: Int64
  /// The day of the charge, known with its price.
  public var bookedOn: Known<Int>
  public var termStart: Int
  /// First day after the term; nil for what is earned on one day.
  public var termEnd: Int?
  /// The day on which something without a term is earned, where a delivery tells it.
  public var deliveredOn: Known<Int>?
  public var refunds: [Known<RevenueSchedule.Refund>] = []
  public var extensions: [Known<RevenueSchedule.Extension>] = []
  public var upgradeDay: Known<Int>?

  public init(total: Int64, unit: Int64, bookedOn: Known<Int>, termStart: Int, termEnd: Int?) {
    self.total = total
    self.unit = unit
    self.bookedOn = bookedOn
    self.termStart = termStart
    self.termEnd = termEnd
  }

  /// The schedule by what was known when a day was the last complete one.
  public func schedule(knownBy day: Int) -> RevenueSchedule {
    func known<Fact>(_ fact: Known<Fact>?) -> Fact? { fact.flatMap { $0.knownOn <= day ? $0.fact : nil } }
    let start = known(deliveredOn) ?? termStart
    return RevenueSchedule(
      total: total, unit: unit, bookedOn: bookedOn.fact, termStart: start, termEnd: termEnd ?? start + 1,
      refunds: refunds.compactMap { known($0) }, upgradeDay: known(upgradeDay), extensions: extensions.compactMap { known($0) })
  }

  /// The schedules in the order in which they became known, each other than the one before it.
  public var versions: [Version] {
    let later = refunds.map(\.knownOn) + extensions.map(\.knownOn) + [deliveredOn?.knownOn, upgradeDay?.knownOn].compactMap(\.self)
    var versions: [Version] = []
    for day in Set([bookedOn.knownOn] + later.filter { $0 > bookedOn.knownOn }).sorted() {
      let schedule = schedule(knownBy: day)
      if versions.last?.schedule != schedule { versions.append(Version(knownOn: day, schedule: schedule)) }
    }
    return versions
  }
}
