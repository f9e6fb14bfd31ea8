import Repository

/// Exports of other platforms are read by the mapping that their preview proposes.
struct PlatformTests {
  /// Returns the preview of a text as a file, and verifies parts that it has and texts that it lacks.
  @discardableResult
  private static func preview(
    of text: String, as row: any InputRow.Type = OrderRow.self, apps: [(String, String)] = [], suffix: String = ".csv",
    has parts: [String] = [], lacks absent: String..., sourceLocation: SourceLocation = #_sourceLocation,
    _ set: (inout PreviewFacts) -> Void = { _ in }
  ) throws -> String {
    let file = try TestFile(text, suffix: suffix)
    let shown = try preview(path: file.path, as: row, apps: apps, set)
    for part in parts { #expect(shown.contains(part), "\(part) in\n\(shown)", sourceLocation: sourceLocation) }
    for part in absent { #expect(!shown.contains(part), "\(part) in\n\(shown)", sourceLocation: sourceLocation) }
    return shown
  }

  private static func preview(
    path: String, as row: any InputRow.Type = OrderRow.self, apps: [(String, String)] = [], _ set: (inout PreviewFacts) -> Void = { _ in }
  ) throws -> String {
    var facts = PreviewFacts()
    facts.apps = apps.map { (bundleID: $0.0, timeZone: $0.1) }
    set(&facts)
    return try InputPreview(row, path: path, format: nil, mapping: nil, facts: facts).lines.joined(separator: "\n")
  }

  private static func table(_ header: String, _ rows: [String]) -> String { ([header] + rows).joined(separator: "\n") + "\n" }

  /// File, app, number of rows, lines that the preview has.
  @Test(arguments: [
    (
      "reader-gb18030.csv", "com.acme.reader", 40,
      [
        "gb18030", "encoding: gb18030", "unit: minor", "0: created", "5: refunded", "zone: Asia/Shanghai",
        "transaction_id: 交易号", "paid_at: {from: gmt_pay",
      ]
    ),
    (
      "notes-shift_jis.csv", "jp.example.notes", 35,
      [
        "shift_jis", "支払待ち: created", "unit: decimal", "zone: Asia/Tokyo", "format: \"yyyy/MM/dd HH:mm:ss\"",
        "value: JPY", "bundle_id: アプリID",
      ]
    ),
    (
      "fit-utf16.txt", "com.amazing.fit", 30,
      ["utf-16le", "encoding: utf-16", "separated by \"tab\"", "unit: decimal", "Completed: delivered"]
    ),
    ("coins.ndjson", "com.amazing.fit", 30, ["NDJSON", "unit: minor", "format: unix_milliseconds", "usd: USD", "FULFILLED: delivered"]),
    (
      "news-windows-1252.csv", "de.example.news", 30,
      ["separated by \";\"", "encoding: windows-1252", "unit: decimal, decimal_mark: comma", "format: \"dd.MM.yyyy HH:mm:ss\""]
    ),
    (
      "english.tsv.gz", "com.example.english", 40,
      ["format: unix_seconds", "nulls: [\"NULL\"]", "20: paid", "30: delivered", "40: cancelled"]
    ),
  ]) func theProposalReadsEveryRow(_ file: String, _ app: String, _ rows: Int, _ parts: [String]) throws {
    let text = try Self.preview(path: "\(Repository.root)/Tests/Platforms/\(file)", apps: [(app, "UTC")])
    #expect(text.contains("Rows: \(rows) can be read, 0 would be parked."), "\(text)")
    for part in parts { #expect(text.contains(part), "\(part) in\n\(text)") }
    #expect(!text.contains("Not found"))
  }

  @Test func `a zone or a currency in the name of a column outweighs the app's zone`() throws {
    let orders = Self.table(
      "Order No,Product,User ID,Status,Created (UTC),Paid (GMT+9),Total (USD)",
      ["PO-1,com.acme.reader.coins,U1,paid,2026-05-01 10:00:00,2026-05-01 19:00:00,4.99"])
    let parts = [
      "{from: \"Created (UTC)\", zone: UTC,", "{from: \"Paid (GMT+9)\", zone: Etc/GMT-9,", "currency: {value: USD}",
      "USD is proposed, because Total (USD) names it.",
    ]
    try Self.preview(of: orders, apps: [("com.acme.reader", "Asia/Shanghai")], has: parts, lacks: "zone: Asia/Shanghai")
    for amount in ["amount_all", "AMOUNT_ALL"] {
      let named = Self.table(
        "order_no,product,user_id,status,gmt_create,\(amount)", ["PO-1,com.acme.reader.coins,U1,paid,2026-05-01 10:00:00,4.99"])
      try Self.preview(of: named, apps: [("com.acme.reader", "Asia/Tokyo")], has: ["zone: Asia/Tokyo", "currency: {value: CNY}"])
    }
  }

  @Test func unusualValuesAreNamed() throws {
    let orders = """
      order_no,user_id,product_id,status,created_at,transaction_id,price_milliunits
      N1,u1,com.acme.vip,paid,2026-05-01T00:00:00Z,2.00000E+14,18000
      N2,u2,com.acme.vip,odd,2026-05-01T00:00:00Z,2.00000E+14,1800000
      """
    let parts = ["spreadsheet shortened", "\"odd\"", "currency", "updated_at:"]
    try Self.preview(of: orders, apps: [("com.acme", "Asia/Shanghai")], has: parts) { $0.prices = [("com.acme.vip", "CNY", 18000)] }
  }

  @Test func amountsAHundredTimesOffAreDoubtful() throws {
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency"
    let rows = (1...3).map { "\($0),com.acme,com.acme.vip,u,paid,2026-05-01T0\($0):00:00Z,1800000,CNY" }
    let parts = ["3 amounts are 100 times larger", "payrecon's own columns"]
    try Self.preview(of: Self.table(header, rows), has: parts, lacks: "Proposed mapping") { $0.prices = [("com.acme.vip", "CNY", 18000)] }
  }

  @Test func usersAndCataloguesHaveProposals() throws {
    let users = "会員ID,登録日時,テスター\nm1,2026/05/01 10:00:00,はい\nm2,2026/05/02 10:00:00,いいえ\n"
    try Self.preview(of: users, as: UserRow.self, has: ["is_tester: {from: テスター, values: {いいえ: \"false\", はい: \"true\"}}"])
    let goods = "商品编号,类型,价格(元),币种\ncom.acme.vip,自动续期订阅,18.00,人民币\n"
    try Self.preview(of: goods, as: CatalogueRow.self, apps: [("com.acme", "UTC")], has: ["Rows: 1 can be read"])
  }

  /// Header, one row, time zone of the app, parts of the preview, and a part that it must not have.
  @Test(arguments: [
    ("注文番号,会員番号,商品番号,状態,金額,注文日", "1,2,a.b.c,1,500,2026-05-01 10:00:00", "UTC", ["the zone is open", "has amounts and no currency"], "CNY"),
    ("注文番号,会員番号,商品番号,状態,金額,注文日", "1,2,a.b.c,1,500,2026-05-01 10:00:00", "Asia/Tokyo", ["zone: Asia/Tokyo", "value: JPY"], "CNY"),
    ("订单号,用户id,商品id,状态,金额,创建时间", "1,2,a.b.c,1,500,2026-05-01 10:00:00", "UTC", ["zone: Asia/Shanghai", "simplified Chinese"], "JPY"),
    ("オーダーID,会員番号,商品番号,状態,金額,注文日", "1,2,a.b.c,1,500,2026-05-01 10:00:00", "UTC", ["zone: Asia/Tokyo", "value: JPY"], "CNY"),
    (
      "order_no,uid,sku,state,amount,ctime", "1,2,a.b.c,paid,5.00,2026-05-01 10:00:00", "Asia/Tokyo", ["business days in the settings"],
      "the file itself"
    ),
    (
      "订单号,用户id,商品id,状态,金额,创建时间", "1,2,a.b.c,1,500,2026-05-01 10:00:00", "Asia/Tokyo",
      ["zone: Asia/Tokyo", "itself points to Asia/Shanghai"], "open"
    ),
  ]) func countriesAreProposedBySigns(_ header: String, _ row: String, _ zone: String, _ parts: [String], _ absent: String) throws {
    try Self.preview(of: "\(header)\n\(row)\n", apps: [("a.b", zone)], has: parts, lacks: absent)
  }

  /// Name of the column of apps, apps of the settings, bundle ids of the rows, parts of the preview, and a part that it must not have.
  @Test(arguments: [
    ("应用", ["a.b"], ["a.b", "a.c", "a.d"], ["bundle_id: 应用"], "value: a.b"),
    ("app", ["a.b", "a.c"], ["a.b", "a.c"], ["bundle_id: app"], "neither the file"),
    ("channel", ["a.b", "a.c"], ["a.b", "a.c"], ["bundle_id: channel", "bundle_id is channel"], "neither the file"),
    ("app", ["a.b"], ["1", "2"], ["bundle_id: {value: a.b}", "app: its values are no bundle ids"], "bundle_id: app"),
    ("channel", ["a.b"], ["x", "y"], ["bundle_id: {value: a.b}"], "bundle_id: channel"),
  ]) func appsOfRowsAreRead(_ name: String, _ apps: [String], _ bundles: [String], _ parts: [String], _ absent: String) throws {
    let rows = bundles.enumerated().map { "\($0),\($1),coins.60,u1,paid,2026-05-01T10:00:00Z" }
    let orders = Self.table("order_no,\(name),sku,uid,state,ctime", rows)
    let goods = Self.table("sku,\(name),kind", bundles.map { "a.b.c,\($0),consumable" })
    for (row, text) in [(OrderRow.self as any InputRow.Type, orders), (CatalogueRow.self, goods)] {
      try Self.preview(of: text, as: row, apps: apps.map { ($0, "UTC") }, has: parts, lacks: absent)
    }
  }

  /// A file with payrecon's own names, of which one is missing or has another name.
  @Test(arguments: [
    (
      "order_id,bundle_id,product_id,user_id,status,created_at,amount,currency", ",18.00,CNY",
      "price_milliunits: {from: amount, unit: decimal}"
    ),
    ("order_id,bundle_id,product_id,user_id,state,created_at", "", "status: state"),
    ("order_id,bundle_id,product_id,user_id,x,created_at", "", "# status: required; name its column"),
    ("order_id,bundle_id,product_id,who,status,created_at", "", "# user_id: required"),
  ]) func ownNamesWithOneMissingHaveAProposal(_ header: String, _ rest: String, _ line: String) throws {
    try Self.preview(of: "\(header)\n1,a.b,a.b.c,u1,paid,2026-05-01T10:00:00Z\(rest)\n", has: ["Proposed mapping", line])
  }

  /// Amounts, currencies, what the mapping or the doubts have.
  @Test(arguments: [
    (["4,99", "1.234"], ["EUR", "EUR"], "unit: decimal, decimal_mark: comma"),
    (["4.99", "1,234.00"], ["USD", "USD"], "decimal_mark: point"),
    (["4.99", "12.50"], ["USD", "USD"], "unit: decimal}"), (["1.234", "2.345"], ["EUR", "EUR"], "Add decimal_mark: comma or point"),
    (["1.250", "2.345"], ["KWD", "KWD"], "decimal_mark: point"),
    (["4,99", "4.99", "1.234"], ["EUR", "EUR", "EUR"], "some a decimal point"),
    (["500", "1200"], ["JPY", "JPY"], "unit: decimal}"), (["50000", "120000"], ["JPY", "JPY"], "If they are hundredths"),
    (["500", "1200"], ["JPY", "USD"], "is a guess from their size"),
  ]) func unitsAreProposed(_ amounts: [String], _ currencies: [String], _ part: String) throws {
    let rows = zip(amounts, currencies).enumerated().map { "\($0);u;a.b.c;paid;2026-05-01T10:00:00Z;\($1.0);\($1.1)" }
    try Self.preview(of: Self.table("order_id;user_id;product_id;status;created_at;amount;currency", rows), has: [part])
  }

  /// Name of the column of amounts, amounts, and what the mapping or the doubts have.
  @Test(arguments: [
    ("amount_cents", ["1800.0", "600.0"], "{from: amount_cents, unit: minor}"), ("amount_fen", ["600", "1800"], "unit: minor}"),
    ("amount_fen", ["1,234,500", "600"], "unit: minor, decimal_mark: point}"),
    ("amount_fen", ["1,800"], "unit: minor, decimal_mark: point}"),
    ("金额(分)", ["1.800"], "unit: minor, decimal_mark: comma}"), ("amount_cents", ["18.50", "6.00"], "values such as 18.50 have decimals"),
    ("amount_cents", ["18.50", "6.00"], "unit: decimal}"), ("amount_yuan", ["18.0", "6.0"], "unit: decimal}"),
    ("amount", ["1800.0", "600.0"], "is a guess from their size"),
  ]) func namesStateUnits(_ name: String, _ amounts: [String], _ part: String) throws {
    let rows = amounts.enumerated().map { "\($0);u;a.b.c;paid;2026-05-01T10:00:00Z;\($1);CNY" }
    let header = "order_id;user_id;product_id;status;created_at;\(name);currency"
    try Self.preview(of: Self.table(header, rows), has: [part, "Rows: \(amounts.count) can be read, 0 would be parked."])
  }

  @Test func `codes that times prove are kept apart from those that only convention explains`() throws {
    let rows = [
      "1,u,a.b.c,0,2026-05-01T10:00:00Z,,", "2,u,a.b.c,3,2026-05-01T10:00:00Z,2026-05-01T10:00:05Z,",
      "3,u,a.b.c,7,2026-05-01T10:00:00Z,2026-05-01T10:00:05Z,2026-05-01T10:00:09Z",
    ]
    let header = "order_id,user_id,product_id,state,created_at,paid_at,delivered_at"
    let proof = "show that 3 is paid, 7 is delivered. By convention only, 0 is created. Check them."
    try Self.preview(of: Self.table(header, rows), has: [proof])
  }

  /// Codes with a time of payment and a transaction id, and the proposed words. Code and time are separated by a space.
  @Test(arguments: [
    (["1", "2 p", "3 p", "4", "5 p"], "{1: created, 2: paid, 3: delivered, 4: cancelled, 5: refunded}"),
    (["1", "2 p", "3 p", "4 p", "5 p"], "{1: created, 2: paid, 3: delivered, 4: paid, 5: refunded}"),
    (["1 t", "2 t", "3", "0"], "{0: created, 1: paid, 2: delivered, 3: cancelled}"), (["1 p"], "{1: paid}"),
    (["1 t", "2 t"], "{1: paid, 2: paid}"),
    (["0 t", "1 t", "3 t", "2"], "{0: paid, 1: paid, 2: created, 3: paid}"),
    (["01", "02 p"], "{\"01\": created, \"02\": paid}"), (["1.0", "2.0 p"], "{\"1.0\": created, \"2.0\": paid}"),
  ]) func codesFollowTheirRows(_ codes: [String], _ words: String) throws {
    let rows = codes.enumerated().map { index, code in
      let paidAt = code.hasSuffix("p") ? "2026-05-01T10:00:05Z" : ""
      let transaction = code.contains(" ") ? "20000000000000\(index)" : ""
      return "\(index),u,a.b.c,\(code.split(separator: " ")[0]),2026-05-01T10:00:00Z,\(paidAt),\(transaction)"
    }
    let header = "order_id,user_id,product_id,state,created_at,paid_at,transaction_id"
    let parts = ["status: {from: state, values: \(words)}", "Rows: \(codes.count) can be read, 0 would be parked."]
    try Self.preview(of: Self.table(header, rows), has: parts)
  }

  /// A status beside `paid`, and its word; nil if it stays open.
  @Test(
    arguments: [
      ("not delivered", nil), ("refund_failed", nil), ("退款失败", nil), ("refunding", nil), ("申请退款", nil), ("refund requested", nil),
      ("退款处理中", nil), ("refund in progress", nil),
      ("delivery failed", nil), ("不明", nil), ("已支付未发货", "paid"), ("paid, not shipped", "paid"), ("paid_pending_delivery", "paid"),
      ("apple_paid", "paid"), ("unpaid by user", "created"), ("payment pending", "created"), ("не оплачено", "created"), ("未処理", "created"),
      ("new order", "created"), ("payment_failed", "cancelled"), ("delivered, refund failed", "delivered"), ("was refunded", "refunded"),
    ] as [(String, String?)]) func deniedVerbsDoNotCount(_ value: String, _ word: String?) throws
  {
    let rows = ["paid", value].enumerated().map { "\($0);u;a.b.c;\($1);2026-05-01T10:00:00Z" }
    let doubt = word.map { "by a part of the word, \(value) is \($0). Check them." } ?? "the meaning of \"\(value)\" is open."
    try Self.preview(of: Self.table("order_id;user_id;product_id;state;created_at", rows), has: [doubt])
  }

  /// A column and its values, parts of the preview, and a part that it must not have.
  @Test(arguments: [
    ("env", ["0", "1"], ["Write environment: {from: env, values: {0: …, 1: …}}"], "Sandbox, 1"),
    ("env", ["sandbox", "prod"], ["environment: {from: env, values: {prod: Production, sandbox: Sandbox}}"], "…"),
    ("is_sandbox", ["0", "1"], ["write environment: {from: is_sandbox, values: {0: Production, 1: Sandbox}}."], "…"),
    ("sandbox", ["true", "false"], ["{from: sandbox, values: {\"false\": Production, \"true\": Sandbox}}."], "…"),
    ("app_id", ["1", "2"], ["every row becomes one of \"a.b\"", "write bundle_id: {from: app_id, values: {1: …, 2: …}}"], "is a guess"),
    ("refund_amount", ["0", "0"], ["created_at"], "refunded_at"),
    ("refund_time", ["0", "0"], ["refund_time: every value is 0"], "are counts"),
  ]) func valuesThatProveNothingAreDoubtful(_ name: String, _ values: [String], _ parts: [String], _ absent: String) throws {
    let rows = values.enumerated().map { "\($0),u,a.b.c,paid,2026-05-01T10:00:00Z,\($1)" }
    let header = "order_no,user_id,product_id,status,created_at,\(name)"
    let read = ["Rows: 2 can be read, 0 would be parked."]
    try Self.preview(of: Self.table(header, rows), apps: [("a.b", "UTC")], has: parts + read, lacks: absent)
  }

  @Test(arguments: [
    ("order_no,user_id,product_id,status,created_at,note,extra", ["Not read: \"note\", \"extra\".", "Rows: 1 can be read"]),
    (
      "order_no,x9,product_id,status,created_at,note,extra",
      ["Not read: \"x9\", \"note\", \"extra\".", "it cannot be read", "paid_at: a payment has no"]
    ),
    ("order_id,user_id,product_id,status,created_at,bundle_id,extra", ["Not read: \"extra\"."]),
  ]) func `columns that nothing reads are named, also when a required column is open`(_ header: String, _ parts: [String]) throws {
    // A column with an app of the settings would be read.
    let sixth = header.contains("bundle_id") ? "a.b" : "m"
    let file = "\(header)\n1,u,a.b.c,paid,2026-05-01T10:00:00Z,\(sixth),n\n"
    try Self.preview(of: file, apps: [("a.b", "UTC")], has: parts + ["Missing:"])
    let wide = "order_no,user_id,product_id,status,created_at" + (1...25).map { ",n\($0)" }.joined()
    let row = "1,u,a.b.c,paid,2026-05-01T10:00:00Z" + String(repeating: ",n", count: 25)
    try Self.preview(of: "\(wide)\n\(row)\n", apps: [("a.b", "UTC")], has: ["\"n20\" and 5 more."])
  }

  /// A header, one row, and the sources that it has.
  @Test(arguments: [
    (
      "流水号,用户id,商品id,状态,请求,变更时间,创建时间",
      "1,2,a.b.c,已支付,5,2026-05-01 10:00:00,2026-05-01 10:00:00",
      ["order_id: 流水号", "updated_at: {from: 变更时间"]
    ),
    (
      "注文番号,会員番号,商品コード,状態,請求額,変更日時,注文日", "1,2,a.b.c,完了,500,2026-05-01 10:00:00,2026-05-01 10:00:00",
      ["price_milliunits: {from: 請求額", "updated_at: {from: 変更日時"]
    ),
    (
      "Bestellnummer,Kunde,Produkt,Zustand,Betrag,Währung,Bestelldatum,Bezahlt am",
      "1,2,a.b.c,paid,4.99,EUR,01.05.2026 10:00:00,01.05.2026 10:00:00",
      [
        "user_id: Kunde", "status: Zustand", "{from: Betrag, unit: decimal}", "currency: Währung",
        "paid_at: {from: \"Bezahlt am\"", "created_at: {from: Bestelldatum",
      ]
    ),
  ]) func moreNamesAreKnown(_ header: String, _ row: String, _ parts: [String]) throws {
    let read = ["Rows: 1 can be read, 0 would be parked."]
    try Self.preview(of: "\(header)\n\(row)\n", apps: [("a.b", "UTC")], has: parts + read)
  }

  /// Bytes of a note in EUC-KR, in Windows-31J with half-width kana, in GB18030 and in ASCII, the encoding, and another possible one.
  @Test(
    arguments: [
      (
        [
          0xC1, 0xD6, 0xB9, 0xAE, 0xB9, 0xF8, 0xC8, 0xA3, 0xC8, 0xB8, 0xBF, 0xF8, 0xBB, 0xF3, 0xC7, 0xB0, 0xC1, 0xD6, 0xB9, 0xAE,
          0xBB, 0xF3, 0xC5, 0xC2, 0xB1, 0xDD, 0xBE, 0xD7, 0xC1, 0xD6, 0xB9, 0xAE, 0xC0, 0xCF, 0xBD, 0xC3, 0xB0, 0xE1, 0xC1, 0xA6,
          0xC0, 0xCF, 0xBD, 0xC3,
        ], "euc-kr", "gb18030"
      ),
      ([0xB6, 0xB2, 0xB2, 0xDD, 0xD2, 0xD3], "gb18030", "shift_jis"),
      ([0xCA, 0xD7, 0xB5, 0xA5, 0xD0, 0xF8, 0xB7, 0xD1, 0xB1, 0xB8, 0xD7, 0xA2], "gb18030", "euc-jp"), ([0x61], "utf-8", nil),
    ] as [([UInt8], String, String?)]) func guessedEncodingsAreDoubtful(_ note: [UInt8], _ encoding: String, _ other: String?) throws
  {
    let text = "order_no,user_id,product_id,status,created_at,memo\n1,u,a.b.c,paid,2026-05-01T10:00:00Z,"
    let file = try TestFile(Array(text.utf8) + note + [0x0A], suffix: ".csv")
    let lines = try Self.preview(path: file.path)
    #expect(lines.contains("separated by \",\", \(encoding), 6 columns") && lines.contains("Rows: 1 can be read"), "\(lines)")
    let doubt = lines.split(separator: "\n").first { $0.contains("encoding: \(encoding) is a guess") }
    if let other { #expect(doubt?.contains(other) == true, "\(lines)") } else { #expect(doubt == nil, "\(lines)") }
  }

  /// Seconds between an order and Apple's purchase, and whether the zone is doubtful.
  @Test(arguments: [(0, false), (480, false), (1320, false), (-900, false), (1800, true), (28_800, true), (-32_400, true)])
  func distancesOfAZoneAreDoubtful(_ seconds: Int64, _ isDoubtful: Bool) throws {
    let bought = try (1...4).map { try #require(Timestamp(rfc3339: "2026-05-0\($0)T10:00:00Z")) }
    let rows = bought.enumerated().map { "\($0),a.b,a.b.c,u,paid,\($1.advanced(bySeconds: seconds).rfc3339),\(100 + $0)" }
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,transaction_id"
    let text = try Self.preview(of: Self.table(header, rows)) { facts in
      facts.purchases = Dictionary(uniqueKeysWithValues: bought.enumerated().map { ("\(100 + $0)", $1) })
    }
    #expect(text.contains("Check the zone") == isDoubtful, "\(text)")
  }

  @Test func oneRowAndNoRows() throws {
    let header = "order_id,bundle_id,product_id,user_id,status,created_at\n"
    try Self.preview(of: header + "1,a.b,a.b.c,u,odd,2026-05-01T10:00:00Z\n", has: ["  1 row on line 2: "])
    try Self.preview(of: header, has: ["no rows, so only the names", "Rows: 0 can be read, 0 would be parked."])
    let other = "order_no,uid,sku,state,amount,ctime\n"
    try Self.preview(of: other, has: ["the file has no rows, so formats"], lacks: "guess from their size")
  }

  /// Rest of a file after its header, whether its last line may be open, why ingest would park its end.
  @Test(arguments: [
    ("1,a.b,a.b.c,u,paid,2026-05-01T10:00:00Z", false, "which has no line end"), ("1,a.b,a.b.c,u,paid,2026-05-01T10:00:00Z", true, ""),
    ("1,a.b,a.b.c,u,paid,2026-05-01T10:00:00Z\n", false, ""), ("", false, "a header and no rows"), ("", true, "a header and no rows"),
  ]) func anOpenEndIsNamed(_ rest: String, _ isOptional: Bool, _ reason: String) throws {
    let text = try Self.preview(of: "order_id,bundle_id,product_id,user_id,status,created_at\n" + rest) {
      $0.finalNewlineIsOptional = isOptional
    }
    let line = text.split(separator: "\n").first { $0.contains("Ingest would park the end of the file") } ?? ""
    #expect(line.isEmpty == reason.isEmpty && (reason.isEmpty || line.contains(reason)), "\(text)")
  }

  /// An apostrophe is the quote if it encloses values; a name with one needs none.
  @Test(arguments: [
    ("'1;20'", "x", true), ("'1'", "'O''Neil'", true), ("1", "'90s", false), ("1", "rock 'n' roll", false), ("'1'", "\"a;b\"", false),
  ]) func quotesAreFound(_ id: String, _ user: String, _ isApostrophe: Bool) throws {
    let file = "order_no;uid;sku;state;ctime\n\(id);\(user);a.b.c;paid;2026-05-01T10:00:00Z\n"
    let text = try Self.preview(of: file, has: ["Rows: 1 can be read, 0 would be parked."])
    #expect(text.contains("quote: \"'\"") == isApostrophe, "\(text)")
  }

  @Test func `unknown columns may repeat a name; nothing is proposed for a file that is read`() throws {
    let csv = "order_id,bundle_id,product_id,user_id,status,created_at,foo,foo\n1,a.b,a.b.c,u,paid,2026-05-01T10:00:00Z,x,y\n"
    try Self.preview(of: csv, has: ["Rows: 1 can be read, 0 would be parked."], lacks: "orders: {}")
    let file = try TestFile(csv, suffix: ".csv")
    let reading = try Reading(RowFileReader<OrderRow>(path: file.path))
    #expect(reading.rows.count == 1 && reading.parked.isEmpty)
  }

  @Test(arguments: ["[{\"order_id\": \"1\"},\n {\"order_id\": \"2\"}]\n", " [\n{}]\n", "[]"]) func arraysAreNoNDJSON(_ json: String) throws
  {
    for suffix in [".json", ".ndjson", ""] {
      try Self.preview(of: json, suffix: suffix, has: ["one object per line"], lacks: "no rows", "Proposed")
    }
  }

  @Test func `columns of which no name is usual are found by parts of the names and by values, and said to be guesses`() throws {
    let rows = (0..<4).map { index in
      func at(_ minute: Int) -> String { "2026年11月20日 \(9 + index)時\(minute)分3秒" }
      let state = ["仮登録", "入金確認", "引渡済", "保留"][index]
      return
        "JB-\(index),00\(index % 2),jp.example.books.pass,\(state),\"1,480\",\(at(5)),\(index > 0 ? at(6) : ""),\(index > 1 ? at(7) : ""),\(44_000_000_000_000 + index)"
    }
    let header = "受注コード,顧客No,アイテムコード,処理区分,税込代金,受注日,入金日,引渡日,Apple取引コード"
    let parts = [
      "order_id: 受注コード", "user_id: 顧客No", "product_id: アイテムコード", "status: {from: 処理区分, values: {仮登録: created, 入金確認: paid, 引渡済: delivered}}",
      "created_at: {from: 受注日, zone: Asia/Tokyo", "paid_at: {from: 入金日", "delivered_at: {from: 引渡日", "transaction_id: Apple取引コード",
      "price_milliunits: {from: 税込代金, unit: decimal, decimal_mark: point}", "order_id is 受注コード", "the meaning of \"保留\" is open",
      "Rows: 3 can be read, 1 would be parked.",
    ]
    try Self.preview(of: Self.table(header, rows), apps: [("jp.example.books", "Asia/Tokyo")], has: parts)
  }

  @Test func `values alone point to the columns that rows need; users stay open`() throws {
    let rows = ["A1,com.acme.vip.month,paid,7,2026-05-01T10:00:00Z", "A2,com.acme.vip.month,refunded,7,2026-05-01T11:00:00Z"]
    let parts = ["order_id: c1", "product_id: c2", "status: c3", "created_at: c5", "# user_id: required"]
    try Self.preview(of: Self.table("c1,c2,c3,c4,c5", rows), has: parts)
  }
}
