package import Postgres

/// The files of sql/rows: the rows behind the figures of reports.
package enum RowsSQL {
  package static let ageing = Listing("rows/ageing.sql", ["figure": .text, "class": .text, "currency": .text])
  package static let ask = Statement(
    "rows/ask.sql", ["as_of": .timestamptz, "bundles": .textArray, "starts": .textArray, "zones": .textArray])
  package static let askPeriod = Statement("rows/ask_period.sql", ["period": .text, "as_of": .timestamptz])
  package static let coverage = Listing(
    "rows/coverage.sql", ["as_of": .timestamptz, "fiscal_period": .text, "currency": .text, "figure": .text])
  package static let daily = Listing(
    "rows/daily.sql", ["figure": .text, "scope": .text, "bundle_id": .text, "environment": .text, "currency": .text])
  package static let days = Listing("rows/days.sql", ["figure": .text, "bundle_id": .text, "day": .text])
  package static let financeFiles = Listing(
    "rows/finance_files.sql", ["as_of": .timestamptz, "file_sha256": .text, "vendor": .text, "figure": .text])
  package static let inputs = Listing("rows/inputs.sql", ["kind": .text, "file_name": .text, "sha256": .text, "figure": .text])
  package static let quarantine = Listing("rows/quarantine.sql", ["as_of": .timestamptz, "source": .text, "day": .text, "figure": .text])
  package static let refundMonths = Listing("rows/refund_months.sql", ["scope": .text, "period": .text, "currency": .text, "figure": .text])
  package static let refundMovement = Listing(
    "rows/refund_movement.sql", ["scope": .text, "period": .text, "currency": .text, "figure": .text])
  package static let refundRates = Listing(
    "rows/refund_rates.sql",
    ["bundle_id": .text, "product_id": .text, "type": .text, "purchase_month": .text, "currency": .text, "figure": .text])
  package static let refundRequests = Listing(
    "rows/refund_requests.sql", ["scope": .text, "period": .text, "currency": .text, "figure": .text])
  package static let renewals = Listing(
    "rows/renewals.sql",
    ["due_day": .text, "bundle_id": .text, "product_id": .text, "storefront": .text, "currency": .text, "figure": .text])
  package static let restatement = Listing("rows/restatement.sql", ["period": .text, "slice": .text, "metric": .text, "figure": .text])
  package static let tieoutBridge = Listing(
    "rows/tieout_bridge.sql", ["fiscal_period": .text, "section": .text, "currency": .text, "line_no": .text, "figure": .text])
  package static let tieoutClocks = Statement("rows/tieout_clocks.sql", ["as_of": .timestamptz], gives: .text, .timestamptz)
  package static let tieoutIdentities = Listing(
    "rows/tieout_identities.sql",
    ["as_of": .timestamptz, "fiscal_period": .text, "identity": .text, "currency": .text, "figure": .text])
  package static let tieoutOffsets = Listing(
    "rows/tieout_offsets.sql", ["as_of": .timestamptz, "fiscal_period": .text, "storefront": .text, "figure": .text])
  package static let tieoutRegions = Listing(
    "rows/tieout_regions.sql", ["fiscal_period": .text, "region": .text, "proceeds_currency": .text, "figure": .text])

  package static let all: [any DeclaredStatement] = [
    ageing, ask, askPeriod, coverage, daily, days, financeFiles, inputs, quarantine, refundMonths, refundMovement,
    refundRates, refundRequests, renewals, restatement, tieoutBridge, tieoutClocks, tieoutIdentities, tieoutOffsets, tieoutRegions,
  ]
}
