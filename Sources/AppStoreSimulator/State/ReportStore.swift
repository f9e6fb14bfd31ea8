internal import Domain

/// The reports of App Store Connect by vendor number and period, and the refusals for missing ones.
public struct ReportStore: Sendable {
  /// The key of one report; the period is a fiscal one such as `2026-P11`, or a day such as `2026-11-21`.
  public struct Key: Hashable, Sendable {
    public var vendor: String
    public var report: String
    public var period: String

    public init(_ report: String, vendor: String, period: String) {
      self.report = report
      self.vendor = vendor
      self.period = period
    }
  }

  /// The reason why there is no report.
  public enum Refusal: String, Sendable, CaseIterable {
    case noSales = "no_sales"
    case notReady = "not_ready"
    case forbidden
    case wrongVendor = "wrong_vendor"
    case outsideRetention = "outside_retention"
    /// A refusal with an unknown message.
    case unrecognized
    /// The requested version is obsolete.
    case version
  }

  /// Vendor numbers of the team.
  public var vendors: Set<String> = []
  /// Text of each report; compressed when it is requested.
  public var reports: [Key: String] = [:]
  /// Scripted refusals; they replace the refusal that follows from the report's day.
  public var refusals: [Key: Refusal] = [:]
  public private(set) var asked: [Key: Int] = [:]

  /// Number of days that a daily report is available.
  ///
  /// - Source: App Store Connect Help, "Report availability and storage".
  static let retentionDays = 365

  mutating func count(_ key: Key) { asked[key, default: 0] += 1 }

  /// Returns why a report is refused; nil when it is available.
  func refusal(_ key: Key, today: CivilDate) -> Refusal? {
    if let scripted = refusals[key] { return scripted }
    guard vendors.contains(key.vendor) else { return .wrongVendor }
    if let day = CivilDate(key.period) {
      if day < today.advanced(byDays: -Self.retentionDays) { return .outsideRetention }
      if day >= today { return .notReady }
    }
    return reports[key] == nil ? .noSales : nil
  }
}
