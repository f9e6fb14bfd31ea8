struct RowTests {
  private static let digits300 = String(repeating: "9", count: 300)

  @Test(
    arguments: [
      ("quantity", "6.00", "whole number"), ("quantity", "1e3", "whole number"),
      ("quantity", "0", "less than 1"),
      ("quantity", "-1", "less than 1"), ("quantity", "10001", "more than 10000"),
      ("quantity", digits300, "more than 10000"), ("quantity", "\"+1\"", "whole number"),
      ("quantity", "\" 1\"", "whole number"), ("quantity", "\"-\"", "whole number"),
      ("quantity", "true", "whole number"),
      ("price_milliunits", "-1", "less than 0"), ("price_milliunits", "9223372036854775808", "more than"),
      ("price_milliunits", "10000000000001", "more than 10000000000000"),
      ("created_at", "\"2007-12-31T23:59:59Z\"", "years 2008 to 2100"),
      ("updated_at", "\"2101-01-01T00:00:00Z\"", "years 2008 to 2100"),
      ("paid_at", "\"1970-01-01T00:00:00Z\"", "years 2008"), ("delivered_at", "\"9999-12-31T23:59:59Z\"", "years 2008"),
      ("refunded_at", "\"2100-12-31T23:59:59-00:01\"", "years 2008"),
      ("entitlement_expires_at", "\"9999-12-31T00:00:00Z\"", "years 2008"),
      ("price_milliunits", "\"10.99\"", "whole number"), ("price_milliunits", "\"٣\"", "whole number"),
      ("status", "\"Paid\"", "created, paid, delivered"), ("status", "\"unpaid\"", "created, paid"),
      ("status", nil, "missing"),
      ("created_at", "\"2025-03-01T12:00:00\"", "offset"), ("created_at", "\"2025-03-01\"", "offset"),
      ("created_at", "\"01/03/2025\"", "RFC 3339"), ("created_at", "1740830400", "RFC 3339"),
      ("created_at", nil, "missing"),
      ("paid_at", "\"2025-02-29T00:00:00Z\"", "offset"), ("currency", "\"usd\"", "currency code"),
      ("currency", "\"US\"", "currency code"), ("currency", "\"USDT\"", "currency code"),
      ("storefront", "\"us\"", "storefront"),
      ("environment", "\"production\"", "Production, Sandbox"), ("evidence_sha256", "\"abc\"", "SHA-256"),
      ("app_account_token", "\"0123\"", "UUID"),
      ("app_account_token", "\"01234567-89ab-cdef-0123-456789abcdeg\"", "UUID"),
      ("app_account_token", "\"0123456789abcdef-0123-456789abcdef012\"", "UUID"),
      ("order_id", "\" o\"", "space"), ("order_id", "\"o \"", "space"),
      ("order_id", "\"o\\u0085p\"", "control"),
      ("order_id", "\"a\\u007fb\"", "control"),
      ("order_id", "\"\(String(repeating: "é", count: 128))\"", "256 bytes"),
      ("order_id", nil, "missing"), ("user_id", "\"\"", "missing"),
      ("consumption_consent", "\"yes\"", "true, false"), ("consumption_millipercent", "100001", "more than 100000"),
      ("consumption_millipercent", "\"12.5\"", "whole number"),
    ] as [(String, String?, String)])
  func `a value with a fault parks its row`(field: String, value: String?, reason: String) throws {
    let item = try #require(try readOrder([field: value])?.parked, "\(field) \(value ?? "nil") was taken")
    #expect(item.field == field)
    #expect(item.reason.english.contains(reason), "\(item.reason)")
    #expect(item.reason.english.utf8.count < 400)
    #expect(item.kind == "orders")
  }

  @Test(
    arguments: [
      (["status": "\"3\"", "created_at": "\"1 May\"", "price_milliunits": "\"6.00\""], ["status", "created_at", "price_milliunits"]),
      (["order_id": nil, "user_id": nil, "status": nil], ["order_id", "user_id", "status"]),
      (["currency": "\"usd\"", "paid_at": "\"2025-03-01\"", "quantity": "0"], ["quantity", "currency", "paid_at"]),
      (["app_account_token": "\"x\"", "evidence_sha256": "\"y\""], ["app_account_token", "evidence_sha256"]),
    ] as [([String: String?], [String])])
  func `all faults of a row are named at once`(changes: [String: String?], fields: [String]) throws {
    let item = try #require(try readOrder(changes)?.parked, "\(fields) were taken")
    #expect(item.field == fields.joined(separator: ", "))
    #expect(
      item.reason.english.split(separator: "; ").compactMap { $0.split(separator: ":").first.map(String.init) } == fields, "\(item.reason)")
  }

  @Test func `numbers that a spreadsheet shortened are reported by column`() throws {
    let rows = ["2.02611E+11", "1E+5", "2e+05", "1e5", "E+11", "2.02611E+", "a2E+11", "202611000001"]
    let text = "user_id,home_storefront\n" + rows.map { "\($0),CHN\n" }.joined()
    let file = try TestFile(text, suffix: ".csv")
    var reader = try RowFileReader<UserRow>(path: file.path)
    while try reader.next() != nil {}
    let found = try #require(reader.exponentialTexts["user_id"])
    #expect(reader.exponentialTexts.count == 1)
    #expect((found.count, found.line, found.value) == (3, 2, "\"2.02611E+11\""))
  }

  @Test func `an order with every column is read`() throws {
    let result = try readOrder([
      "updated_at": "\"2025-03-02T00:00:00+08:00\"", "environment": "\"Sandbox\"", "quantity": "3",
      "price_milliunits": "\"10000000000000\"", "currency": "\"CNY\"", "storefront": "\"CHN\"",
      "paid_at": "\"2025-03-01T12:00:01Z\"", "delivered_at": "\"2025-03-01T12:00:02Z\"",
      "refunded_at": "\"2025-03-01T12:00:03Z\"", "entitlement_expires_at": "\"2025-04-01T12:00:00Z\"",
      "app_account_token": "\"01234567-89AB-CDEF-0123-456789ABCDEF\"", "application_username": "\"玩家\"",
      "transaction_id": "2000000123456789", "original_transaction_id": "\"2000000123456788\"",
      "web_order_line_item_id": "\"1\"", "device_id": "\"d\"",
      "evidence_sha256": "\"\\\\x\(String(repeating: "AB", count: 32))\"", "operator_id": "\"op\"",
      "consumption_consent": "true", "consumption_millipercent": "37500",
    ])
    var wanted = OrderRow(
      orderID: "o-1", bundleID: "com.example.app", productID: "gems", userID: "u-1", status: .paid,
      createdAt: try instant("2025-03-01T12:00:00Z"), updatedAt: try instant("2025-03-01T16:00:00Z"))
    wanted.environment = "Sandbox"
    wanted.quantity = 3
    wanted.priceMilliunits = 10_000_000_000_000
    wanted.currency = "CNY"
    wanted.storefront = "CHN"
    wanted.paidAt = try instant("2025-03-01T12:00:01Z")
    wanted.deliveredAt = try instant("2025-03-01T12:00:02Z")
    wanted.refundedAt = try instant("2025-03-01T12:00:03Z")
    wanted.entitlementExpiresAt = try instant("2025-04-01T12:00:00Z")
    wanted.appAccountToken = "01234567-89ab-cdef-0123-456789abcdef"
    wanted.applicationUsername = "玩家"
    wanted.transactionID = "2000000123456789"
    wanted.originalTransactionID = "2000000123456788"
    wanted.webOrderLineItemID = "1"
    wanted.deviceID = "d"
    wanted.evidenceSHA256 = String(repeating: "ab", count: 32)
    wanted.operatorID = "op"
    wanted.consumptionConsent = true
    wanted.consumptionMillipercent = 37_500
    #expect(result == .row(wanted, line: 1))
  }

  @Test func `an order that says little has the defaults`() throws {
    let row = try #require(try readOrder(["delivered_at": "\"2025-03-01T13:00:00Z\""])?.row?.row, "the order was parked")
    #expect(row.environment == "Production")
    #expect(row.quantity == 1)
    #expect(row.updatedAt == row.deliveredAt)
    #expect(!row.isDated)
    #expect(row.priceMilliunits == nil)
  }

  @Test(arguments: ["P1M", "P1Y2M", "P7D", "P2W", "P1Y1M1W1D"])
  func `a period is whole years, months, weeks or days`(period: String) throws {
    let bytes = Array("app,gems,auto_renewable,\(period),F".utf8)
    var reader = try RowFileReader<CatalogueRow>(
      bytes: bytes, header: Array("bundle_id,product_id,type,period,family_shareable".utf8), file: "c.csv")
    let (row, line) = try #require(try reader.next()?.row, "\(period) was parked")
    #expect(line == 1)
    #expect(row.period == period)
    #expect(row.familyShareable == false)
    #expect(row.type == .autoRenewable)
  }

  @Test(arguments: [
    ("period", "P"), ("period", "PT1H"), ("period", "P1"), ("period", "PM"), ("period", "P1D1M"),
    ("period", "1M"),
    ("period", "P1.5M"), ("family_shareable", "yes"), ("family_shareable", "10"), ("type", "Consumable"),
    ("price_milliunits", "-5"), ("price_milliunits", "100000000000000000"), ("valid_from", "1999-01-01T00:00:00Z"),
  ])
  func `a product with a fault is parked`(field: String, value: String) throws {
    let type = field == "type" ? value : "consumable"
    let header = field == "type" ? "bundle_id,product_id,type" : "bundle_id,product_id,type,\(field)"
    let row = field == "type" ? "app,gems,\(type)" : "app,gems,\(type),\(value)"
    var reader = try RowFileReader<CatalogueRow>(bytes: Array(row.utf8), header: Array(header.utf8), file: "c.csv", line: 7)
    let item = try #require(try reader.next()?.parked, "\(field) \(value) was taken")
    #expect(item.field == field)
    #expect(item.line == 7)
    #expect(item.file == "c.csv")
  }

  private func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }
}
