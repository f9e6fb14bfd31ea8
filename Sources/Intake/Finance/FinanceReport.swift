/// What a file about money is; told by the names of its columns.
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

  /// Reports whose rows are lines of sales; the other two are payments.
  public var hasLines: Bool { self != .payments && self != .bank }
}

/// What a value of a file about money means, in the order in which rows hold them.
public enum FinanceField: Int, Sendable, CaseIterable {
  case startDate, endDate, transactionDate, settlementDate, appleIdentifier, sku, title, developer, productType
  case countryOfSale, quantity, customerPrice, customerCurrency, partnerShare, extendedPartnerShare
  case partnerShareCurrency, saleOrReturn, promoCode, orderType, region, proceedsReason, event, purchaseDate
  case subscriberID, refund
  case units, balance, earned, preTaxSubtotal, inputTax, adjustments, withholdingTax, totalOwed, exchangeRate
  case proceeds, bankCurrency
  case bankDate, amount, currency, reference, account
}

/// One row of a file about money: values checked, decimals without separators of thousands, days as `YYYY-MM-DD`.
public struct FinanceRow: Sendable, Hashable {
  /// Line in the file, from 1.
  public var line: Int
  /// Whether the row stands above the first blank line: in a payments file, whether it was paid.
  public var isInFirstBlock: Bool
  private var values: [String?]

  init(line: Int, isInFirstBlock: Bool) {
    self.line = line
    self.isInFirstBlock = isInFirstBlock
    values = Array(repeating: nil, count: FinanceField.allCases.count)
  }

  public subscript(field: FinanceField) -> String? {
    get { values[field.rawValue] }
    set { values[field.rawValue] = newValue }
  }

  /// The row with a return as what was given back: some reports print its units or its money without their sign.
  var turned: FinanceRow {
    guard self[.saleOrReturn] == "R" else { return self }
    var row = self
    for field in [FinanceField.quantity, .extendedPartnerShare] {
      guard let value = decimal(field), !value.isNegative, !value.equals(.zero) else { continue }
      row[field] = value.negated.description
    }
    return row
  }

  /// Value of a decimal field.
  func decimal(_ field: FinanceField) -> ExactDecimal? { self[field].flatMap { ExactDecimal($0) } }
}

/// What a file tells about itself beside its rows.
public struct FinanceSummary: Sendable, Hashable {
  public var rowCount = 0
  /// First and last day that the file is about; nil where it does not say.
  public var startsOn: String?
  public var endsOn: String?
  /// Month and year of a payments file's title.
  public var month: FinanceMonth?
  /// The account that a payments file says its money went to, as printed.
  public var account: String?
  /// Whether a payments file is of a month that Apple has not paid out yet.
  public var isEstimate = false
  /// What a trailer prints beside the sum of the rows.
  public var totals: [String] = []
  /// What is odd about the file and does not keep it from being read, one line each.
  public var warnings: [String] = []
}
