struct FinanceColumn: Sendable {
  enum Kind: Sendable {
    /// `money` is an amount in the currency of its row.
    case text, decimal, money, units, day, currency, country, saleOrReturn
  }

  let field: FinanceField
  /// Known names of the column, Apple's newest first.
  let names: [String]
  let kind: Kind
  /// Whether a file without the column is refused.
  let isRequired: Bool
  /// Whether a row without a value is refused.
  let needsValue: Bool

  init(_ field: FinanceField, _ names: [String], _ kind: Kind = .text, required: Bool = false, value: Bool = false) {
    self.field = field
    self.names = names
    self.kind = kind
    isRequired = required
    needsValue = value
  }
}

extension FinanceReport {
  /// The columns to read, with the names that occur in real files.
  var columns: [FinanceColumn] {
    switch self {
    case .financial: Self.financialColumns
    case .financeDetail: Self.detailColumns
    case .sales: Self.salesColumns
    case .subscriber: Self.subscriberColumns
    case .subscriptionEvent: Self.eventColumns
    case .payments: Self.paymentColumns
    case .bank: Self.bankColumns
    }
  }

  /// Columns that Apple prints but this program does not read.
  var knownElsewhere: [String] {
    switch self {
    case .financial:
      ["UPC", "ISRC/ISBN", "Label/Studio/Network/Developer/Publisher", "Grid", "ISAN/Other Identifier", "Pre-order Flag"]
    case .financeDetail, .payments, .bank: []
    case .sales:
      [
        "Provider", "Provider Country", "Version", "Parent Identifier", "Subscription", "Period", "Category", "CMB",
        "Device", "Supported Platforms", "Preserved Pricing", "Client",
      ]
    case .subscriber, .subscriptionEvent:
      [
        "App Name", "App Apple ID", "Subscription Group ID", "Standard Subscription Duration", "Subscription Offer Name",
        "Promotional Offer ID", "Subscription Offer Type", "Subscription Offer Duration", "Marketing Opt-In",
        "Marketing Opt-In Duration", "Preserved Pricing", "Client", "Device", "State", "Subscriber ID Reset",
        "Consecutive Paid Periods", "Original Start Date", "Previous Subscription Name",
        "Previous Subscription Apple ID", "Days Before Canceling", "Cancellation Reason", "Days Canceled",
        "Paid Service Days Recovered",
      ]
    }
  }

  private static let returnNames = ["Sale or Return", "Sales or Return", "Sales/Return", "Sale/Return"]

  /// The common columns of FINANCIAL and FINANCE_DETAIL.
  private static let moneyColumns = [
    FinanceColumn(.appleIdentifier, ["Apple Identifier"], required: true),
    FinanceColumn(.title, ["Title"]),
    FinanceColumn(.productType, ["Product Type Identifier"], required: true),
    FinanceColumn(.countryOfSale, ["Country of Sale"], .country, required: true, value: true),
    FinanceColumn(.quantity, ["Quantity"], .units, required: true, value: true),
    FinanceColumn(.partnerShare, ["Partner Share"], .decimal, required: true, value: true),
    FinanceColumn(.extendedPartnerShare, ["Extended Partner Share"], .decimal, required: true, value: true),
    FinanceColumn(.partnerShareCurrency, ["Partner Share Currency"], .currency, required: true, value: true),
    FinanceColumn(.customerPrice, ["Customer Price"], .decimal, required: true),
    FinanceColumn(.customerCurrency, ["Customer Currency"], .currency, required: true),
    FinanceColumn(.saleOrReturn, returnNames, .saleOrReturn, required: true),
    FinanceColumn(.promoCode, ["Promo Code"]),
  ]

  private static let financialColumns =
    moneyColumns + [
      FinanceColumn(.startDate, ["Start Date"], .day, required: true, value: true),
      FinanceColumn(.endDate, ["End Date"], .day, required: true, value: true),
      FinanceColumn(.sku, ["Vendor Identifier"], required: true, value: true),
      FinanceColumn(.developer, ["Artist/Show/Developer/Author", "Artist/Show/Developer"]),
    ]

  private static let detailColumns =
    moneyColumns + [
      FinanceColumn(.transactionDate, ["Transaction Date"], .day, required: true, value: true),
      FinanceColumn(.settlementDate, ["Settlement Date"], .day, required: true, value: true),
      FinanceColumn(.sku, ["SKU", "Vendor Identifier"], required: true, value: true),
      FinanceColumn(.developer, ["Developer Name"]),
      FinanceColumn(.orderType, ["Order Type"]),
      FinanceColumn(.region, ["Region"]),
    ]

  private static let salesColumns = [
    FinanceColumn(.transactionDate, ["Begin Date"], .day, required: true, value: true),
    FinanceColumn(.endDate, ["End Date"], .day, required: true, value: true),
    FinanceColumn(.sku, ["SKU"], required: true, value: true),
    FinanceColumn(.developer, ["Developer"]),
    FinanceColumn(.title, ["Title"]),
    FinanceColumn(.productType, ["Product Type Identifier"], required: true, value: true),
    FinanceColumn(.quantity, ["Units"], .units, required: true, value: true),
    FinanceColumn(.partnerShare, ["Developer Proceeds"], .decimal, required: true, value: true),
    FinanceColumn(.customerCurrency, ["Customer Currency"], .currency, required: true),
    FinanceColumn(.countryOfSale, ["Country Code"], .country, required: true, value: true),
    FinanceColumn(.partnerShareCurrency, ["Currency of Proceeds"], .currency, required: true),
    FinanceColumn(.appleIdentifier, ["Apple Identifier"], required: true),
    FinanceColumn(.customerPrice, ["Customer Price"], .decimal, required: true),
    FinanceColumn(.promoCode, ["Promo Code"]),
    FinanceColumn(.proceedsReason, ["Proceeds Reason"]),
    FinanceColumn(.orderType, ["Order Type"]),
  ]

  private static let subscriberColumns = [
    FinanceColumn(.transactionDate, ["Event Date"], .day, required: true, value: true),
    FinanceColumn(.title, ["Subscription Name"]),
    FinanceColumn(.appleIdentifier, ["Subscription Apple ID"], required: true, value: true),
    FinanceColumn(.customerPrice, ["Customer Price"], .decimal, required: true),
    FinanceColumn(.customerCurrency, ["Customer Currency"], .currency, required: true),
    FinanceColumn(.partnerShare, ["Developer Proceeds"], .decimal, required: true),
    FinanceColumn(.partnerShareCurrency, ["Proceeds Currency"], .currency, required: true),
    FinanceColumn(.proceedsReason, ["Proceeds Reason"]),
    FinanceColumn(.countryOfSale, ["Country"], .country, required: true, value: true),
    FinanceColumn(.subscriberID, ["Subscriber ID"], required: true),
    FinanceColumn(.refund, ["Refund"]),
    FinanceColumn(.purchaseDate, ["Purchase Date"], .day),
    FinanceColumn(.quantity, ["Units"], .units),
  ]

  private static let eventColumns = [
    FinanceColumn(.transactionDate, ["Event Date"], .day, required: true, value: true),
    FinanceColumn(.event, ["Event"], required: true, value: true),
    FinanceColumn(.title, ["Subscription Name"]),
    FinanceColumn(.appleIdentifier, ["Subscription Apple ID"], required: true, value: true),
    FinanceColumn(.proceedsReason, ["Proceeds Reason"]),
    FinanceColumn(.countryOfSale, ["Country"], .country, required: true, value: true),
    FinanceColumn(.quantity, ["Quantity"], .units, required: true, value: true),
  ]

  private static let paymentColumns = [
    FinanceColumn(.region, ["Region (Currency)", "Country or Region (Currency)"], required: true, value: true),
    FinanceColumn(.units, ["Units Sold"], .units),
    FinanceColumn(.balance, ["Balance", "Beginning Balance"], .money),
    FinanceColumn(.earned, ["Earned"], .money, required: true),
    FinanceColumn(.preTaxSubtotal, ["Pre-Tax Subtotal"], .money),
    FinanceColumn(.inputTax, ["Input Tax"], .money),
    FinanceColumn(.adjustments, ["Adjustments"], .money),
    FinanceColumn(.withholdingTax, ["Withholding Tax"], .money),
    FinanceColumn(.totalOwed, ["Total Owed"], .money),
    FinanceColumn(.exchangeRate, ["Exchange Rate"], .decimal),
    FinanceColumn(.proceeds, ["Proceeds"], .money),
    FinanceColumn(.bankCurrency, ["Bank Account Currency"], .currency),
  ]

  private static let bankColumns = [
    FinanceColumn(.bankDate, ["bank_date", "booking_date", "value_date"], .day, required: true, value: true),
    FinanceColumn(.amount, ["amount"], .money, required: true, value: true),
    FinanceColumn(.currency, ["currency"], .currency, required: true, value: true),
    FinanceColumn(.reference, ["reference", "description"]),
    FinanceColumn(.account, ["account"]),
  ]
}
