public enum ReportFormat: String, Sendable, CaseIterable {
  case csv, json, html, xlsx

  public static let usual: Set<ReportFormat> = [.csv, .json, .html]
}
