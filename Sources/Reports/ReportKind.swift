internal import JobCore

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
  /// What Apple gave back, and what became of it in our orders.
  case refunds
  /// What was charged and is still to be earned.
  case deferred
  /// Our charges against Apple's money, down to the bank.
  case tieout
  /// How far fiscal periods are proved.
  case coverage
  /// Figures as first reported against as known now.
  case restatement

  var hasDaily: Bool { self == .daily || self == .all }
  /// Made of tables and one long list, as `TieoutReport` lays them out.
  var isOfMoney: Bool { [.tieout, .coverage, .restatement, .refunds, .deferred].contains(self) }
  var hasBreaks: Bool { self == .breaks || self == .all }

  /// Name of the page, without its ending.
  var pageName: String { self == .all ? "report" : rawValue }
}

extension ReportFormat {
  /// Whether a file of a report was written for this format; a schema goes with its CSV.
  package func wrote(_ name: String) -> Bool {
    name.hasSuffix(".\(rawValue)") && !name.hasSuffix(TableSchema.ending)
  }
}
