/// Reports that App Store Connect hands out, by vendor number and period, and what it says where there is none.
public struct ReportShelf: Sendable {
  /// One report; a period is a fiscal one such as `2026-P11`, or a day such as `2026-11-21`.
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

  /// Why there is no report.
  public enum Refusal: String, Sendable, CaseIterable {
    case noSales = "no_sales"
    case notReady = "not_ready"
    case forbidden
    case wrongVendor = "wrong_vendor"
    case outsideRetention = "outside_retention"
    /// A refusal that nobody has heard of.
    case unrecognized
    /// The version that was asked for is no longer made.
    case version
  }

  /// Vendor numbers of the team.
  public var vendors: Set<String> = []
  /// Text of each report; it is packed when it is asked for.
  public var reports: [Key: String] = [:]
  /// What is said of a report that is not there, in place of what follows from its day.
  public var refusals: [Key: Refusal] = [:]
  /// How often each report was asked for.
  public private(set) var asked: [Key: Int] = [:]

  /// Days that a daily report is kept.
  ///
  /// - Source: App Store Connect Help, "Report availability and storage".
  static let retentionDays = 365

  mutating func count(_ key: Key) { asked[key, default: 0] += 1 }

  /// Why a report is not handed out; nil when it is there.
  ///
  /// - Parameter today: day of the store's clock.
  func refusal(_ key: Key, today: CivilDay) -> Refusal? {
    if let scripted = refusals[key] { return scripted }
    guard vendors.contains(key.vendor) else { return .wrongVendor }
    if let day = CivilDay(key.period) {
      if day.number < today.number - Self.retentionDays { return .outsideRetention }
      if day.number >= today.number { return .notReady }
    }
    return reports[key] == nil ? .noSales : nil
  }
}
