internal import Domain

/// An instant with Apple's resolution of a millisecond.
public struct Moment: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads RFC 3339 text. Returns nil when it is invalid.
  public init?(_ rfc3339: String) {
    guard let instant = Timestamp(rfc3339: rfc3339) else { return nil }
    milliseconds = instant.microseconds / 1000
  }

  /// RFC 3339 text in UTC.
  public var text: String { Timestamp(milliseconds: milliseconds).rfc3339 }

  public static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }
  public static func + (left: Moment, span: Span) -> Moment {
    Moment(milliseconds: left.milliseconds + span.milliseconds)
  }
  public static func - (left: Moment, span: Span) -> Moment {
    Moment(milliseconds: left.milliseconds - span.milliseconds)
  }
  public static func - (left: Moment, right: Moment) -> Span {
    Span(milliseconds: left.milliseconds - right.milliseconds)
  }

  /// A duration.
  public struct Span: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public static func < (left: Span, right: Span) -> Bool { left.milliseconds < right.milliseconds }
    public static func * (left: Span, count: Int) -> Span { Span(milliseconds: left.milliseconds * Int64(count)) }
    public static func milliseconds(_ count: Int) -> Span { Span(milliseconds: Int64(count)) }
    public static func seconds(_ count: Int) -> Span { Span(milliseconds: Int64(count) * 1000) }
    public static func minutes(_ count: Int) -> Span { .seconds(count * 60) }
    public static func hours(_ count: Int) -> Span { .seconds(count * 3600) }
    public static func days(_ count: Int) -> Span { .seconds(count * 86400) }
  }
}

/// The length of a subscription period or of an offer.
///
/// - Source: App Store Server API, offerPeriod; App Store Connect, subscription durations.
public enum Period: String, Sendable, CaseIterable {
  case threeDays = "P3D"
  case week = "P1W"
  case twoWeeks = "P2W"
  case month = "P1M"
  case twoMonths = "P2M"
  case threeMonths = "P3M"
  case sixMonths = "P6M"
  case nineMonths = "P9M"
  case year = "P1Y"

  /// Whole months; 0 for periods that count days.
  private var months: Int {
    switch self {
    case .threeDays, .week, .twoWeeks: 0
    case .month: 1
    case .twoMonths: 2
    case .threeMonths: 3
    case .sixMonths: 6
    case .nineMonths: 9
    case .year: 12
    }
  }

  private var days: Int {
    switch self {
    case .threeDays: 3
    case .week: 7
    case .twoWeeks: 14
    case .month, .twoMonths, .threeMonths, .sixMonths, .nineMonths, .year: 0
    }
  }

  /// Returns the end of the `count`th period after an anniversary.
  ///
  /// A day that a shorter month lacks becomes its last day; longer months keep the original day.
  /// - Source: App Store Connect, renewal dates at the end of a month.
  public func end(from anchor: Moment, count: Int) -> Moment {
    guard months > 0 else { return anchor + .days(days * count) }
    let dayLength: Int64 = 86_400_000
    var day = anchor.milliseconds / dayLength
    if day * dayLength > anchor.milliseconds { day -= 1 }
    let date = CivilDate(daysSince1970: Int(day))
    let month = date.year * 12 + date.month - 1 + months * count
    let last = CivilDate.daysIn(month: month % 12 + 1, year: month / 12)
    let end = CivilDate(year: month / 12, month: month % 12 + 1, day: min(date.day, last))
    let ofDay = anchor.milliseconds - day * dayLength
    return Moment(milliseconds: Int64(end.daysSince1970) * dayLength + ofDay)
  }
}

/// The speed at which a tester's subscription periods pass.
///
/// - Source: App Store Connect, sandbox tester settings.
public enum Cadence: String, Sendable, CaseIterable {
  /// The calendar, as in production.
  case calendar
  case monthlyIn3Minutes
  /// The default of a sandbox tester.
  case monthlyIn5Minutes
  case monthlyIn15Minutes
  case monthlyIn30Minutes
  case monthlyInAnHour
  /// Each period lasts a day.
  case testFlight

  /// Number of renewals after which automatic renewal is turned off; nil for no limit.
  public var renewalsMax: Int? {
    switch self {
    case .calendar: nil
    case .testFlight: 6
    case .monthlyIn3Minutes, .monthlyIn5Minutes, .monthlyIn15Minutes, .monthlyIn30Minutes, .monthlyInAnHour: 12
    }
  }

  /// Minutes per month; nil where months are not scaled.
  private var monthMinutes: Int? {
    switch self {
    case .calendar, .testFlight: nil
    case .monthlyIn3Minutes: 3
    case .monthlyIn5Minutes: 5
    case .monthlyIn15Minutes: 15
    case .monthlyIn30Minutes: 30
    case .monthlyInAnHour: 60
    }
  }

  /// Returns the end of the `count`th period after an anniversary.
  public func end(of period: Period, from anchor: Moment, count: Int) -> Moment {
    if self == .calendar { return period.end(from: anchor, count: count) }
    guard let month = monthMinutes else { return anchor + .days(count) }
    return anchor + .minutes(minutes(of: period, month: month) * count)
  }

  private func minutes(of period: Period, month: Int) -> Int {
    switch period {
    case .threeDays: month == 60 ? 10 : 2
    case .week: month == 60 ? 15 : month == 30 ? 10 : month == 15 ? 5 : 3
    case .twoWeeks: month == 60 ? 30 : month == 30 ? 15 : month == 15 ? 10 : 3
    case .month: month
    case .twoMonths: 2 * month
    case .threeMonths: 3 * month
    case .sixMonths: 6 * month
    case .nineMonths: 9 * month
    case .year: 12 * month
    }
  }

  /// Returns the length of the billing grace period.
  public func grace(_ setting: GraceSetting, period: Period) -> Moment.Span {
    let isWeekly = period == .week
    switch self {
    case .calendar, .testFlight: return .days(setting.days(isWeekly: isWeekly))
    case .monthlyIn3Minutes, .monthlyIn5Minutes: return .seconds(isWeekly ? 154 : 150)
    case .monthlyIn15Minutes: return .seconds(isWeekly ? 257 : 450)
    case .monthlyIn30Minutes: return .seconds(isWeekly ? 514 : 900)
    case .monthlyInAnHour: return .seconds(isWeekly ? 771 : 1800)
    }
  }

  /// Time after the expiry in which Apple retries billing: 60 days, or less where time is accelerated.
  public var billingRetry: Moment.Span {
    switch self {
    case .calendar, .testFlight: .days(60)
    case .monthlyIn3Minutes, .monthlyIn5Minutes: .minutes(10)
    case .monthlyIn15Minutes: .minutes(30)
    case .monthlyIn30Minutes: .hours(1)
    case .monthlyInAnHour: .hours(2)
    }
  }
}

/// An app's billing grace period.
///
/// - Source: App Store Connect API, subscriptionGracePeriods.
public enum GraceSetting: String, Sendable, CaseIterable {
  case off
  case threeDays = "THREE_DAYS"
  case sixteenDays = "SIXTEEN_DAYS"
  case twentyEightDays = "TWENTY_EIGHT_DAYS"

  func days(isWeekly: Bool) -> Int {
    switch self {
    case .off: 0
    case .threeDays: 3
    case .sixteenDays: isWeekly ? 6 : 16
    case .twentyEightDays: isWeekly ? 6 : 28
    }
  }
}
