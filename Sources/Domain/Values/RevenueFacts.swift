/// The facts about the money of one charge, each with the day on which it became known. Days count from 1970-01-01.
public struct RevenueFacts: Sendable {
  /// A fact, and the last complete day when it became known.
  public struct Known<Fact: Sendable>: Sendable {
    public var fact: Fact
    public var knownOn: Int

    public init(_ fact: Fact, knownOn: Int) {
      self.fact = fact
      self.knownOn = knownOn
    }
  }

  /// The schedule as known from a day on.
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

  public init(total: Int64, unit: Int64, bookedOn: Known<Int>, termStart: Int, termEnd: Int?) {
    self.total = total
    self.unit = unit
    self.bookedOn = bookedOn
    self.termStart = termStart
    self.termEnd = termEnd
  }

  /// Returns the schedule by the facts known when a day was the last complete one.
  public func schedule(knownBy day: Int) -> RevenueSchedule {
    func known<Fact>(_ fact: Known<Fact>?) -> Fact? { fact.flatMap { $0.knownOn <= day ? $0.fact : nil } }
    let start = known(deliveredOn) ?? termStart
    return RevenueSchedule(
      total: total, unit: unit, bookedOn: bookedOn.fact, termStart: start, termEnd: termEnd ?? start + 1,
      refunds: refunds.compactMap { known($0) }, upgradeDay: known(upgradeDay), extensions: extensions.compactMap { known($0) })
  }

  /// The schedules in the order in which they became known, without repetitions.
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
