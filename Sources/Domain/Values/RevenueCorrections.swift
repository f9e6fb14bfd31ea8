/// Why a fact changes the money of an earlier period.
public enum RevenueCause: String, Sendable, Hashable, CaseIterable {
  case lateFact = "late_fact"
  case refund
  case reversal

  /// Returns the cause of a difference between consecutive schedules of one charge.
  ///
  /// - Parameter before: nil if the charge was unknown.
  static func of(_ before: RevenueSchedule?, _ now: RevenueSchedule) -> RevenueCause {
    guard let before, before.refunds != now.refunds else { return .lateFact }
    return (now.refunds.last?.amount ?? 0) < (before.refunds.last?.amount ?? 0) ? .reversal : .refund
  }
}

/// Corrections of earlier periods, by the period in which they are booked and by cause.
public struct RevenueCorrections: Sendable {
  /// A period that restates an earlier one of the same calendar.
  public struct Place: Hashable, Sendable {
    public var calendar: Int
    public var currency: String
    public var period: Int
    public var restates: Int
    public var cause: RevenueCause
  }

  public private(set) var flows: [Place: RevenueFlow] = [:]

  public init() {}

  mutating func add(_ flow: RevenueFlow, at place: Place) { flows[place] = (flows[place] ?? RevenueFlow()) + flow }
}

extension RevenueLedger {
  /// Splits the rows of late facts by cause. Each version of a schedule differs from the one before it by the facts of one day.
  func corrections(
    _ versions: [RevenueFacts.Version], begunOn: Int, calendar number: Int, currency: String, through day: Int
  ) -> [(place: RevenueCorrections.Place, flow: RevenueFlow)] {
    let calendar = calendars[number]
    let begun = calendar.index(of: begunOn)
    func counted(_ version: RevenueFacts.Version) -> Int {
      let period = calendar.index(of: version.knownOn)
      return period <= begun ? 0 : period
    }
    return versions.indices.flatMap { index -> [(RevenueCorrections.Place, RevenueFlow)] in
      let (now, period) = (versions[index].schedule, counted(versions[index]))
      // The period counts by the last schedule that became known in it.
      let counts = versions.last { counted($0) == period }?.schedule ?? now
      guard period > 0, calendar.first(period) <= day, counts.bookedOn <= day else { return [] }
      let before = index > 0 ? versions[index - 1].schedule : nil
      let cause = RevenueCause.of(before, now)
      return Self.restated(from: before, to: now, before: period, calendar).map { restated, flow in
        (.init(calendar: number, currency: currency, period: period, restates: restated, cause: cause), flow)
      }
    }
  }
}
