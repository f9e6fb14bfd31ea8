/// Money files in Apple's format, including older and unusual ones.
@Suite struct MoneyFileReadingTests {
  static let financialHeader = [
    "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share", "Extended Partner Share",
    "Partner Share Currency", "Sales or Return", "Apple Identifier", "Artist/Show/Developer/Author", "Title",
    "Label/Studio/Network/Developer/Publisher", "Grid", "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale",
    "Pre-order Flag", "Promo Code", "Customer Price", "Customer Currency",
  ]

  static func financialRow(_ sku: String, quantity: Int, share: String, extended: String, mark: String = "S") -> String {
    [
      "08/31/2014", "09/27/2014", "", "", sku, "\(quantity)", share, extended, "USD", mark, "123456789", "Acme \"Ltd\"", "60 Münzen",
      "", "", "IA1", "", "US", "", "", "0.99", "USD",
    ].joined(separator: "\t")
  }

  static func financial(_ rows: [String], trailer: [String], header: [String] = financialHeader, end: String = "\n") -> String {
    ([header.joined(separator: "\t")] + rows + trailer).map { $0 + end }.joined()
  }

  static func read(_ text: String, name: String = "file.txt") throws -> (rows: [FinanceRow], reader: FinanceReader) {
    var reader = try FinanceReader(bytes: Array(text.utf8), file: name)
    var rows: [FinanceRow] = []
    while let row = try reader.next() { rows.append(row) }
    return (rows, reader)
  }

  static func fault(_ text: String, name: String = "file.txt") -> IntakeError? {
    do {
      _ = try read(text, name: name)
      return nil
    } catch {
      return error as? IntakeError
    }
  }

  static let twoRows = [
    financialRow("coins60", quantity: 3, share: "0.70", extended: "2.10"),
    financialRow("coins60", quantity: -1, share: "0.70", extended: "-0.70", mark: "R"),
  ]
  static let trailer = ["Total_Rows\t2", "Total_Amount\t1.40", "Total_Units\t2"]

  @Test func financialOf2014WithCRLFAndEmptyColumns() throws {
    let (rows, reader) = try Self.read(Self.financial(Self.twoRows, trailer: Self.trailer, end: "\r\n"), name: "85000000_0914_US.txt")
    #expect(reader.report == .financial)
    #expect(rows.map { $0[.quantity] } == ["3", "-1"])
    #expect(rows.map { $0[.extendedPartnerShare] } == ["2.10", "-0.70"])
    #expect(rows.map { $0[.saleOrReturn] } == ["S", "R"])
    #expect(rows.map(\.line) == [2, 3])
    #expect(rows[0][.startDate] == "2014-08-31" && rows[0][.endDate] == "2014-09-27")
    #expect(rows[0][.title] == "60 Münzen" && rows[0][.developer] == "Acme \"Ltd\"" && rows[0][.promoCode] == nil)
    #expect(reader.summary.warnings == [] && reader.unrecognizedColumns == [])
    let name = FinanceFileName("85000000_0914_US.txt")
    #expect(name.vendor == "85000000" && name.region == "US" && name.period == "2014-P12")
  }

  /// Rows, the trailer, and the warnings about the file.
  @Test(
    arguments: [
      (twoRows, ["Total_Rows\t2", "Total_Amount\t1.4", "Total_Units\t4"], ["Total_Units is 4, and the quantities of the rows come to 2"]),
      (
        [financialRow("coins60", quantity: 1, share: "3.49", extended: "3.49", mark: "R")], ["Total_Rows\t1"],
        [
          "1 row has another Extended Partner Share than Quantity x Partner Share, the first in line 2: a return (R) of 1 units at 3.49, and 3.49"
        ]
      ),
      (
        [
          financialRow("coins60", quantity: 3, share: "0.70", extended: "9.99"),
          // The sign of the money differs from that of the units.
          financialRow("coins60", quantity: 2, share: "0.70", extended: "-1.40"),
          // Rounding of the share, and returns as files have them.
          financialRow("coins60", quantity: 1000, share: "0.70", extended: "704.99"),
          financialRow("coins60", quantity: 1, share: "0.70", extended: "-0.70", mark: "R"),
          financialRow("coins60", quantity: -1, share: "-0.70", extended: "-0.70", mark: "R"),
        ], ["Total_Rows\t5"],
        ["2 rows have another Extended Partner Share than Quantity x Partner Share, the first in line 2: 3 units at 0.70, and 9.99"]
      ),
      (
        [
          twoRows[0], twoRows[0].replacing("\t0.99\tUSD", with: "\t\tUSD"), twoRows[0].replacing("\t0.99\tUSD", with: "\t\t"),
          financialRow("coins60", quantity: 3, share: "0.00", extended: "0.00").replacing("\t0.99\tUSD", with: "\t\t"),
        ], ["Total_Rows\t4"],
        [
          "2 rows that bring money have no Customer Price, the first in line 3; it counts as a price of 0",
          "1 row that brings money has no Customer Currency, the first in line 4",
        ]
      ),
    ] as [([String], [String], [String])]) func oddRowsAreWarnings(_ rows: [String], _ trailer: [String], _ warnings: [String]) throws
  {
    #expect(try Self.read(Self.financial(rows, trailer: trailer)).reader.summary.warnings == warnings)
  }

  @Test(arguments: [
    (["Total_Rows\t3", "Total_Amount\t1.40", "Total_Units\t2"], "column \"Total_Rows\": is 3, and there are 2 rows"),
    (["Total_Rows\t2", "Total_Amount\t1.41", "Total_Units\t2"], "column \"Total_Amount\": is 1.41, and the rows come to 1.40"),
    ([], "column \"Total_Rows\": the file ends without it after 2 rows: is it cut off?"),
  ])
  func aTrailerThatContradictsTheRowsRefusesTheFile(_ trailer: [String], _ reason: String) throws {
    let fault = try #require(Self.fault(Self.financial(Self.twoRows, trailer: trailer)))
    #expect(fault.reason.english == reason)
    #expect(fault.line == 4)
  }

  @Test func columnsMayBeRenamedReorderedAndAdded() throws {
    let order = Array(Self.financialHeader.indices.reversed())
    let names = Self.financialHeader.map { $0 == "Sales or Return" ? "Sale or Return" : $0.uppercased().replacing(" ", with: "_") }
    let turned = { (cells: [String]) in (order.map { cells[$0] } + ["new"]).joined(separator: "\t") }
    let rows = Self.twoRows.map { turned($0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)) }
    let text = ([order.map { names[$0] }.joined(separator: "\t") + "\tShelf"] + rows + Self.trailer).joined(separator: "\n")
    let (read, reader) = try Self.read(text)
    #expect(read.map { $0[.quantity] } == ["3", "-1"])
    #expect(read.map { $0[.saleOrReturn] } == ["S", "R"])
    #expect(reader.unrecognizedColumns == ["Shelf"])
  }

  @Test func aMissingColumnIsNamed() throws {
    let header = Self.financialHeader.filter { $0 != "Partner Share Currency" && $0 != "Quantity" }
    let fault = try #require(Self.fault(Self.financial([], trailer: Self.trailer, header: header)))
    #expect(fault.line == 1)
    #expect(fault.reason.english == "the header of this FINANCIAL report lacks \"Quantity\", \"Partner Share Currency\"")
  }

  @Test func faultsNameLineAndColumn() throws {
    let cases: [(change: (String) -> String, line: Int, reason: String)] = [
      ({ $0.replacing("\tUSD\tS\t", with: "\tQQQ\tS\t") }, 2, "column \"Partner Share Currency\": \"QQQ\" is not a currency of ISO 4217"),
      ({ $0.replacing("\t3\t", with: "\tthree\t") }, 2, "column \"Quantity\": \"three\" is not a number of at most 30 digits"),
      ({ $0.replacing("\t3\t", with: "\t1099511627776\t") }, 2, "column \"Quantity\": \"1099511627776\" has more than 12 digits"),
      ({ $0.replacing("\t3\t", with: "\t3.5\t") }, 2, "column \"Quantity\": \"3.5\" is not a whole number"),
      ({ $0.replacing("\t3\t", with: "\t\t") }, 2, "column \"Quantity\": has no value"),
      (
        { $0.replacing("09/27/2014", with: "09/31/2014") }, 2,
        "column \"End Date\": \"09/31/2014\" is not a day, such as 09/27/2026 or 2026-09-27"
      ),
      ({ $0.replacing("\tR\t", with: "\tX\t") }, 3, "column \"Sale or Return\": \"X\" is neither S (sale) nor R (return)"),
      ({ String($0.prefix(520)) }, 3, "the row has"),
    ]
    let text = Self.financial(Self.twoRows, trailer: Self.trailer)
    for test in cases {
      let fault = try #require(Self.fault(test.change(text)), "\(test.reason)")
      #expect(fault.reason.english.hasPrefix(test.reason) || test.line == 3 && fault.line != nil, "\(fault.reason)")
      if !test.reason.hasPrefix("the row") { #expect(fault.line == test.line, "\(fault)") }
    }
    let twice = Self.financial([Self.twoRows[0], Self.financialHeader.joined(separator: "\t"), Self.twoRows[1]], trailer: Self.trailer)
    #expect(Self.fault(twice)?.reason.english == "the header comes again")
    #expect(Self.fault(twice)?.line == 3)
    #expect(Self.fault("hello\nworld\n")?.reason.english == "none of its first 40 lines names the columns of a report that is known")
  }

  static let detailHeader = [
    "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name", "Product Type Identifier",
    "Country of Sale", "Quantity", "Partner Share", "Extended Partner Share", "Partner Share Currency", "Customer Price",
    "Customer Currency", "Sale or Return", "Promo Code", "Order Type", "Region",
  ].joined(separator: "\t")

  static func detail(_ rows: [String], summary: [String]) -> String {
    let preamble = ["Vendor Name\tAcme Ltd", "Start Date\t07/26/2026", "End Date\t08/29/2026", ""]
    let block = summary.isEmpty ? [] : ["Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share"] + summary
    return (preamble + [detailHeader] + rows + block).joined(separator: "\n") + "\n"
  }

  static let detailRows = [
    "07/30/2026\t08/02/2026\t1500\tcoins60\tCoins\tAcme\tIA1\tJP\t2\t700\t1400\tJPY\t1000\tJPY\tS\t\t\tJP",
    "07/31/2026\t08/02/2026\t1500\tcoins60\tCoins\tAcme\tIA1\tKW\t-1\t1.050\t-1.050\tKWD\t1.500\tKWD\tR\t\t\tWW",
  ]

  @Test func detailWithPreambleAndCountrySummary() throws {
    let text = Self.detail(Self.detailRows, summary: ["JP\tJPY\t2\t1400.00", "KW\tKWD\t-1\t-1.05"])
    let (rows, reader) = try Self.read(text)
    #expect(reader.report == .financeDetail)
    #expect(reader.summary.startsOn == "2026-07-26" && reader.summary.endsOn == "2026-08-29")
    #expect(rows.map { $0[.extendedPartnerShare] } == ["1400", "-1.050"])
    #expect(rows.map(\.line) == [6, 7])
    #expect(reader.summary.warnings == [])
    let wrong = Self.fault(Self.detail(Self.detailRows, summary: ["JP\tJPY\t2\t1401", "KW\tKWD\t-1\t-1.05"]))
    #expect(wrong?.reason.english.contains("the summary of JP JPY in line 9 is 1401, and its rows come to 1400") == true)
    let cut = Self.fault(Self.detail(Self.detailRows, summary: ["JP\tJPY\t2\t1400"]))
    #expect(cut?.reason.english.contains("the summary lacks KW KWD") == true)
  }

  /// A report that ends after its header is truncated. A month without sales has a summary.
  @Test func headerAloneIsNoReport() throws {
    let bare = "\(Self.detailHeader)\n"
    let reason = "there is no row behind the header: is it cut off?"
    #expect(Self.fault(bare)?.reason.english == reason)
    #expect(try Self.read(bare + "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share\n").rows.isEmpty)
    #expect(Self.fault(Self.financial([], trailer: []))?.reason.english.contains("the file ends without it after 0 rows") == true)
    let payments = Self.payments.split(separator: "\n", omittingEmptySubsequences: false)[..<3].joined(separator: "\n") + "\n"
    #expect(Self.fault(payments)?.reason.english == "there is no row behind the header: is it cut off?")
  }

  @Test func salesSubscriberAndEventsAreRecognisedByTheirColumns() throws {
    let sales =
      "Provider\tSKU\tDeveloper\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Currency\t"
      + "Country Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price\nAPPLE\tcoins60\tAcme\tIA1\t-1\t4.20\t05/09/2026\t05/09/2026\t"
      + "CNY\tCN\tCNY\t1500\t-6.00\n"
    let (rows, reader) = try Self.read(sales)
    #expect(reader.report == .sales && rows[0][.quantity] == "-1" && rows[0][.customerPrice] == "-6.00")
    let subscriber =
      "Event Date\tApp Name\tSubscription Name\tSubscription Apple ID\tCustomer Price\tCustomer Currency\tDeveloper Proceeds\t"
      + "Proceeds Currency\tProceeds Reason\tCountry\tSubscriber ID\tRefund\tPurchase Date\tUnits\n2026-05-09\tR\tVIP\t77\t25.00\tCNY\t17.5\tCNY\t"
      + "Rate After One Year\tCN\t9007199254740993\t\t2026-05-09\t1\n"
    let parsed = try Self.read(subscriber)
    #expect(parsed.reader.report == .subscriber && parsed.rows[0][.subscriberID] == "9007199254740993")
    let event = "Event Date\tEvent\tSubscription Name\tSubscription Apple ID\tCountry\tQuantity\n2026-05-09\tRenew\tVIP\t077\tCN\t3\n"
    let events = try Self.read(event)
    #expect(events.reader.report == .subscriptionEvent && events.rows[0][.appleIdentifier] == "077")
  }

  static let payments = """
    "iTunes Connect - Payments and Financial Reports (September, 2014)"

    Region (Currency),Units Sold,Balance,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency
    "Americas (USD)","1,234",0.00,"12,345.60","12,345.60",0.00,0.00,0.00,"12,345.60",0.77,"9,506.11",EUR
    "Japan (JPY)",100,0,179,179,0,0,-37,142,0.00733,1.04,EUR
    "Rest of World (USD)",0,0.00,0.00,0.00,0.00,-5.00,0.00,-5.00,0.77,-3.85,EUR

    "Singapur (SGD)",3,1.10,2.00,3.10,0.00,0.00,0.00,3.10,,,
    ,,,,,,,,,,"9,503.30",EUR
    "Paid to DE00 1234"

    """

  @Test func paymentsWithBalanceSeparatorsAndSeveralRates() throws {
    let (rows, reader) = try Self.read(Self.payments, name: "financial_report.csv")
    #expect(reader.report == .payments)
    #expect(reader.summary.month?.description == "2014-P12")
    #expect(rows.map { $0[.region] } == ["Americas", "Japan", "Rest of World", "Singapur"])
    #expect(rows.map { $0[.currency] } == ["USD", "JPY", "USD", "SGD"])
    #expect(rows.map { $0[.earned] } == ["12345.60", "179", "0.00", "2.00"])
    #expect(rows.map { $0[.balance] } == ["0.00", "0", "0.00", "1.10"])
    #expect(rows.map { $0[.proceeds] } == ["9506.11", "1.04", "-3.85", nil])
    #expect(rows.map(\.isInFirstBlock) == [true, true, true, false])
    #expect(reader.summary.warnings == [])
  }

  /// Every line with money is read, or the file is refused. A total has no region name and no additional values.
  @Test(arguments: [
    ("\"Americas - USD\"", "\"Americas - USD\" names no currency in parentheses"),
    ("Americas [USD]", "\"Americas [USD]\" names no currency in parentheses"),
    ("Americas", "\"Americas\" names no currency in parentheses"), ("", "has no value"),
    ("Americas (US$)", "\"US$\" is not a currency of ISO 4217"),
  ])
  func regionWithoutCurrencyIsNotATotal(_ name: String, _ reason: String) throws {
    let lost = Self.payments.replacing("\"Japan (JPY)\",100", with: "\(name),100")
    let fault = try #require(Self.fault(lost))
    #expect(fault.line == 5 && fault.reason.english == "column \"Region (Currency)\": \(reason)", "\(fault.reason)")
    // The line alone, without a following total.
    let alone = lost.split(separator: "\n", omittingEmptySubsequences: false)[..<5].enumerated().filter { $0.offset != 3 }.map(\.element)
    #expect(Self.fault(alone.joined(separator: "\n") + "\n")?.reason.english == fault.reason.english)
  }

  @Test(arguments: ["Total,,,,,,,,,,\"9,503.30\",EUR", ",,,,,,,,,\"9,503.30\"", ",\"1,334\",,,,,,,,,\"9,503.30\",EUR"])
  func totalMayHaveANameOrAnotherColumn(_ total: String) throws {
    let text = Self.payments.replacing(",,,,,,,,,,\"9,503.30\",EUR", with: total)
    #expect(text.contains(total))
    let (rows, reader) = try Self.read(text)
    #expect(rows.count == 4 && reader.summary.warnings == [] && reader.summary.totals == ["total 9503.30", "Paid to DE00 1234"])
  }

  @Test func `a file that may be truncated is refused or accepted with a warning, in these words`() throws {
    let open = "the last line has no line end, and nothing behind the rows says that the file is whole: is it cut off?"
    let proved = "the last line has no line end; what stands behind the rows says that the file is whole"
    let unproven = "no total stands behind the rows, so nothing but them says that the file is whole"
    let bank = "bank_date,amount,currency,reference\n2026-10-01,95.00,EUR,APPLE\n2026-10-02,9503.30,EUR,APP"
    let fault = try #require(Self.fault(bank, name: "bank.csv"))
    #expect(fault.reason.english == open && fault.line == 3 && fault.file == "bank.csv")
    #expect(Self.fault(bank + "\n") == nil)
    var reader = try FinanceReader(bytes: Array(bank.utf8), file: "bank.csv", end: InputEnd(finalNewlineIsOptional: true))
    while try reader.next() != nil {}
    #expect(reader.summary.rowCount == 2 && reader.summary.warnings == [])
    // Totals prove completeness, so a line end is not needed.
    let whole = String(Self.financial(Self.twoRows, trailer: Self.trailer).dropLast())
    #expect(try Self.read(whole).reader.summary.warnings == [proved])
    let cut = String(whole.dropLast("\nTotal_Amount\t1.40\nTotal_Units\t2".count - 1))
    #expect(cut.hasSuffix("Total_Rows\t2\n") && Self.fault(cut) == nil)
    #expect(
      Self.fault(String(Self.financial(Self.twoRows, trailer: []).dropLast()))?.reason.english.contains(
        "the file ends without it after 2 rows")
        == true)
    let rows = Self.payments.split(separator: "\n", omittingEmptySubsequences: false)
    let untotalled = rows[..<6].joined(separator: "\n")
    #expect(try Self.read(untotalled + "\n").reader.summary.warnings == [unproven])
    #expect(Self.fault(String(untotalled.dropLast(4)))?.reason.english == open)
    #expect(try Self.read(String(Self.payments.dropLast(1))).reader.summary.warnings == [proved])
  }

  @Test func aPendingMonthHasFewerColumnsAndLocalisedNames() throws {
    let text = """
      "iTunes Connect – Zahlungen (September 2026)"

      "Region (Währung)","Units Sold","Earned","Pre-Tax Subtotal","Input Tax","Adjustments","Withholding Tax","Total Owed","Exchange Rate","Proceeds"
      "Euro-Zone (EUR)","1.000","1.234,50","1.234,50","0,00","0,00","0,00","1.234,50","1,00000","1.234,50"

      """
    let (rows, reader) = try Self.read(text)
    #expect(reader.summary.month?.description == "2026-P12")
    #expect(rows[0][.units] == "1000" && rows[0][.earned] == "1234.50" && rows[0][.exchangeRate] == "1.00000")
    #expect(rows[0][.bankCurrency] == nil)
    let german = text.replacing(
      "\"Units Sold\",\"Earned\",\"Pre-Tax Subtotal\",\"Input Tax\",\"Adjustments\",\"Withholding Tax\",\"Total Owed\",\"Exchange Rate\",\"Proceeds\"",
      with: "Verkauft,Verdient,Zwischensumme,Vorsteuer,Anpassungen,Quellensteuer,Geschuldet,Wechselkurs,Erlöse,Kontowährung"
    )
    .replacing("\"1,00000\",\"1.234,50\"", with: "\"1,00000\",\"1.234,50\",EUR")
    let other = try Self.read(german)
    #expect(other.rows[0][.totalOwed] == "1234.50" && other.rows[0][.bankCurrency] == "EUR")
    let japanese = try Self.read(
      """
      "支払いと財務報告（2014年12月）"

      "地域（通貨）","販売数","収益","税引前小計","仮払税","調整","源泉徴収税","支払予定合計","為替レート","収益額","銀行口座の通貨"
      "日本（JPY）","1,234","2,100","2,100","0","0","-429","1,671","0.00725","12.11","EUR"

      """)
    #expect(japanese.reader.summary.month?.description == "2015-P03")
    let row = try #require(japanese.rows.first)
    #expect([row[.region], row[.currency], row[.units], row[.withholdingTax], row[.proceeds]] == ["日本", "JPY", "1234", "-429", "12.11"])
  }

  @Test(arguments: [
    ("September, 2014", "2014-P12"), ("octobre 2025", "2026-P01"), ("2026年8月", "2026-P11"), ("Dezember 2025", "2026-P03"),
    ("января 2026 январь", "2026-P04"),
  ])
  func monthsInTitles(_ title: String, _ period: String) {
    let text = "\(title)\n\nRegion (Currency),Units Sold,Earned,Total Owed\nJapan (JPY),1,2,2\n"
    #expect((try? Self.read(text).reader.summary.month?.description) == period)
  }

  /// Returns a paid month in Apple's format: extra fields, total and currency in one cell, the account in any cell.
  static func page(
    _ header: String = "Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,"
      + "Exchange Rate,Proceeds,Bank Account Currency,,",
    total: String = ",,,,,,,,,,\"1,083.47\" EUR,,", account: String = ",,,,,,,,,,Paid to ACME BANK -****4711,,"
  ) -> String {
    """
    "iTunes Connect - Payments and Financial Reports\t(October, 2025)",,,,,,,,,,,,
    ,,,,,,,,,,,,
    \(header)
    "Switzerland (CHF)","12","25.20","25.20","0","0","0","25.20","1.06012","26.72","EUR",,
    "Euro-Zone (EUR)","301","1054.90","1054.90","0","0","0","1054.90","1.00000","1054.90","EUR",,
    "Japan (JPY)","3","354","354","0","0","-72","282","0.00656","1.85","EUR",,
    ,,,,,,,,,,,,
    \(total)
    \(account)
    ,,,,,,,,,,,,

    """
  }

  @Test(arguments: [
    (total: ",,,,,,,,,,\"1,083.47\" EUR,,", account: ",,,,,,,,,,Paid to ACME BANK -****4711,,", isEstimate: false),
    (",,,,,,,,,,\"1083.47 EUR\",,", "Paid to ACME BANK (EUR) -****4711,,,,,,,,,,,,", false),
    (",,,,,,,,,1083.47,EUR,,", ",,,paid to DE00 4711,,,,,,,,,", false),
    ("\"1,083.47\" EUR,,,,,,,,,,,,", ",,Überweisung ACME BANK -****4711,,,", false),
    (",,,,,,,,,,EUR 1083.47,,", ",,,,,,,,,,,,", true), (",,,,,,,,,,\"1.083,47 €\",,", ",,,,,,,,,,Estimated,,", true),
  ]) func totalAndAccountOfAPaymentsFile(_ total: String, _ account: String, _ isEstimate: Bool) throws {
    let (rows, reader) = try Self.read(Self.page(total: total, account: account), name: "financial_report.csv")
    #expect(rows.map { $0[.proceeds] } == ["26.72", "1054.90", "1.85"] && reader.summary.month?.description == "2026-P01")
    #expect(reader.summary.totals.first == "total 1083.47" && reader.summary.isEstimate == isEstimate)
    #expect(reader.summary.account?.contains("4711") == (isEstimate ? nil : true))
    #expect(
      reader.summary.warnings == (account.contains("Estimated") ? ["line 9 is \"Estimated\", which is not known to name an account"] : []))
  }

  @Test(arguments: [
    (",,,,,,,,,,\"1,083.48\" EUR,,", "the total line prints 1083.48 EUR, and the proceeds of the rows come to 1083.47 EUR"),
    (",,,,,,,,,,\"1083.47\" USD,,", "the total line prints 1083.47 USD, and the proceeds of the rows come to 0 USD"),
    (",,,,,,,,,28.57,,,", "the total line prints 28.57, and the proceeds of the rows come to 1083.47"),
  ]) func aTotalOfAPaymentsFileThatDiffersRefusesIt(_ total: String, _ reason: String) {
    let fault = Self.fault(Self.page(total: total))
    #expect(fault?.reason.english == reason && fault?.line == 8)
  }

  /// A file of an unpaid month with unknown column names is recognised by its number of columns.
  @Test(arguments: [
    ("地域（通貨）,販売数,収益,税引前小計,仮払税,調整,源泉徴収税,支払予定合計,為替レート,収益額", "1,\"2,100\",\"2,100\",0,0,-429,\"1,671\",0.00725,12.11", "1671"),
    (
      "Région (devise);Unités;Solde;Gagné;Sous-total;TVA;Ajust.;Retenue;Total dû;Taux;Recettes", "1;3,00;2,10;5,10;0;0;0;5,10;1,0;5,10",
      "5.10"
    ),
    ("Región (divisa);Uds.;Ganado;Subtotal;IVA;Ajustes;Retención;Total adeudado", "1;2,10;2,10;0;0;0;2,10", "2.10"),
    ("Регион (валюта);Ед.;Баланс;Доход;Итого;НДС;Поправки;Удержано;К выплате", "1;3,00;2,10;5,10;0;0;0;5,10", "5.10"),
  ]) func aLocalisedMonthThatIsNotPaidYetIsRead(_ header: String, _ row: String, _ owed: String) throws {
    let mark = header.contains(";") ? ";" : ","
    let (rows, reader) = try Self.read("\"Payments (2026-09)\"\n\n\(header)\nX (JPY)\(mark)\(row)\n")
    #expect(rows.first?[.totalOwed] == owed && rows.first?[.bankCurrency] == nil && reader.summary.isEstimate)
  }

  /// Some files print returns without the sign of their units or of their money.
  @Test func returnsHaveEitherSign() throws {
    let rows = ["R\t1\t0.70\t0.70", "R\t1\t0.70\t-0.70", "R\t-1\t0.70\t-0.70", "S\t3\t0.70\t2.10"].map { text in
      let parts = text.split(separator: "\t").map(String.init)
      return Self.financialRow("coins60", quantity: Int(parts[1]) ?? 0, share: parts[2], extended: parts[3], mark: parts[0])
    }
    let read = { (total: String) in try Self.read(Self.financial(rows, trailer: ["Total_Rows\t4", "Total_Amount\t\(total)"])).rows }
    #expect(
      try read("0.00").map { "\($0[.quantity] ?? "") \($0[.extendedPartnerShare] ?? "")" } == [
        "-1 -0.70", "-1 -0.70", "-1 -0.70", "3 2.10",
      ])
    let reason = "column \"Total_Amount\": is 1.40, and the rows come to 0.00, and counts returns as income"
    #expect(Self.fault(Self.financial(rows, trailer: ["Total_Rows\t4", "Total_Amount\t1.40"]))?.reason.english == reason)
  }

  @Test func bankCredits() throws {
    let (rows, reader) = try Self.read("bank_date;amount;currency;reference\n2026-10-01;\"9.503,30\";EUR;APPLE 123\n")
    #expect(reader.report == .bank && rows[0][.amount] == "9503.30" && rows[0][.bankDate] == "2026-10-01")
  }

  /// The meaning of a single separator depends on the currency. In a bank file it must be unambiguous.
  @Test(arguments: [
    ("15.906", "JPY", "15906"), ("15,906", "JPY", "15906"), ("-1.624", "JPY", "-1624"), ("(1.624)", "TWD", "-1624"),
    ("1,050", "KWD", "1.050"), ("1.050", "KWD", "1.050"), ("1.234", "EUR", "1234"), ("1.234,50", "EUR", "1234.50"),
    ("1234.500", "EUR", "1234.500"), ("0.500", "EUR", "0.500"), ("12,50", "EUR", "12.50"),
  ])
  func separatorsOfAmountsFollowTheCurrency(_ text: String, _ currency: String, _ expected: String) throws {
    let header = "Region (Currency);Units Sold;Earned;Total Owed;Exchange Rate;Proceeds;Bank Account Currency"
    let title = "September 2026\n\n\(header)\n"
    let file = "\(title)Region (\(currency));1.234;\(text);\(text);0,05123;\(text);\(currency)\n\n;;;;;\(text);\n"
    let (rows, reader) = try Self.read(file)
    let row = try #require(rows.first)
    #expect([row[.earned], row[.totalOwed], row[.proceeds]] == [expected, expected, expected])
    #expect(row[.exchangeRate] == "0.05123" && row[.units] == "1234")
    #expect(reader.summary.warnings == [])
  }

  /// The resulting amount decides the meaning of a single separator in a rate.
  @Test(arguments: [
    ("161,234", "100,00", "16123", "161.234"), ("161,234", "100,00", "16123400", "161234"),
    ("161.234", "100,00", "16123", "161.234"), ("25.305", "10.00", "253050", "25305"), ("1,084", "-250,00", "-271", "1.084"),
    ("161,234", "0,00", "0", "161.234"), ("161,234", "100,00", "1234567", nil), ("161.234", "100.00", "1234567", "161.234"),
    ("161.234,5", "1,00", "161235", "161234.5"), ("0,051", "100,00", "5", "0.051"),
  ])
  func separatorsOfRatesFollowTheAmount(_ text: String, _ owed: String, _ proceeds: String, _ expected: String?) {
    let header = "Region (Currency);Units Sold;Earned;Total Owed;Exchange Rate;Proceeds;Bank Account Currency"
    let file = "September 2026\n\n\(header)\nX (USD);5;\(owed);\(owed);\(text);\(proceeds);JPY\n\n;;;;;\(proceeds);\n"
    #expect((try? Self.read(file).rows.first?[.exchangeRate]) == expected)
    guard expected == nil else { return }
    let reason = "column \"Exchange Rate\": \"161,234\" may be 161.234 or 161234, and by neither 100.00 come to 1234567"
    #expect(Self.fault(file)?.reason.english.hasPrefix(reason) == true, "\(String(describing: Self.fault(file)))")
  }

  @Test(arguments: [
    ("15.906", "JPY", "may be 15.906 or 15906 JPY: write it with the 0 digits of its currency, and thousands without marks"),
    ("1.234", "EUR", "may be 1.234 or 1234 EUR: write it with the 2 digits of its currency, and thousands without marks"),
    ("1,050", "KWD", "may be 1050 or 1.050 KWD: write it with the 3 digits of its currency, and thousands without marks"),
    ("1,234", "EUR", nil), ("1.050", "KWD", nil), ("0.500", "EUR", nil), ("15906", "JPY", nil),
  ])
  func ambiguousBankAmountIsRefused(_ text: String, _ currency: String, _ reason: String?) {
    let fault = Self.fault("bank_date;amount;currency;reference\n2026-10-01;\(text);\(currency);APPLE\n")
    #expect(fault?.reason.english == reason.map { "column \"amount\": \"\(text)\" \($0)" })
    #expect(fault?.line == (reason == nil ? nil : 2))
  }

  @Test func bankReferenceInAnotherEncodingIsRefused() throws {
    let bytes = Array("bank_date,amount,currency,reference\n2026-10-29,100.00,CNY,".utf8) + [0xB1, 0xB1, 0xBE, 0xA9, 0x0A]
    var reader = try FinanceReader(bytes: bytes, file: "bank.csv")
    let fault = #expect(throws: IntakeError.self) { try reader.next() }
    #expect(fault?.line == 2)
    #expect(fault?.reason.english.contains("UTF-8") == true)
  }

  @Test(arguments: [
    ("1,234.50", "1234.50"), ("-1,234", "-1234"), ("1.234,50", "1234.50"), ("0,123", "0.123"), ("12,5", "12.5"),
    ("1 234,5", "1234.5"), ("1'234.5", "1234.5"), ("(12.00)", "-12.00"), ("\u{2212}5", "-5"), ("1,099,511,627,776", "1099511627776"),
    ("0.00733", "0.00733"), (".70", "0.70"), ("1.000.000", "1000000"), ("5.", "5"), ("12.50-", "-12.50"),
  ])
  func numbers(_ text: String, _ expected: String) { #expect(ExactDecimal(text)?.description == expected) }

  @Test(arguments: [
    "", "-", "1,23,4", "12a", "1e5", "--1", "1.2.3", "1234567890123456789012345678901", "$5", ",", "12-5", "(5", "5)", "(5)6",
  ])
  func invalidNumbersAreRefused(_ text: String) { #expect(ExactDecimal(text) == nil) }

  @Test func sumsAreExact() {
    let sum = (0..<10).reduce(ExactDecimal.zero) { sum, _ in sum.adding(ExactDecimal("0.1") ?? .zero) ?? .zero }
    #expect(sum.equals(ExactDecimal("1") ?? .zero))
    #expect(!sum.equals(ExactDecimal("1.0000000000000000000000001") ?? .zero))
  }
}
