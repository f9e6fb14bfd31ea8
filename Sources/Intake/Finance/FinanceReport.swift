/// The type of a financial file, identified by the names of its columns.
public enum FinanceReport: String, Sendable, CaseIterable {
  /// App Store Connect's financial report of a region and a fiscal period.
  case financial = "FINANCIAL"
  /// The same money by transaction day, of all regions.
  case financeDetail = "FINANCE_DETAIL"
  case sales = "SALES"
  case subscriber = "SUBSCRIBER"
  case subscriptionEvent = "SUBSCRIPTION_EVENT"
  /// The payments page as CSV.
  case payments = "PAYMENTS"
  /// Credits on our bank account.
  case bank = "BANK"

  /// Whether the rows are lines of sales; the other two reports are payments.
  public var hasLines: Bool { self != .payments && self != .bank }
}

/// The meaning of a value in a financial file, in the order of storage in rows.
public enum FinanceField: Int, Sendable, CaseIterable {
  case startDate, endDate, transactionDate, settlementDate, appleIdentifier, sku, title, developer, productType
  case countryOfSale, quantity, customerPrice, customerCurrency, partnerShare, extendedPartnerShare
  case partnerShareCurrency, saleOrReturn, promoCode, orderType, region, proceedsReason, event, purchaseDate
  case subscriberID, refund
  case units, balance, earned, preTaxSubtotal, inputTax, adjustments, withholdingTax, totalOwed, exchangeRate
  case proceeds, bankCurrency
  case bankDate, amount, currency, reference, account
}

/// One row of a financial file: checked values, decimals without thousands separators, days as `YYYY-MM-DD`.
public struct FinanceRow: Sendable, Hashable {
  /// Line number in the file, from 1.
  public var line: Int
  /// Whether the row is above the first blank line; in a payments file, whether it was paid.
  public var isInFirstBlock: Bool
  private(set) var values = [String?](repeating: nil, count: FinanceField.allCases.count)

  public subscript(field: FinanceField) -> String? {
    get { values[field.rawValue] }
    set { values[field.rawValue] = newValue }
  }

  /// The row with negative values if it is a return, because some reports omit the sign of its units or money.
  var signed: FinanceRow {
    guard self[.saleOrReturn] == "R" else { return self }
    var row = self
    for field in [FinanceField.quantity, .extendedPartnerShare] {
      guard let value = decimal(field), !value.isNegative, !value.equals(.zero) else { continue }
      row[field] = value.negated.description
    }
    return row
  }

  func decimal(_ field: FinanceField) -> ExactDecimal? { self[field].flatMap { ExactDecimal($0) } }
}

/// A file's statements about itself besides its rows.
public struct FinanceSummary: Sendable, Hashable {
  public var rowCount = 0
  /// First day of the file, and `endsOn` the last; nil where the file states none.
  public var startsOn: String?
  public var endsOn: String?
  /// Month and year in the title of a payments file.
  public var month: FinanceMonth?
  /// The receiving account of a payments file, as printed.
  public var account: String?
  /// Whether a payments file is of a month that Apple has not paid yet.
  public var isEstimate = false
  /// Totals of a trailer besides the sum of the rows.
  public var totals: [String] = []
  /// Irregularities that do not prevent reading the file, one line each.
  public var warnings: [String] = []
}
