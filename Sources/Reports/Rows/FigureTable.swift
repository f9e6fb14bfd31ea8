public import JobCore

/// A column of a table is a key of the row, a text, computed from other figures, or a figure. The rows of a figure have values that add up
/// to it.
extension FigureTable {
  package struct Layout {
    /// Columns that identify a row, in the order of an address.
    package var keys: [String]
    package var texts: Set<String> = []
    /// Columns that are no sum, with a description of their computation.
    package var computed: [String: String] = [:]
    /// The address of a possible figure.
    package var example: String
    /// Whether the table has the rows of one fiscal period, as known at the clock of its tie-out.
    package var isOfOnePeriod = false
    /// Whether the statements read whole tables of charges, orders or breaks.
    package var readsWholeTables = false
  }

  package var layout: Layout {
    switch self {
    case .daily: Self.dailyLayout
    case .days: Layout(keys: ["bundle_id", "day"], example: "com.acme.reader/2026-11-18/order_count", readsWholeTables: true)
    case .ageing:
      Layout(
        keys: ["class", "currency"], texts: ["severity", "owner_team", "oldest_id", "oldest_opened_on"],
        example: "TX_NO_ORDER/CNY/closing_amount_milliunits", readsWholeTables: true)
    case .inputs:
      Layout(
        keys: ["kind", "file_name", "sha256"], texts: ["source", "newest_fact_at"],
        computed: ["age_minutes": "the time since newest_fact_at"], example: "apple/apple.ndjson")
    case .quarantine:
      Layout(keys: ["source", "day"], texts: ["first_at", "last_at", "samples", "reasons"], example: "notification/2026-11-18/item_count")
    case .renewals: Self.renewalsLayout
    case .coverage: Self.coverageLayout
    case .regions: Self.regionsLayout
    case .bridge:
      Layout(
        keys: ["fiscal_period", "section", "currency", "line_no"], texts: ["calendar_month", "label", "source", "ref"],
        example: "2026-P11/customer/USD/11/amount", isOfOnePeriod: true)
    case .identities:
      Layout(keys: ["fiscal_period", "identity", "currency"], texts: ["formula", "holds"], example: "2026-P11/bridge 27/USD/left")
    case .offsets:
      Layout(
        keys: ["fiscal_period", "storefront"], texts: ["zone", "basis", "runner_up"],
        computed: ["runner_up_count": "the units that fit the best other zone"], example: "2026-P11/USA/hit_count")
    case .files:
      Layout(
        keys: ["file_sha256", "vendor"],
        texts: [
          "report", "fiscal_period", "region", "file_name", "read_at", "period_from", "period_to", "is_current", "totals", "warnings",
        ], example: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae/85000000/row_count")
    case .restatement:
      Layout(
        keys: ["period", "slice", "metric"], texts: ["report", "calendar_month", "first_run", "first_at", "now_at"],
        example: "2026-P11/USD/unexplained/delta")
    case .refundMonths: Layout(keys: ["scope", "period", "currency"], example: "calendar/2026-11/CNY/by_refund_milliunits")
    case .refundMovement: Layout(keys: ["scope", "period", "currency"], example: "fiscal/2026-P11/CNY/closing_milliunits")
    case .refundRates:
      Layout(
        keys: ["bundle_id", "product_id", "type", "purchase_month", "currency"],
        computed: ["refund_rate_bp": "the share of refund_count in charge_count"],
        example: "com.acme.reader/coins60/consumable/2026-11/CNY/refund_count")
    case .refundRequests: Layout(keys: ["scope", "period", "currency"], example: "calendar/2026-11/CNY/expired_count")
    case .rollForward:
      Layout(keys: ["scope", "period", "restates_period", "currency"], example: "fiscal/2026-P11/-/CNY/closing_milliunits")
    case .waterfall:
      Layout(
        keys: ["scope", "booked_period", "recognised_period", "currency"], example: "fiscal/2026-P10/2026-P11/CNY/recognised_milliunits")
    case .revenue:
      Layout(
        keys: ["scope", "period", "restates_period", "cause", "currency", "metric"], texts: ["proceeds_basis"],
        example: "fiscal/2026-P11/-/-/CNY/revenue/net_of_tax_milliunits")
    case .journal: Self.journalLayout
    case .trialBalance:
      Layout(
        keys: ["period", "currency", "account"], texts: ["account_code"],
        computed: [
          "debit_milliunits": "the sum of lines above 0 of the table journal",
          "credit_milliunits": "the sum of lines below 0 of the table journal",
        ], example: "2026-P11/CNY/deferred_revenue/closing_milliunits")
    }
  }

  private static let journalLayout = Layout(
    keys: ["period", "line_id"],
    texts: [
      "posted_on", "entry", "event", "restates_period", "cause", "reverses_line_id", "bundle_id", "storefront", "product_id", "policy",
      "account", "account_code", "currency", "base_currency", "fx_rate", "fx_date",
    ],
    computed: [
      "debit_milliunits": "amount_milliunits if above 0", "credit_milliunits": "amount_milliunits if below 0",
      "base_debit_milliunits": "the debit at fx_rate, rounded by the running sum",
      "base_credit_milliunits": "the credit at fx_rate, rounded by the running sum",
    ], example: "2026-P11/0a1b2c3d4e5f6071/amount_milliunits")

  /// Whether the table belongs to the journal of one period.
  var isOfJournal: Bool { [.journal, .trialBalance].contains(self) }

  private static let dailyLayout = Layout(
    keys: ["scope", "bundle_id", "environment", "currency"], texts: ["business_day", "tz", "next_pending_breaks_at"],
    computed: [
      "oldest_break_days": "the age of the oldest of break_undecided_count",
      "match_rate_count_bp": "the share of the three matched counts in tx_count less excluded_count",
      "match_rate_amount_bp": "the share of the three matched amounts in tx_amount_milliunits",
      "match_rate_p50_28d_bp": "the median of the 28 days before the last, of matched_count in tx_count of the table days",
    ], example: "day/com.acme.reader/Production/CNY/tx_amount_milliunits", readsWholeTables: true)

  private static let renewalsLayout = Layout(
    keys: ["due_day", "bundle_id", "product_id", "storefront", "currency"],
    texts: ["plan_run_id", "frozen_at", "subscription_group", "forecast_basis"],
    computed: [
      "forecast_rate_bp": "the share that was renewed of those who fell due before",
      "rate_variance_milliunits": "the renewed members at the average price of due_amount_milliunits, less forecast_amount_milliunits",
      "mix_variance_milliunits": "diff_amount_milliunits less rate_variance_milliunits and price_variance_milliunits",
      "accuracy_bp": "how near actual_count is to forecast_count",
    ], example: "2026-11-18/com.acme.reader/com.acme.reader.plus_monthly/CHN/CNY/due_count")

  private static let coverageLayout = Layout(
    keys: ["fiscal_period", "currency"], texts: ["starts_on", "ends_on", "calendar_month", "source", "tied_out_at", "is_provisional"],
    computed: Dictionary(
      uniqueKeysWithValues: ["proved", "explained", "unexplained", "not_yet_settled"].map {
        ("\($0)_percent", "the share of \($0)_units in units")
      }), example: "2026-P11/USD/unexplained_units")

  private static let regionsLayout = Layout(
    keys: ["fiscal_period", "region", "proceeds_currency"],
    texts: [
      "bank_ccy", "paid_on", "bank_ref", "status", "region_name", "starts_on", "ends_on", "calendar_month", "estimated_from",
      "estimated_ccy",
    ],
    computed: [
      "total_owed_recomputed": "what the other columns of the payment add up to, as its signs fit best",
      "diff": "total_owed less total_owed_recomputed", "rate_printed": "the rate that the payment prints",
      "rate_derived": "proceeds_bank_ccy by total_owed", "estimated_rate": "the rate of the payment that estimated_from names",
      "estimated_proceeds": "what is earned, or carried_forward, at estimated_rate",
    ], example: "2026-P11/US/USD/earned_detail", isOfOnePeriod: true)

  /// The parts of an address, in capitals.
  public var form: String { (layout.keys + ["column"]).map { $0.uppercased() }.joined(separator: "/") }

  /// The address of a possible figure.
  public var example: String { layout.example }

  /// Whether a column of the table is a figure with rows.
  func isFigure(_ column: String) -> Bool {
    !layout.keys.contains(column) && !layout.texts.contains(column) && layout.computed[column] == nil
  }
}

/// The address of a figure: the keys of its row, then its column. Fewer parts mean all figures below.
///
/// An empty key is written `-`, and a slash in a key `%2F`.
struct FigureAddress {
  let parts: [String]

  /// - Returns: nil if there are more parts than a figure of the table has.
  init?(_ text: String, in table: FigureTable) {
    let given = text.isEmpty ? [] : text.split(separator: "/", omittingEmptySubsequences: false)
    guard given.count <= table.layout.keys.count + 1 else { return nil }
    parts = given.map { String($0).replacing("%2F", with: "/").replacing("%25", with: "%") }
  }

  static func text(_ row: ReportRecord, _ column: String, in table: FigureTable) throws -> String {
    let keys = try table.layout.keys.map { key in
      let cell = try row[key] ?? ""
      return cell.isEmpty ? "-" : cell.replacing("%", with: "%25").replacing("/", with: "%2F")
    }
    return (keys + [column]).joined(separator: "/")
  }
}
