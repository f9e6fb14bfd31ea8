public import Domain
public import TimeZones

public struct JobFile: Sendable, Hashable {
  /// Lower-case letters, digits and hyphens, at most 63; also the file's base name.
  public var name: String
  /// Subcommand of payrecon with its arguments. Placeholders: `{as_of}`, `{window_from}`, `{window_to}`, `{business_day}`.
  public var command: [String]
  public var schedule: Schedule
  public var timeZone = TimeZoneRules.utc
  public var daylightSaving = DaylightSavingRule.runOnce
  public var window = WindowRule.sincePrevious
  public var catchUp = CatchUp()
  /// Largest number of attempts for a window that dies, is locked out or ends with a temporary failure.
  public var attemptsMax = 3
  public var timeoutSeconds: Int64 = 6 * 3600
  /// Expected duration of a run, in seconds; nil for no limit.
  public var durationMin: Int64?
  public var durationMax: Int64?
  public var rowsMin: Int64?
  public var rowsMax: Int64?
  /// Largest age of the newest fact per kind of input after the run, in seconds.
  public var inputAges: [String: Int64] = [:]
  public var alerts = Alerts()

  public init(name: String, command: [String], schedule: Schedule) {
    self.name = name
    self.command = command
    self.schedule = schedule
  }

  public enum Schedule: Sendable, Hashable {
    case calendar(CalendarSchedule)
    /// Seconds between two starts, counted from 1970-01-01T00:00:00Z; 60...86,400.
    case every(seconds: Int64)
  }

  /// The rule for a fixed time that the wall clock skips. A fixed time that it shows twice starts the job the first time only.
  public enum DaylightSavingRule: String, Sendable, CaseIterable {
    case skip
    /// Starts at the instant of the change.
    case runOnce = "run_once"
  }

  /// The span of business time for a start.
  public enum WindowRule: Sendable, Hashable {
    /// The calendar day before the start in the job's time zone: 23, 24 or 25 hours.
    case previousDay
    /// The calendar month before the start, in the job's time zone.
    case previousMonth
    /// This many seconds up to the start.
    case seconds(Int64)
    case sincePrevious
  }

  public struct CatchUp: Sendable, Hashable {
    public enum Policy: String, Sendable, CaseIterable {
      /// Starts each missed window, oldest first, but at most the latest `max`.
      case all
      case latest
      /// Starts only a window whose start is at most `startWithinSeconds` ago.
      case none
    }

    public var policy = Policy.latest
    /// 1...1000.
    public var max = 7
    public var startWithinSeconds: Int64 = 3600
  }

  public struct Alerts: Sendable, Hashable {
    /// Base address, called as URL/start, URL and URL/fail; nil for none.
    public var heartbeatURL: String?
    /// Least severe verdict that is reported as failure.
    public var failOn = Verdict.incomplete
  }
}

/// A span of business time for which a job is started once.
public struct Window: Sendable, Hashable {
  /// Scheduled time of the start, which is the run's clock.
  public var scheduledAt: Timestamp
  public var from: Timestamp
  /// End, exclusive.
  public var to: Timestamp
  /// Calendar day in the job's time zone on which the window begins.
  public var businessDay: CivilDate

  public init(scheduledAt: Timestamp, from: Timestamp, to: Timestamp, businessDay: CivilDate) {
    self.scheduledAt = scheduledAt
    self.from = from
    self.to = to
    self.businessDay = businessDay
  }
}

extension JobFile {
  public static let placeholders = ["as_of", "window_from", "window_to", "business_day"]

  public func arguments(for window: Window) -> [String] {
    let values = [
      "{as_of}": window.scheduledAt.rfc3339, "{window_from}": window.from.rfc3339,
      "{window_to}": window.to.rfc3339, "{business_day}": window.businessDay.description,
    ]
    return command.map { word in values.reduce(word) { text, value in text.replacing(value.key, with: value.value) } }
  }
}
