public import Domain

/// One declarative job: what is started, when, over which window, and what to expect of it.
public struct JobFile: Sendable, Hashable {
  /// Lower-case letters, digits and hyphens, 63 at most; also the name of the file.
  public var name: String
  /// Subcommand of payrecon and its arguments; may hold `{as_of}`, `{window_from}`, `{window_to}`, `{business_day}`.
  public var command: [String]
  public var schedule: Schedule
  public var timeZone: TimeZoneRules
  public var daylightSaving: DaylightSavingRule
  public var window: WindowRule
  public var catchUp: CatchUp
  /// Times that one window is started in all when it dies, is locked out or ends for now.
  public var attemptsMax: Int
  /// After so many seconds the child is ended.
  public var timeoutSeconds: Int64
  /// Seconds that a run should take; nil leaves an end open.
  public var durationMin: Int64?
  public var durationMax: Int64?
  /// Input rows that a run should have; nil leaves an end open.
  public var rowsMin: Int64?
  public var rowsMax: Int64?
  /// Oldest that the newest fact of each kind of input may be after the run, in seconds.
  public var inputAges: [String: Int64]
  public var alerts: Alerts

  public init(name: String, command: [String], schedule: Schedule) {
    self.name = name
    self.command = command
    self.schedule = schedule
    timeZone = .utc
    daylightSaving = .runOnce
    window = .sincePrevious
    catchUp = CatchUp()
    attemptsMax = 3
    timeoutSeconds = 6 * 3600
    inputAges = [:]
    alerts = Alerts()
  }

  public enum Schedule: Sendable, Hashable {
    case calendar(CalendarSchedule)
    /// Seconds between two starts, counted from 1970-01-01T00:00:00Z, 60...86,400.
    case every(seconds: Int64)
  }

  /// What becomes of an appointment that the wall clock skips; one that it shows twice is kept the first time only.
  public enum DaylightSavingRule: String, Sendable, CaseIterable {
    case skip
    /// Kept at the instant of the change.
    case runOnce = "run_once"
  }

  /// Which span of business time a start is about.
  public enum WindowRule: Sendable, Hashable {
    /// The calendar day before the start, in the job's time zone: 23, 24 or 25 hours.
    case previousDay
    /// The calendar month before the start, in the job's time zone.
    case previousMonth
    /// So many seconds up to the start.
    case seconds(Int64)
    /// From the start before to this one.
    case sincePrevious
  }

  /// What becomes of windows that were missed.
  public struct CatchUp: Sendable, Hashable {
    public enum Policy: String, Sendable, CaseIterable {
      /// Each, oldest first, at most `max` of the latest.
      case all
      /// Only the latest.
      case latest
      /// None: only a window whose start is no older than `startWithinSeconds`.
      case none
    }

    public var policy = Policy.latest
    /// 1...1000.
    public var max = 7
    public var startWithinSeconds: Int64 = 3600

    public init() {}
  }

  /// Who is told.
  public struct Alerts: Sendable, Hashable {
    /// Pinged as URL/start, URL and URL/fail; nil pings nobody.
    public var heartbeatURL: String?
    /// Verdicts from this one on are told as failure.
    public var failOn = Verdict.incomplete

    public init() {}
  }
}

/// A span of business time for which a job is started once.
public struct Window: Sendable, Hashable {
  /// When the schedule asks for it; the clock of the run.
  public var scheduledAt: Timestamp
  public var from: Timestamp
  /// End, not included.
  public var to: Timestamp
  /// Calendar day, in the job's time zone, in which the window begins.
  public var businessDay: CivilDate

  public init(scheduledAt: Timestamp, from: Timestamp, to: Timestamp, businessDay: CivilDate) {
    self.scheduledAt = scheduledAt
    self.from = from
    self.to = to
    self.businessDay = businessDay
  }
}

extension JobFile {
  /// Words that may stand in braces in `command`.
  public static let placeholders = ["as_of", "window_from", "window_to", "business_day"]

  /// The command with every placeholder replaced.
  public func arguments(for window: Window) -> [String] {
    let values = [
      "{as_of}": window.scheduledAt.rfc3339, "{window_from}": window.from.rfc3339,
      "{window_to}": window.to.rfc3339, "{business_day}": window.businessDay.description,
    ]
    return command.map { word in
      var text = word[...]
      var result = ""
      while let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}") {
        let name = String(text[open...close])
        result += text[..<open] + (values[name] ?? name)
        text = text[text.index(after: close)...]
      }
      return result + text
    }
  }
}
