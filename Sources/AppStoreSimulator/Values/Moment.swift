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
  public static func + (left: Moment, span: Duration) -> Moment {
    let (seconds, attoseconds) = span.components
    return Moment(milliseconds: left.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
  public static func - (left: Moment, span: Duration) -> Moment { left + (.zero - span) }
  public static func - (left: Moment, right: Moment) -> Duration { .milliseconds(left.milliseconds - right.milliseconds) }
}

extension Duration {
  public static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
  public static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
  public static func days(_ count: Int) -> Duration { .seconds(count * 86400) }
}

/// The length of a subscription period.
///
/// - Source: App Store Connect, subscription durations.
public enum Period: String, Sendable, CaseIterable {
  case week = "P1W"
  case month = "P1M"
  case twoMonths = "P2M"
  case threeMonths = "P3M"
  case sixMonths = "P6M"
  case year = "P1Y"

  /// Whole months; 0 for a week.
  var months: Int {
    switch self {
    case .week: 0
    case .month: 1
    case .twoMonths: 2
    case .threeMonths: 3
    case .sixMonths: 6
    case .year: 12
    }
  }

  /// Returns the end of the `count`th period after an anniversary.
  ///
  /// A day that a shorter month lacks becomes its last day; longer months keep the original day.
  /// - Source: App Store Connect, renewal dates at the end of a month.
  public func end(from anchor: Moment, count: Int) -> Moment {
    guard months > 0 else { return anchor + .days(7 * count) }
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

/// The pace of subscriptions: the calendar in production; in the sandbox, a month passes in five minutes.
///
/// - Source: App Store Connect, sandbox tester settings.
extension StoreEnvironment {
  /// Number of renewals after which automatic renewal is turned off; nil for no limit.
  var renewalsMax: Int? { self == .sandbox ? 12 : nil }

  /// Returns the end of the `count`th period after an anniversary.
  func end(of period: Period, from anchor: Moment, count: Int) -> Moment {
    if self == .production { return period.end(from: anchor, count: count) }
    return anchor + .minutes((period == .week ? 3 : 5 * period.months) * count)
  }

  func grace(_ setting: GraceSetting, period: Period) -> Duration {
    let isWeekly = period == .week
    if self == .sandbox { return .seconds(isWeekly ? 154 : 150) }
    switch setting {
    case .threeDays: return .days(3)
    case .sixteenDays: return .days(isWeekly ? 6 : 16)
    }
  }

  /// Time after the expiry in which Apple retries billing.
  var billingRetry: Duration { self == .sandbox ? .minutes(10) : .days(60) }
}

/// An app's billing grace period.
///
/// - Source: App Store Connect API, subscriptionGracePeriods.
public enum GraceSetting: Sendable {
  case threeDays, sixteenDays
}
