package import Postgres

/// The files of sql/tieout: the comparison of one fiscal period or day with Apple's reports, cell by cell.
package enum TieoutSQL {
  /// A statement that creates one working table.
  package typealias Making = (statement: Statement<>, table: String)

  package static let workTables = Statement("tieout/00_work_tables.sql")
  package static let workTablesOfDay = Statement("tieout/provisional/00_work_tables.sql")
  package static let moreWorkTables = Script("tieout/01_more_work_tables.sql")
  package static let instants = Statement("tieout/02_instants.sql", gives: .timestamptz, .timestamptz)
  /// The periods to compare, and the files to compare with.
  package static let files = [Statement("tieout/10_periods.sql"), Statement("tieout/11_files.sql")]
  package static let filesOfDay = [Statement("tieout/provisional/10_periods.sql"), Statement("tieout/provisional/11_files.sql")]
  package static let missingPeriod = Statement("tieout/12_missing_period.sql", gives: .optionalText)
  package static let days = Statement("tieout/13_days.sql")
  /// Amounts of both sides by cell.
  package static let sides: [Making] = [
    (Statement("tieout/20_apple_cells.sql"), "tie_l3"), (Statement("tieout/21_offset_lines.sql"), "tie_offset_line"),
    (Statement("tieout/22_sold.sql"), "tie_sold"), (Statement("tieout/23_offset_quarters.sql"), "tie_offset_quarter"),
    (Statement("tieout/24_offset_theirs.sql"), "tie_offset_theirs"), (Statement("tieout/25_storefronts.sql"), "tie_storefront"),
    (Statement("tieout/26_zones.sql"), "tie_zone"), (Statement("tieout/27_zone_hits.sql"), "tie_zone_hit"),
    (Statement("tieout/28_offsets.sql"), "tie_offset"), (Statement("tieout/30_our_days.sql"), "tie_our_day"),
    (Statement("tieout/31_lines.sql"), "tie_line"), (Statement("tieout/32_our_cells.sql"), "tie_l1"),
  ]
  package static let renewingOnly = Statement("tieout/provisional/33_renewing_only.sql")
  package static let cells: [Making] = [
    (Statement("tieout/40_cells.sql"), "tie_cell"), (Statement("tieout/41_rest.sql"), "tie_rest"),
    (Statement("tieout/41_reversals.sql"), "tie_reversal"),
  ]

  /// Cells between which units may move by a day, with the results for them.
  package static let dayCells = Statement("tieout/42_days.sql", gives: .int8, .int8, .int8, .int8, .bool, .int8, .int8, .int8, .int8)
  package static let pairDays = Statement("tieout/42_pair_days.sql")
  /// Each step assigns a cause to some of the units that earlier steps left.
  package static let steps = StatementFolder("tieout/steps", passed: ["as_of", "period", "later", "gap"])
  package static let consume = Script("tieout/42_consume.sql")
  package static let rates = Statement("tieout/43_rates.sql")
  /// Remaining differences, and charges that may cause them.
  package static let results: [Making] = [
    (Statement("tieout/44_open.sql"), "tie_result"), (Statement("tieout/45_two_shares.sql"), "tie_split"),
    (Statement("tieout/49_candidate_cells.sql"), "tie_candidate_cell"), (Statement("tieout/49_candidate_days.sql"), "tie_candidate_day"),
    (Statement("tieout/50_candidate_charges.sql"), "tie_candidate_charge"),
    (Statement("tieout/50_candidate_orders.sql"), "tie_candidate_order"), (Statement("tieout/50_candidates.sql"), "tie_candidate"),
  ]

  /// Replace the results that the same clock gave before.
  package static let record = [
    Statement("tieout/60_forget.sql"), Statement("tieout/62_record.sql"), Statement("tieout/63_record_cells.sql"),
    Statement("tieout/64_record_parts.sql"), Statement("tieout/65_record_offsets.sql"), Statement("tieout/66_record_offset_days.sql"),
  ]
  /// Payments, bank credits, and the bridge from charges to them.
  package static let payments = [
    Statement("tieout/69_earned_lines.sql"), Statement("tieout/69_paid_lines.sql"), Statement("tieout/70_payment_rows.sql"),
    Statement("tieout/71_bank.sql"), Statement("tieout/71_bank_rows.sql"), Statement("tieout/71_bank_uncredited.sql"),
    Statement("tieout/71_estimates.sql"), Statement("tieout/72_record_payments.sql"), Statement("tieout/73_tax.sql"),
    Statement("tieout/74_bridge_orders.sql"), Statement("tieout/74_bridge_charges.sql"), Statement("tieout/74_bridge_pairs.sql"),
    Statement("tieout/75_bridge.sql"),
  ]
  package static let uncredited = Statement("tieout/uncredited.sql", gives: .bool, .optionalText)
  package static let unreadRegions = Statement("tieout/unread_regions.sql", gives: .optionalText)
  package static let isNewest = Statement("tieout/79_is_newest.sql", gives: .bool)
  package static let findings = [
    Statement("tieout/80_cell_findings.sql"), Statement("tieout/81_charge_findings.sql"), Statement("tieout/82_commission_findings.sql"),
    Statement("tieout/82_payment_findings.sql"),
  ]
  package static let latestEvents = Statement("tieout/83_latest_events.sql")
  package static let due = Statement("tieout/84_due.sql")

  package static let coverage = Listing("tieout/coverage.sql")
  package static let openBreaks = Statement("tieout/open_breaks.sql", gives: .text, .int8)
  package static let periods = Listing("tieout/periods.sql")
  package static let rows = Listing("tieout/rows.sql")
  package static let rowsHead = Listing("tieout/rows_head.sql")

  package static let all: [any DeclaredStatement] =
    [
      workTables, workTablesOfDay, moreWorkTables, instants, missingPeriod, days, renewingOnly, dayCells, pairDays, consume,
      rates, uncredited, unreadRegions, isNewest, latestEvents, due, coverage, openBreaks, periods, rows, rowsHead,
    ] + files + filesOfDay + record + payments + findings + (sides + cells + results).map(\.statement)
}
