package import Postgres

/// The files of sql/reports: the tables of the reports.
package enum ReportsSQL {
  package static let ageing = Listing("reports/ageing.sql")
  package static let allowedSandbox = Listing("reports/allowed_sandbox.sql")
  package static let breakList = Listing("reports/break_list.sql")
  package static let columnWords = Statement("reports/column_words.sql", gives: .text, .text, .text, .text, .text, .bool)
  package static let coverage = Listing("reports/coverage.sql")
  package static let daily = Listing("reports/daily.sql")
  package static let dayRows = Listing("reports/day_rows.sql")
  package static let days = Listing("reports/days.sql")
  package static let deferredPeriods = Listing("reports/deferred_periods.sql")
  package static let deferredTotals = Listing("reports/deferred_totals.sql")
  package static let financeFiles = Listing("reports/finance_files.sql")
  package static let inputs = Listing("reports/inputs.sql")
  package static let lastDetection = Statement("reports/last_detection.sql", gives: .timestamptz)
  package static let notReconciled = Listing("reports/not_reconciled.sql")
  package static let refundCohorts = Statement("reports/refund_cohorts.sql", gives: .text, .text, .text, .int4, .int4, .int4, .int8, .int8)
  package static let refundMonths = Listing("reports/refund_months.sql")
  package static let refundMovement = Listing("reports/refund_movement.sql")
  package static let refundPreferences = Listing("reports/refund_preferences.sql")
  package static let refundRates = Listing("reports/refund_rates.sql")
  package static let refundRequests = Listing("reports/refund_requests.sql")
  package static let refunds = Listing("reports/refunds.sql")
  package static let renewalDetails = Listing("reports/renewal_details.sql")
  package static let renewals = Listing("reports/renewals.sql")
  package static let restatement = Listing("reports/restatement.sql")
  package static let tieoutBridge = Listing("reports/tieout_bridge.sql")
  package static let tieoutIdentities = Listing("reports/tieout_identities.sql")
  package static let tieoutOffsets = Listing("reports/tieout_offsets.sql")
  package static let tieoutRegions = Listing("reports/tieout_regions.sql")
  package static let topExposure = Listing("reports/top_exposure.sql")
  package static let unexplained = Listing("reports/unexplained.sql")

  package static let all: [any DeclaredStatement] = [
    ageing, allowedSandbox, breakList, columnWords, coverage, daily, dayRows, days, deferredPeriods, deferredTotals, financeFiles, inputs,
    lastDetection, notReconciled, refundCohorts, refundMonths, refundMovement, refundPreferences, refundRates, refundRequests, refunds,
    renewalDetails, renewals, restatement, tieoutBridge, tieoutIdentities, tieoutOffsets, tieoutRegions, topExposure, unexplained,
  ]
}
