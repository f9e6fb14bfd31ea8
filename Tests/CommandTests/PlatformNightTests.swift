/// Exports of other platforms go from file to report with the proposed mapping alone, unchanged.
@Suite(.cleansUp) struct PlatformNightTests {
  private static let asOf = "2026-11-26T00:00:00Z"

  /// An export of `Tests/Platforms`, and what one of its orders is.
  private struct Export {
    var file: String
    var app: String
    var zone: String
    var rowCount: Int
    var order: String
    var user: String
    var product: String
    var createdAt: String
    var priceMilliunits: Int64
    var currency: String
    /// Apple's transaction that the order names; nil if the export has no such column.
    var transaction: String?

    var inboxName: String { "orders-\(file)" }

    /// Apple's side of the order, as a signed transaction or as the upload of its user.
    func evidence(_ number: Int) -> String {
      let at = instant(createdAt).advanced(bySeconds: 40).rfc3339
      var purchase = ApplePurchase(transaction ?? "77000000000\(number)", at: at, product: product, price: priceMilliunits)
      purchase.bundleID = app
      purchase.currency = currency
      let signed = purchase.jws
      return transaction == nil ? Scenario.upload(signed, user: user, order: order, at: at) : signed
    }
  }

  private static let exports = [
    Export(
      file: "reader-gb18030.csv", app: "com.acme.reader", zone: "Asia/Shanghai", rowCount: 40, order: "N2026112000001", user: "70001",
      product: "com.acme.reader.vip.month", createdAt: "2026-11-20T00:37:00Z", priceMilliunits: 68_000, currency: "CNY",
      transaction: "200000000000901"),
    Export(
      file: "notes-shift_jis.csv", app: "jp.example.notes", zone: "Asia/Tokyo", rowCount: 35, order: "NT-1001", user: "m501",
      product: "jp.example.notes.premium.monthly", createdAt: "2026-11-21T00:46:00Z", priceMilliunits: 980_000, currency: "JPY"),
    Export(
      file: "fit-utf16.txt", app: "com.amazing.fit", zone: "UTC", rowCount: 30, order: "A-0001", user: "c-1",
      product: "com.amazing.fit.pro.year", createdAt: "2026-11-22T08:23:00Z", priceMilliunits: 9990, currency: "EUR"),
    Export(
      file: "coins.ndjson", app: "com.amazing.fit", zone: "UTC", rowCount: 30, order: "ord_00001", user: "usr_1",
      product: "com.amazing.fit.coins.100", createdAt: "2026-11-23T06:16:30Z", priceMilliunits: 9990, currency: "USD",
      transaction: "430000000001"),
    Export(
      file: "news-windows-1252.csv", app: "de.example.news", zone: "Europe/Berlin", rowCount: 30, order: "DE00001", user: "k1",
      product: "de.example.news.plus", createdAt: "2026-11-13T15:00:00Z", priceMilliunits: 12_500, currency: "EUR"),
    Export(
      file: "english.tsv.gz", app: "com.example.english", zone: "Asia/Shanghai", rowCount: 40, order: "LLS000001", user: "10",
      product: "com.example.english.course", createdAt: "2026-11-24T01:12:57Z", priceMilliunits: 198_000, currency: "CNY",
      transaction: "4400000000001"),
  ]

  @Test func sixExportsBecomeOneReport() async throws {
    let setup = try await Setup()
    let apps = Dictionary(Self.exports.map { ($0.app, $0.zone) }) { first, _ in first }.sorted { $0.key < $1.key }
    let settings = "apps:\n" + apps.map { "  - {bundle_id: \($0.key), time_zone: \($0.value)}\n" }.joined()
    for export in Self.exports {
      let path = try setup.write(export.inboxName, Setup.bytes("\(TestServer.repository)/Tests/Platforms/\(export.file)"))
      try setup.write("payrecon.yaml", settings)
      let preview = try await setup.program("ingest", "orders", "--preview", path)
      // The proposed text is the mapping, as it is printed.
      let proposal = Tutorial.proposal(preview)
      #expect(proposal.hasPrefix("inputs:\n  orders:\n"), "\(preview.text)\(preview.complaint)")
      try setup.write("payrecon.yaml", settings + proposal)
      let read = try await setup.patiently(["ingest", "orders", path], asOf: Self.asOf)
      #expect(
        read.text == "orders: input \(export.rowCount) = accepted \(export.rowCount) + repeated 0 + ignored 0 + parked 0\n",
        "\(export.file): \(read.text)\(read.complaint)\(preview.text)")
    }
    try setup.write("payrecon.yaml", settings + "inputs: {orders: {max_age: none}, apple: {max_age: none}}\n")
    try setup.write("inbox/apple.ndjson", Self.exports.enumerated().map { $1.evidence($0) + "\n" }.joined())
    try await setup.nightly(asOf: Self.asOf, exits: 1)
    let orders = try await setup.rows("orders", asOf: Self.asOf)
    for export in Self.exports {
      let expected = [export.user, export.product, "paid", export.createdAt, "\(export.priceMilliunits)", export.currency]
      let read = orders.filter { $0["order_id"] == export.order }.cells("user_id product_id status created_at price_milliunits currency")
      #expect(read == [expected.joined(separator: " ")], "\(export.file)")
    }
    let matched = try await setup.rows("matches", asOf: Self.asOf).cells("order_id")
    #expect(Set(matched) == Set(Self.exports.map(\.order)))
    let breaks = try await setup.rows("breaks", asOf: Self.asOf)
    let classes = Set(breaks.filter { row in Self.exports.contains { $0.order == row["order_id"] } }.compactMap { $0["class"] })
    #expect(classes == ["PAID_NOT_DELIVERED"], "\(classes)")
    let page = try Setup.text("\(setup.directory)/report/report.html")
    for export in Self.exports { #expect(page.contains(export.app)) }
  }
}
