/// Forms of a report.
public enum ReportFormat: String, Sendable, CaseIterable {
  case csv, json, html, xlsx

  /// What is written where nobody says otherwise.
  public static let usual: Set<ReportFormat> = [.csv, .json, .html]
}
