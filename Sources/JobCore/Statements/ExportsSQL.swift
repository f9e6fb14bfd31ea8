package import Postgres

/// Exportable lists; the raw value is the word of the command line and the file in sql/exports.
public enum ExportList: String, Sendable, CaseIterable {
  case orders, evidence, quarantine, parked, transactions, charges, matches, breaks, pending, signals, cases, lists, subscriptions, runs
  case renewalsToBook = "renewals-to-book"
  case financeLines = "finance-lines"
  case payments, cells, proceeds

  package var statement: Listing { Listing("exports/\(rawValue).sql") }
}
