/// Reports that can be written; the raw value is the word of the command line.
public enum ReportKind: String, Sendable, CaseIterable {
  /// The daily reconciliation summary.
  case daily
  /// The break list with ageing.
  case breaks
  /// The daily summary and the break list, with one page for both.
  case all
  /// Renewals forecast against actual.
  case renewals

  var hasDaily: Bool { self == .daily || self == .all }
  var hasBreaks: Bool { self == .breaks || self == .all }

  /// Name of the page, without its ending.
  var pageName: String { self == .all ? "report" : rawValue }
}

/// Forms of a report.
public enum ReportFormat: String, Sendable, CaseIterable {
  case csv, json, html
}
