/// The credit on the bank account that is Apple's payment for a period and vendor.
@Suite(.cleansUp) struct BankCreditOfAPaymentTests {
  typealias Line = FinanceFiles.Line

  struct Case: NamedCase {
    var name = ""
    /// Payments files of May by name: the paid amount and the account.
    var may: [(name: String, amount: String, account: String)] = [("financial_report", "50.00", account)]
    /// Text after the amount of the last file: exchanged at this rate into this currency, or nothing is paid.
    var lastPaid: String?
    var paid: [String: String] = [:]
    /// Amount that April carried forward, and amount in May's column for amounts brought forward.
    var carried: (april: String, may: String?)?
    var estimatedApril: String?
    var june: String?
    var bank: [String]
    /// Status, credits and their difference for the single region.
    var row = "paid, no bank line  "
    var breaks: [String] = []
    /// The expected verdict of the tie-out with its reason; nil if it is not compared.
    var verdict: (Verdict, String?)?
    /// Whether evidence and orders agree with Apple's reports, so that only the payment can prevent a clean verdict.
    var isProved = false
    /// The clock; by default after all deadlines.
    var asOf = TieoutCellTests.asOf
  }

  static let account = "Paid to DE00 1234"
  static let none = "2026-P08 EUR: no credit came for 50.00 of what was paid out"
  static let ends = "the bank's statements in EUR end on 2026-07-18, and 50.00 of what was paid out may have come until 2026-07-19"
  /// A line after the weeks in which Apple pays, so that the statement does not end earlier.
  static let later = "2026-07-19,1.00,EUR,INTEREST,"
  static let advertiser = "2026-07-02,49.00,EUR,ADVERTISING NETWORK,"
  static let apple = "2026-07-02,50.00,EUR,APPLE,"
  static let closed = "closed 50.00 0.00"
  /// The end of the time in which Apple pays May, in California.
  static let (lastSecond, overdue) = ("2026-07-20T06:59:59Z", "2026-07-20T07:00:00Z")
  static let two = [("a", "30.00", "Paid to DE00 1111"), ("b", "20.00", "Paid to DE00 2222")]

  static let cases = Case.table([
    "the same amount is the credit, whatever it says": Case(bank: ["2026-08-10,50.00,EUR,WIRE,"], row: closed),
    "another amount is Apple's where it says so": Case(
      bank: ["2026-07-02,49.00,EUR,APPLE DIST INTL,"], row: "differs 49.00 -1.00",
      breaks: ["2026-P08 EUR: paid out were 50.00, the bank has 49.00"]),
    "an advertiser's credit is not Apple's": Case(bank: [advertiser, later], breaks: [none]),
    "until the weeks in which Apple pays are over it may come": Case(bank: [advertiser], asOf: lastSecond),
    "then it is missing": Case(bank: [advertiser, later], breaks: [none], asOf: overdue),
    "a payment whose credit has not come yet is pending": Case(
      bank: ["2026-06-20,49.00,EUR,ADVERTISING NETWORK,"], verdict: (.pending, nil), isProved: true, asOf: lastSecond),
    "one whose credit came is clean": Case(bank: [apple], row: closed, verdict: (.clean, nil), isProved: true, asOf: lastSecond),
    "one whose credit never came is a break": Case(
      bank: [advertiser, later], breaks: [none], verdict: (.breaks, nil), isProved: true, asOf: overdue),
    "statements that end before the credit's time is over say nothing of it": Case(
      bank: ["2026-07-18,49.00,EUR,ADVERTISING NETWORK,"], verdict: (.incomplete, ends), isProved: true, asOf: overdue),
    "nor do later ones of an account in another currency": Case(
      bank: ["2026-07-18,49.00,EUR,ADVERTISING NETWORK,", "2026-08-19,1.00,CNY,INTEREST,"], verdict: (.incomplete, ends), isProved: true),
    "where no statement was ever read nothing is held against the bank": Case(bank: [], verdict: (.clean, nil), isProved: true),
    "nor is that of the next period": Case(june: "40.00", bank: ["2026-07-18,40.00,EUR,APPLE DIST INTL,", later], breaks: [none]),
    "nor is it where both were paid as much": Case(june: "50.00", bank: ["2026-07-31,50.00,EUR,APPLE DIST INTL,"], breaks: [none]),
    "nor one that comes when the next period is paid": Case(bank: ["2026-07-31,40.00,EUR,APPLE DIST INTL,"], breaks: [none]),
    "two vendors are two payments and two credits": Case(
      may: two, bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111", "2026-07-02,20.00,EUR,APPLE,DE00 2222"], row: closed),
    "each vendor's credit is held against what that vendor was paid": Case(
      may: two, bank: ["2026-07-02,29.00,EUR,APPLE,DE00 1111", "2026-07-02,21.00,EUR,APPLE,DE00 2222"], row: closed,
      breaks: [
        "2026-P08 EUR: paid out were 20.00, the bank has 21.00 (Paid to DE00 2222)",
        "2026-P08 EUR: paid out were 30.00, the bank has 29.00 (Paid to DE00 1111)",
      ]),
    "what one of two vendors lacks is no difference of the other": Case(
      may: two, bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111", later], row: "differs 30.00 -20.00",
      breaks: ["2026-P08 EUR: no credit came for 20.00 of what was paid out (Paid to DE00 2222)"]),
    "two vendors' roundings are each right, and a coin less than that of both together": Case(
      may: two, paid: ["a": "1.015,30,JPY", "b": "1.015,20,JPY"],
      bank: ["2026-07-02,30,JPY,APPLE,DE00 1111", "2026-07-02,20,JPY,APPLE,DE00 2222"], row: "closed 50 0"),
    "one of two vendors is paid at another rate than the printed one": Case(
      may: two, paid: ["a": "1.015,30,JPY", "b": "1.015,22,JPY"],
      bank: ["2026-07-02,30,JPY,APPLE,DE00 1111", "2026-07-02,22,JPY,APPLE,DE00 2222"], row: "differs 52 0",
      breaks: ["2026-P08 EU EUR: 20.00 at the printed rate 1.015 is 20, paid were 22; the rate was 1.1"]),
    "what was carried is brought forward": Case(carried: ("3.52", "3.52"), bank: ["2026-07-02,53.52,EUR,APPLE,"], row: "closed 53.52 0.00"),
    "a part of what was carried is not brought forward": Case(
      carried: ("3.52", "1.00"), bank: ["2026-07-02,51.00,EUR,APPLE,"], row: "closed 51.00 0.00",
      breaks: ["2026-P08 EU EUR: the period before carried 3.52 forward, and 1.00 are brought forward"]),
    "nothing of what was carried is brought forward": Case(
      carried: ("3.52", nil), bank: [apple], row: closed,
      breaks: ["2026-P08 EU EUR: the period before carried 3.52 forward, and 0 are brought forward"]),
    "two vendors are paid in two currencies": Case(
      may: two, lastPaid: "7.00000,140.00,CNY", bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111", "2026-07-02,140.00,CNY,APPLE,DE00 2222"],
      row: "paid in parts  ; closed 140.00 0.00; closed 30.00 0.00"),
    "one of two vendors is not paid yet": Case(
      may: two, lastPaid: ",,", bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111"],
      row: "paid in parts  ; closed 30.00 0.00; carried forward  "),
    "a month that Apple only estimates is pending, and nothing is held against it": Case(
      may: [("financial_report", "49.00", "")], bank: ["2026-06-20,1.00,EUR,INTEREST,"], row: "estimated, payment pending  ",
      verdict: (.pending, nil), isProved: true),
    "a paid month goes before a later estimate of it": Case(
      may: [("a", "50.00", account), ("b", "49.00", "")], bank: [apple], row: closed, verdict: (.clean, nil), isProved: true),
    "what Apple only estimated was not carried": Case(
      estimatedApril: "3.52", bank: [apple], row: closed, verdict: (.clean, nil), isProved: true),
    "two vendors are paid at two rates": Case(
      may: two, lastPaid: "1.10000,22.00,EUR", bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111", "2026-07-02,22.00,EUR,APPLE,DE00 2222"],
      row: "closed 52.00 0.00"),
  ])

  static func page(_ month: String, _ amount: String, account: String = account, paid: String? = nil) -> String {
    let paid = paid ?? "1.00000,\(amount),EUR"
    // The rows after the first blank line were not paid.
    return """
      "iTunes Connect - Payments and Financial Reports (\(month), 2026)"

      Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency
      \(paid == ",," ? "\n" : "")"Euro-Zone (EUR)",1,\(amount),\(amount),0.00,0.00,0.00,\(amount),\(paid)

      ,,,,,,,,,\(paid.split(separator: ",").dropFirst().joined(separator: ","))
      \(account.isEmpty ? "" : "\"\(account)\"\n")
      """
  }

  /// Returns the page of 50.00 with an amount brought forward, all of it paid out.
  static func bringing(_ brought: String, into page: String) -> String {
    let owed = brought == "3.52" ? "53.52" : "51.00"
    return page.replacing("Units Sold,", with: "Units Sold,Balance,")
      .replacing(
        "1,50.00,50.00,0.00,0.00,0.00,50.00,1.00000,50.00,", with: "1,\(brought),50.00,\(owed),0.00,0.00,0.00,\(owed),1.00000,\(owed),"
      )
      .replacing(",,,,,,,,,50.00", with: ",,,,,,,,,,\(owed)")
  }

  @Test(arguments: cases) func credit(_ test: Case) async throws {
    let scenario = try await Scenario()
    let asOf = test.asOf
    let sold = Line("2026-05-10", settled: "2026-05-12") {
      ($0.country, $0.region, $0.currency, $0.share, $0.units) = ("DE", "EU", "EUR", "10.00", 5)
    }
    if test.isProved {
      let charges = (1...5).map { number in
        ApplePurchase("\(number)", at: "2026-05-10T1\(number):00:00Z").with { ($0.storefront, $0.currency) = ("DEU", "EUR") }
      }
      _ = try await scenario.evidence(charges.map(\.jws), asOf: asOf)
    }
    try await scenario.ingest(.finance, FinanceFiles.may([sold]), name: "detail", asOf: asOf)
    for file in test.may {
      let paid = test.paid[file.name] ?? (file.name == test.may.last?.name ? test.lastPaid : nil)
      var page = Self.page("May", file.amount, account: file.account, paid: paid)
      if let brought = test.carried?.may { page = Self.bringing(brought, into: page) }
      try await scenario.ingest(.finance, page, name: file.name, asOf: asOf)
    }
    if let april = test.carried?.april {
      try await scenario.ingest(.finance, Self.page("April", april, paid: ",,"), name: "april", asOf: asOf)
    }
    if let april = test.estimatedApril {
      try await scenario.ingest(.finance, Self.page("April", april, account: ""), name: "april", asOf: asOf)
    }
    if let june = test.june { try await scenario.ingest(.finance, Self.page("June", june), name: "june", asOf: asOf) }
    let bank = "bank_date,amount,currency,reference,account\n" + test.bank.map { "\($0)\n" }.joined()
    if !test.bank.isEmpty { try await scenario.ingest(.bank, bank, name: "bank", asOf: asOf) }
    let outcome = try await scenario.tieOut(asOf: asOf)
    if let (verdict, missing) = test.verdict {
      #expect(outcome.verdict == verdict && outcome.missing.map(\.english).joined(separator: "; ") == missing ?? "", "\(outcome)")
    }
    let rows = try #require(try await FigureWalk.tables(.tieout, scenario, asOf: asOf)["tieout_regions"]).filter {
      $0["fiscal_period"] == "2026-P08"
    }
    #expect(rows.cells("status bank_amount bank_diff").joined(separator: "; ") == test.row)
    let breaks = try await scenario.rows(.breaks, asOf: asOf).filter { $0["class"] == "PAYMENT_DIFF" }
    #expect(breaks.compactMap { $0["detail"] }.sorted() == test.breaks)
    try await FigureWalk.expect(scenario, .tieout, least: [.regions: 3, .bridge: 3], asOf: asOf)
  }
}
