internal import Domain

/// A report that App Store Connect offers.
public enum ConnectReport: String, Sendable, CaseIterable {
  case financial = "FINANCIAL"
  case financeDetail = "FINANCE_DETAIL"
  case sales = "SALES"
  case subscriber = "SUBSCRIBER"
  case subscriptionEvent = "SUBSCRIPTION_EVENT"

  /// Whether the report covers a fiscal period; the others cover a day.
  public var isFiscal: Bool { self == .financial || self == .financeDetail }

  /// Code of the requested region, all regions in one file; empty for reports without regions.
  ///
  /// - Source: App Store Connect Help, "Financial report regions and currencies".
  public var region: String {
    switch self {
    case .financial: "ZZ"
    case .financeDetail: "Z1"
    case .sales, .subscriber, .subscriptionEvent: ""
    }
  }

  /// Subtype, and the version that is requested until Apple names another.
  ///
  /// - Source: App Store Connect API, "Download Sales and Trends Reports".
  var form: (subtype: String, version: String)? {
    switch self {
    case .financial, .financeDetail: nil
    case .sales: ("SUMMARY", "1_0")
    case .subscriber: ("DETAILED", "1_3")
    case .subscriptionEvent: ("SUMMARY", "1_3")
    }
  }
}

/// One report of one vendor number and one period.
public struct ConnectQuery: Sendable, Hashable, CustomStringConvertible {
  public var report: ConnectReport
  public var vendor: String
  /// A fiscal period such as `2026-P11`, or a day such as `2026-11-21`.
  public var period: String

  public init(_ report: ConnectReport, vendor: String, period: String) {
    self.report = report
    self.vendor = vendor
    self.period = period
  }

  public var description: String { "\(report.rawValue) \(period) of \(vendor)" }

  /// Path and query, escaped.
  func target(version: String?) -> String {
    var filters = [
      // Apple's fiscal periods lack the letter P.
      ("reportDate", report.isFiscal ? period.replacing("P", with: "") : period), ("reportType", report.rawValue),
      ("vendorNumber", vendor),
    ]
    if report.isFiscal { filters.append(("regionCode", report.region)) }
    if let form = report.form { filters += [("frequency", "DAILY"), ("reportSubType", form.subtype)] }
    if let version { filters.append(("version", version)) }
    let query = filters.sorted { $0.0 < $1.0 }.map { "filter%5B\($0)%5D=\(PercentEncoding.of($1))" }
    return "/v1/\(report.isFiscal ? "financeReports" : "salesReports")?" + query.joined(separator: "&")
  }
}
