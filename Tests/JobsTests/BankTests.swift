import Domain
import JobCore
import Reports
import Testing
import TestSupport

/// Which credit on our account is Apple's for a period, and for which vendor.
@Suite struct BankTests {
  typealias Line = FinanceFiles.Line

  struct Case: Sendable, CustomStringConvertible {
    var name: String
    /// Payments files of May by name: what they paid out, and where to.
    var may: [(name: String, amount: String, account: String)] = [("financial_report", "50.00", "")]
    /// What stands behind the amount of the last of them: exchanged at this rate into this currency, or nothing is paid.
    var lastPaid: String?
    /// What June's paid out.
    var june: String?
    var bank: [String]
    /// Status, credits and their difference of the one region.
    var row: String
    var breaks: [String] = []
    var description: String { name }
  }

  static let two = [("a", "30.00", "Paid to DE00 1111"), ("b", "20.00", "Paid to DE00 2222")]

  static let cases: [Case] = [
    Case(name: "the same amount is the credit, whatever it says", bank: ["2026-08-10,50.00,EUR,WIRE,"], row: "closed 50.00 0.00"),
    Case(
      name: "another amount is Apple's where it says so", bank: ["2026-07-02,49.00,EUR,APPLE DIST INTL,"], row: "differs 49.00 -1.00",
      breaks: ["2026-P08 EUR: paid out were 50.00, the bank has 49.00"]),
    Case(name: "an advertiser's credit is not Apple's", bank: ["2026-07-02,49.00,EUR,ADVERTISING NETWORK,"], row: "paid, no bank line  "),
    Case(
      name: "nor is that of the next period", june: "40.00", bank: ["2026-07-18,40.00,EUR,APPLE DIST INTL,"], row: "paid, no bank line  "),
    Case(
      name: "nor is it where both were paid as much", june: "50.00", bank: ["2026-07-31,50.00,EUR,APPLE DIST INTL,"],
      row: "paid, no bank line  "),
    Case(
      name: "nor one that comes when the next period is paid", bank: ["2026-07-31,40.00,EUR,APPLE DIST INTL,"], row: "paid, no bank line  "),
    Case(
      name: "two vendors are two payments and two credits", may: two,
      bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111", "2026-07-02,20.00,EUR,APPLE,DE00 2222"], row: "closed 50.00 0.00"),
    Case(
      name: "each vendor's credit is held against what that vendor was paid", may: two,
      bank: ["2026-07-02,29.00,EUR,APPLE,DE00 1111", "2026-07-02,21.00,EUR,APPLE,DE00 2222"], row: "closed 50.00 0.00",
      breaks: [
        "2026-P08 EUR: paid out were 20.00, the bank has 21.00 (Paid to DE00 2222)",
        "2026-P08 EUR: paid out were 30.00, the bank has 29.00 (Paid to DE00 1111)",
      ]),
    Case(
      name: "what one of two vendors lacks is no difference of the other", may: two, bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111"],
      row: "differs 30.00 -20.00"),
    Case(
      name: "two vendors are paid in two currencies", may: two, lastPaid: "7.00000,140.00,CNY",
      bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111", "2026-07-02,140.00,CNY,APPLE,DE00 2222"],
      row: "paid in parts  ; closed 140.00 0.00; closed 30.00 0.00"),
    Case(
      name: "one of two vendors is not paid yet", may: two, lastPaid: ",,", bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111"],
      row: "paid in parts  ; closed 30.00 0.00; carried forward  "),
    Case(
      name: "two vendors are paid at two rates", may: two, lastPaid: "1.10000,22.00,EUR",
      bank: ["2026-07-02,30.00,EUR,APPLE,DE00 1111", "2026-07-02,22.00,EUR,APPLE,DE00 2222"], row: "closed 52.00 0.00"),
  ]

  static func page(_ month: String, _ amount: String, account: String = "", paid: String? = nil) -> String {
    let paid = paid ?? "1.00000,\(amount),EUR"
    // What stands behind the first blank line was not paid.
    return """
      "iTunes Connect - Payments and Financial Reports (\(month), 2026)"

      Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency
      \(paid == ",," ? "\n" : "")"Euro-Zone (EUR)",1,\(amount),\(amount),0.00,0.00,0.00,\(amount),\(paid)

      ,,,,,,,,,\(paid.split(separator: ",").suffix(2).joined(separator: ","))
      \(account.isEmpty ? "" : "\"\(account)\"\n")
      """
  }

  @Test(arguments: cases) func credit(_ test: Case) async throws {
    let scenario = try await Scenario()
    let asOf = TieoutTests.asOf
    let sold = Line("2026-05-10", settled: "2026-05-12") {
      $0.country = "DE"; $0.region = "EU"; $0.currency = "EUR"; $0.share = "10.00"; $0.units = 5
    }
    try await scenario.ingest(.finance, FinanceFiles.may([sold]), name: "detail", asOf: asOf)
    for file in test.may {
      let paid = file.name == test.may.last?.name ? test.lastPaid : nil
      try await scenario.ingest(.finance, Self.page("May", file.amount, account: file.account, paid: paid), name: file.name, asOf: asOf)
    }
    if let june = test.june { try await scenario.ingest(.finance, Self.page("June", june), name: "june", asOf: asOf) }
    try await scenario.ingest(
      .bank, "bank_date,amount,currency,reference,account\n" + test.bank.map { "\($0)\n" }.joined(), name: "bank", asOf: asOf)
    _ = try await TieoutJob(context: try scenario.context(asOf: asOf)).run(period: "2026-P08")
    let rows = try #require(try await FigureWalk.tables(.tieout, scenario, asOf: asOf)["tieout_regions"]).filter { $0["fiscal_period"] == "2026-P08" }
    let told = rows.map { row in ["status", "bank_amount", "bank_diff"].map { row[$0] ?? "" }.joined(separator: " ") }
    #expect(told.joined(separator: "; ") == test.row)
    let breaks = try await scenario.rows(.breaks, asOf: asOf).filter { $0["class"] == "PAYMENT_DIFF" }
    #expect(breaks.compactMap { $0["detail"] }.sorted() == test.breaks)
    try await FigureWalk.expect(scenario, .tieout, least: [.regions: 3, .bridge: 3], asOf: asOf)
    await scenario.end()
  }
}
