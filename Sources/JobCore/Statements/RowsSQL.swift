package import Postgres

/// Report tables whose figures have rows behind them; the raw value is the word of the command line, the name of the CSV, and that of the
/// files in sql/reports and sql/rows.
public enum FigureTable: String, Sendable, CaseIterable {
  case daily, days, ageing, inputs, quarantine, renewals, coverage
  case regions = "tieout_regions"
  case bridge = "tieout_bridge"
  case identities = "tieout_identities"
  case offsets = "tieout_offsets"
  case files = "finance_files"
  case restatement
  case refundMonths = "refund_months"
  case refundMovement = "refund_movement"
  case refundRates = "refund_rates"
  case refundRequests = "refund_requests"
  case rollForward = "roll_forward"
  case waterfall, revenue, journal
  case trialBalance = "trial_balance"

  /// Tables that are computed from the schedules of charges, without files.
  private static let computed: Set<FigureTable> = [.rollForward, .waterfall, .revenue, .journal, .trialBalance]

  /// The report's own statement and that of the rows behind its figures; nil for a computed table.
  package var statements: (table: Listing, rows: Listing)? {
    guard !Self.computed.contains(self) else { return nil }
    let table = self == .quarantine ? ExportList.quarantine.statement : Listing("reports/\(rawValue).sql")
    return (table, Listing("rows/\(rawValue).sql"))
  }
}

/// The files of sql/rows: the rows behind the figures of reports.
package enum RowsSQL {
  package static let setViewed = Statement("rows/set_viewed.sql")
  package static let setViewedPeriod = Statement("rows/set_viewed_period.sql")
  package static let tieoutClocks = Statement("rows/tieout_clocks.sql", gives: .text, .timestamptz)

  package static let all: [any DeclaredStatement] =
    [setViewed, setViewedPeriod, tieoutClocks] + FigureTable.allCases.compactMap(\.statements?.rows)
}
