/// Reports that can be written; the raw value is the word of the command line.
public enum ReportKind: String, Sendable, CaseIterable {
  /// The daily reconciliation summary.
  case daily
  /// The break list with ageing.
  case breaks
  /// Both, with one page for all.
  case all

  var hasDaily: Bool { self != .breaks }
  var hasBreaks: Bool { self != .daily }

  /// Name of the page, without its ending.
  var pageName: String { self == .all ? "report" : rawValue }
}

/// Forms of a report.
public enum ReportFormat: String, Sendable, CaseIterable {
  case csv, json, html
}
