package import Postgres

/// The files of sql/rows: the rows behind the figures of reports.
package enum RowsSQL {
  package static let ageing = Listing("rows/ageing.sql")
  package static let coverage = Listing("rows/coverage.sql")
  package static let daily = Listing("rows/daily.sql")
  package static let days = Listing("rows/days.sql")
  package static let financeFiles = Listing("rows/finance_files.sql")
  package static let inputs = Listing("rows/inputs.sql")
  package static let quarantine = Listing("rows/quarantine.sql")
  package static let refundMonths = Listing("rows/refund_months.sql")
  package static let refundMovement = Listing("rows/refund_movement.sql")
  package static let refundRates = Listing("rows/refund_rates.sql")
  package static let refundRequests = Listing("rows/refund_requests.sql")
  package static let renewals = Listing("rows/renewals.sql")
  package static let restatement = Listing("rows/restatement.sql")
  package static let setViewed = Statement("rows/set_viewed.sql")
  package static let setViewedPeriod = Statement("rows/set_viewed_period.sql")
  package static let tieoutBridge = Listing("rows/tieout_bridge.sql")
  package static let tieoutClocks = Statement("rows/tieout_clocks.sql", gives: .text, .timestamptz)
  package static let tieoutIdentities = Listing("rows/tieout_identities.sql")
  package static let tieoutOffsets = Listing("rows/tieout_offsets.sql")
  package static let tieoutRegions = Listing("rows/tieout_regions.sql")

  package static let all: [any DeclaredStatement] = [
    ageing, coverage, daily, days, financeFiles, inputs, quarantine, refundMonths, refundMovement, refundRates, refundRequests, renewals,
    restatement, setViewed, setViewedPeriod, tieoutBridge, tieoutClocks, tieoutIdentities, tieoutOffsets, tieoutRegions,
  ]
}
