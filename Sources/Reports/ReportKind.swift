internal import JobCore
internal import Wording

/// Kinds of reports; the raw value is the word of the command line.
public enum ReportKind: String, Sendable, CaseIterable {
  /// The daily reconciliation summary.
  case daily
  /// The break list with ageing.
  case breaks
  /// The daily summary and the break list, with one page for both.
  case all
  /// Forecast and actual renewals.
  case renewals
  /// Refunds by Apple and their effect on our orders.
  case refunds
  case deferred
  /// Balanced debits and credits of one period.
  case journal
  /// The comparison of our charges with Apple's payments, down to the bank account.
  case tieout
  /// The proved share of each fiscal period.
  case coverage
  /// Figures as first reported and as known now.
  case restatement

  var hasDaily: Bool { self == .daily || self == .all }
  /// Whether the report is laid out by `FinancialReport`: tables and at most one long list.
  var isFinancial: Bool { [.tieout, .coverage, .restatement, .refunds, .deferred, .journal].contains(self) }
  var hasBreaks: Bool { self == .breaks || self == .all }

  var title: Phrase { .name("title", rawValue) }

  /// Name of the page, without its extension.
  var pageName: String { self == .all ? "report" : rawValue }
}

extension ReportFormat {
  /// Whether a file of a report belongs to this format. A schema belongs to its CSV.
  package func wrote(_ name: String) -> Bool { name.hasSuffix(".\(rawValue)") && !name.hasSuffix(TableSchema.ending) }
}
