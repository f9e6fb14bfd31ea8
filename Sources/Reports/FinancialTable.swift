internal import JobCore
internal import Wording

/// One table of a financial report's page: some columns of one of its files, for one question.
struct FinancialTable {
  var title: Phrase
  var note: Phrase
  /// Columns from left to right. Columns of figures without any figure are left out and named below the title.
  var columns: [String]
  /// Columns shown in a second line below another.
  var below: [String: String] = [:]
  /// The shown calendar; nil for a table without calendars.
  var scope: String?
  var isFolded = false
  /// Maximum number of rows, latest period first. The note names the file with the others.
  var rowsMax = 30

  /// Columns of the period of a row, in the order of preference.
  static let periodColumns = ["fiscal_period", "period", "purchase_month"]

  /// The tables of a file in the order of the page. A file without a layout is one table of all its columns.
  static func all(of part: FinancialReport.Part) -> [FinancialTable] {
    func one(_ columns: [String], below: [String: String] = [:], rowsMax: Int = 30) -> [FinancialTable] {
      [FinancialTable(title: part.title, note: part.note, columns: columns, below: below, rowsMax: rowsMax)]
    }
    return switch part.name {
    case "coverage": coverage
    case "tieout_regions": payments
    case "refund_months": refundMonths
    case "refund_movement": refundMovement
    case "roll_forward": rollForward
    case "revenue": revenue
    case "journal":
      one(
        [
          "period", "entry", "event", "account", "bundle_id", "product_id", "currency", "debit_milliunits", "credit_milliunits",
          "base_debit_milliunits", "base_credit_milliunits",
        ], below: ["entry": "restates_period", "account": "account_code", "bundle_id": "storefront"])
    case "restatement":
      one(
        [
          "period", "slice", "metric", "first_reported", "now", "delta", "delta_late_facts", "delta_refunds", "delta_restated_by_apple",
          "delta_policy", "delta_other",
        ], rowsMax: 60)
    case "tieout_offsets": one(part.table.columns, rowsMax: 12)
    case "unexplained":
      one(
        [
          "fiscal_period", "cell_id", "sku", "storefront", "transaction_day", "currency", "customer_price", "l1_units", "l3_units",
          "unexplained_units", "unexplained_amount", "candidates",
        ], rowsMax: 20)
    default: one(part.table.columns)
    }
  }

  private static let coverage = [
    FinancialTable(
      title: "coverage.units_title", note: "coverage.note",
      columns: ["fiscal_period", "currency", "units", "proved_units", "explained_units", "unexplained_units", "not_yet_settled_units"],
      below: [
        "fiscal_period": "calendar_month", "proved_units": "proved_percent", "explained_units": "explained_percent",
        "unexplained_units": "unexplained_percent", "not_yet_settled_units": "not_yet_settled_percent",
      ], rowsMax: 24),
    FinancialTable(
      title: "coverage.money_title", note: "coverage.money_note",
      columns: [
        "fiscal_period", "currency", "amount", "proved_amount", "explained_amount", "unexplained_amount", "not_yet_settled_amount",
        "source",
      ], rowsMax: 24),
  ]

  private static let payments = [
    FinancialTable(
      title: "regions.owed_title", note: "regions.owed_note",
      columns: [
        "fiscal_period", "region_name", "proceeds_currency", "units", "earned_detail", "earned_financial", "diff_detail_vs_financial",
        "earned_payments_csv", "brought_forward", "input_tax", "adjustments", "withholding_tax", "total_owed", "diff",
      ], rowsMax: 18),
    FinancialTable(
      title: "regions.paid_title", note: "regions.paid_note",
      columns: [
        "fiscal_period", "region_name", "proceeds_currency", "total_owed", "rate_printed", "rate_derived", "proceeds_bank_ccy", "bank_ccy",
        "carried_forward", "estimated_proceeds", "estimated_ccy", "bank_amount", "bank_diff", "paid_on", "status",
      ], below: ["paid_on": "bank_ref"], rowsMax: 18),
  ]

  private static let refundMonths = scoped(
    ("refund_months.title", "refund_months.fiscal_title"), "refund_months.note",
    [
      "period", "currency", "by_refund_count", "by_refund_milliunits", "other_purchases_milliunits", "other_refunds_milliunits",
      "by_purchase_milliunits", "by_purchase_count", "applied_count", "not_applied_count", "no_order_count",
    ])

  private static let refundMovement = scoped(
    ("refund_movement.title", "refund_movement.fiscal_title"), "refund_movement.note",
    [
      "period", "currency", "opening_milliunits", "given_count", "given_milliunits", "reversed_count", "reversed_milliunits",
      "closing_milliunits",
    ])

  private static let rollForward = scoped(
    ("roll_forward.title", "roll_forward.fiscal_title"), "roll_forward.note",
    [
      "period", "restates_period", "currency", "opening_milliunits", "booked_count", "booked_milliunits", "recognised_milliunits",
      "refund_cut_milliunits", "deferred_again_milliunits", "upgrade_cut_milliunits", "restated_milliunits", "closing_milliunits",
      "difference_milliunits", "refund_reversed_milliunits", "earned_again_milliunits",
    ])

  private static let revenue = scoped(
    ("revenue.title", "revenue.fiscal_title"), "revenue.note",
    [
      "period", "metric", "currency", "gross_milliunits", "tax_milliunits", "net_of_tax_milliunits", "commission_milliunits",
      "proceeds_milliunits", "estimated_milliunits",
    ], below: ["period": "restates_period", "metric": "cause"])

  /// Returns a table of calendar months and a folded one of fiscal periods.
  private static func scoped(
    _ titles: (Phrase, Phrase), _ note: Phrase, _ columns: [String], below: [String: String] = [:]
  ) -> [FinancialTable] {
    [
      FinancialTable(title: titles.0, note: note, columns: columns, below: below, scope: "calendar", rowsMax: 40),
      FinancialTable(title: titles.1, note: note, columns: columns, below: below, scope: "fiscal", isFolded: true),
    ]
  }
}
