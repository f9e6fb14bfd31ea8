public import Domain

/// The times at which Apple is queried about a subscription: before its paid period ends, just after, and until the outcome is known.
///
/// - Source: App Store Connect, subscription renewals: Apple charges within the 24 hours before the end and retries for 60 days.
public enum RenewalSchedule {
  /// The facts about a subscription that determine its polling times.
  public struct Subject: Sendable, Hashable {
    /// Apple's environment name. Only Production is polled automatically, because periods elsewhere last minutes.
    public var environment: String
    public var bundleID: String
    public var originalTransactionID: String
    /// End of the paid period, with its extensions.
    public var expiresAt: Timestamp
    /// End of the billing grace period; nil for none.
    public var graceUntil: Timestamp?
    /// nil if Apple never reported it.
    public var isRenewing: Bool?
    public var isRetrying = false
    /// Whether no renewal can follow: revoked, or Apple stated after the end that the subscription is over.
    public var isOver = false
    /// Signing instant of Apple's newest statement.
    public var heardAt: Timestamp?
    /// Time of the last answered query to Apple.
    public var askedAt: Timestamp?

    public init(environment: String = "Production", bundleID: String, originalTransactionID: String, expiresAt: Timestamp) {
      self.environment = environment
      self.bundleID = bundleID
      self.originalTransactionID = originalTransactionID
      self.expiresAt = expiresAt
    }
  }

  /// One polling appointment. It may be kept once from `opensAt` on and should be kept at `dueAt`.
  public struct Slot: Sendable, Hashable {
    /// `before`, `after`, `6h`, `24h`, `day 2` …, `off`, `grace_end`.
    public var name: String
    /// From this instant on, a statement of Apple makes the appointment unnecessary.
    public var opensAt: Timestamp
    public var dueAt: Timestamp
    /// End, exclusive; nil leaves it open until the next appointment is due.
    public var closesAt: Timestamp?
  }

  private static let hour: Int64 = 3600
  private static let day: Int64 = 86_400
  /// Time between the opening and the due time of a daily appointment. It lets a nightly poll find one open every night, regardless of
  /// the hour at which the period ended.
  private static let dailyLead = 12 * hour
  /// Days after the end on which a failed charge is polled: daily at first, then every third day.
  private static let retryDays: [Int64] = Array(1...10) + Array(stride(from: 13, through: 61, by: 3))
  /// Days after the end on which a cancelled subscription without an answer is polled.
  private static let offDays: ClosedRange<Int64> = 1...10

  /// Returns the appointments for a subscription, in order; empty if no answer is expected.
  public static func slots(of subject: Subject) -> [Slot] {
    guard subject.environment == "Production", !subject.isOver else { return [] }
    let isDecided = subject.heardAt.map { $0 >= subject.expiresAt } ?? false
    if isDecided, let grace = subject.graceUntil, grace > subject.expiresAt { return inGrace(subject, until: grace) }
    if isDecided, subject.isRetrying { return retryDays.map { daily($0, subject) } }
    if subject.isRenewing == false { return whenOff(subject) }
    return whenRenewing(subject)
  }

  /// Returns the next appointment: the latest that is due and not kept, or else the first future one; nil for none.
  public static func next(for subject: Subject, at clock: Timestamp) -> Slot? {
    let latest = [subject.heardAt, subject.askedAt].compactMap { $0 }.max()
    let open = slots(of: subject).filter { slot in latest.map { $0 < slot.opensAt } ?? true }
    if let due = open.last(where: { $0.dueAt <= clock }), due.closesAt.map({ clock < $0 }) ?? true { return due }
    return open.first { $0.dueAt > clock }
  }

  private static func whenRenewing(_ subject: Subject) -> [Slot] {
    let end = subject.expiresAt
    let before = Slot(
      name: "before", opensAt: end.advanced(bySeconds: -day),
      dueAt: end.advanced(bySeconds: -2 * hour + jitter(subject, below: 6300)), closesAt: end)
    let after = [
      moment("after", 900, subject, spread: 1800, lead: 900), moment("6h", 6 * hour, subject, spread: 1800),
      moment("24h", day, subject, spread: 1800),
    ]
    return [before] + after + retryDays.dropFirst().map { daily($0, subject) }
  }

  private static func whenOff(_ subject: Subject) -> [Slot] {
    [moment("off", hour, subject, spread: 1800, lead: hour)] + offDays.map { daily($0, subject) }
  }

  private static func inGrace(_ subject: Subject, until grace: Timestamp) -> [Slot] {
    let seconds = (grace.microseconds - subject.expiresAt.microseconds) / 1_000_000
    let end = moment("grace_end", seconds + hour, subject, spread: 1800, lead: hour + dailyLead)
    let during = stride(from: day, to: seconds, by: Int64.Stride(day)).map { daily($0 / day, subject) }
    let later = retryDays.filter { $0 * day > seconds + hour }.map { daily($0, subject) }
    return during + [end] + later
  }

  private static func daily(_ number: Int64, _ subject: Subject) -> Slot {
    moment("day \(number)", number * day, subject, spread: hour, lead: dailyLead)
  }

  /// - Parameter lead: seconds before the nominal instant at which the appointment opens; nil to open at its due time.
  private static func moment(_ name: String, _ seconds: Int64, _ subject: Subject, spread: Int64, lead: Int64? = nil) -> Slot {
    let due = subject.expiresAt.advanced(bySeconds: seconds + jitter(subject, below: spread))
    let opens = lead.map { subject.expiresAt.advanced(bySeconds: seconds - $0) } ?? due
    return Slot(name: name, opensAt: opens, dueAt: due, closesAt: nil)
  }

  /// Returns seconds that spread the subscriptions of one campaign. The value is constant per subscription.
  ///
  /// - Source: G. Fowler, L. Noll, K.-P. Vo, FNV-1a.
  private static func jitter(_ subject: Subject, below bound: Int64) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(subject.bundleID)/\(subject.originalTransactionID)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
    }
    // The low bits of similar ids hardly differ.
    return Int64((hash >> 20) % UInt64(bound))
  }
}
