import FoundationEssentials

/// Rows of other platforms, from the program's command line.
@Suite(.cleansUp) struct MappingCommandTests {
  private static let asOf = "2026-11-22T00:00:00Z"
  private static let platforms = "\(TestServer.repository)/Tests/Platforms"

  @Test func `a preview needs no database and leaves none behind`() async throws {
    let setup = try await Setup(hasDatabase: false)
    let file = "\(Self.platforms)/notes-shift_jis.csv"
    try await setup.program("ingest", "orders", "--preview", file, exits: 0, prints: "encoding: shift_jis", "No database was at hand")
    #expect(!FileManager.default.fileExists(atPath: "\(setup.directory)/state"))
    try await setup.program("ingest", "apple", "--preview", "x.ndjson", exits: 64)
  }

  @Test func `the guide writes a settings file that can be read, and replaces none`() async throws {
    var setup = try await Setup(hasDatabase: false)
    setup.program.environment["PAYRECON_CONFIG"] = nil
    let words = [
      "init", "--guide", "--bundle-id", "com.acme.reader", "--time-zone", "Asia/Shanghai", "--reconcile-from", "2026-11-01",
      "--orders", "\(Self.platforms)/reader-gb18030.csv", "--file", "made.yaml",
    ]
    let run = try await setup.program.run([Program.path] + words, exits: 0)
    #expect(run.text.split(separator: "\n").suffix(3).allSatisfy { $0.hasPrefix("  payrecon ") }, "\(run.text)")
    #expect(!FileManager.default.fileExists(atPath: "\(setup.directory)/state"))
    setup.program.environment["PAYRECON_CONFIG"] = "\(setup.directory)/made.yaml"
    try await setup.program(
      "settings", "show", prints: "apps.com.acme.reader.reconcile_from: 2026-10-31T16:00:00Z", "inputs.orders.columns.user_id: uid")
    // Guesses are printed, and kept as comments; the file itself contradicts this zone.
    let abroad = words.dropLast(1).map { $0 == "Asia/Shanghai" ? "America/New_York" : $0 } + ["abroad.yaml"]
    try await setup.program.run([Program.path] + abroad, prints: "itself points to Asia/Shanghai")
    let written = try Setup.text("\(setup.directory)/abroad.yaml")
    let comment = written.split(separator: "\n").first { $0.contains("itself points to Asia/Shanghai") }
    #expect(comment?.hasPrefix("# - ") == true && written.contains("reconcile_from: 2026-11-01T04:00:00Z"), "\(written)")
    try await setup.program.run([Program.path] + words, exits: 64, complains: "there is such a file")
    try await setup.program(
      "init", "--guide", "--bundle-id", "a.b", "--time-zone", "Mars", "--file", "other.yaml", exits: 2, 64,
      complains: "time_zone")
    #expect(try await setup.program("init", "--guide").status == 64)
  }

  /// Settings of `inputs.orders`, and the key and reason that the refusal names.
  @Test(arguments: [
    ("{columns: {order_number: a}}", "inputs.orders.columns.order_number", "is not recognized"),
    ("{columns: {order_id: a, order_id: b}}", "order_id", "unique"), ("{encoding: ebcdic}", "inputs.orders.encoding", "is not one of"),
    ("{columns: {created_at: {from: a, zone: Mars/Base}}}", "inputs.orders.columns.created_at.zone", "time zone"),
    ("{columns: {created_at: {from: a, zone: UTC, format: QQ}}}", "inputs.orders.columns.created_at.format", "is not a format"),
    ("{columns: {created_at: {from: a, format: yyyy-MM-dd}}}", "inputs.orders.columns.created_at", "needs \"zone\""),
    ("{columns: {price_milliunits: {from: a, unit: pounds}}}", "inputs.orders.columns.price_milliunits.unit", "is not one of minor"),
    ("{columns: {price_milliunits: {from: a, unit: decimal, decimal_mark: dot}}}", "price_milliunits.decimal_mark", "is not one of point"),
    ("{columns: {price_milliunits: {from: a, decimal_mark: comma}}}", "price_milliunits.decimal_mark", "with a \"unit\" only"),
    ("{columns: {created_at: {from: a, zone: UTC, format: \"yyyy-MM-dd HH:mm:ssX\"}}}", "created_at.zone", "states the instant by itself"),
    ("{columns: {quantity: {from: a, unit: minor}}}", "inputs.orders.columns.quantity.unit", "amounts of money"),
    ("{columns: {currency: {from: a, value: CNY}}}", "inputs.orders.columns.currency", "\"value\""),
    ("{columns: {currency: {value: rmb}}}", "inputs.orders.columns.currency.value", "currency code"),
    ("{columns: {status: {from: a, values: {1: payed}}}}", "inputs.orders.columns.status.values.1", "not one of created"),
    ("{columns: {status: {values: {1: paid}}}}", "inputs.orders.columns.status", "needs \"from\""),
    ("{separator: ab}", "inputs.orders.separator", "one ASCII character"),
    ("{mappings: [{encoding: gbk}]}", "inputs.orders.mappings[0]", "needs \"files\""),
  ]) func invalidMappingsAreRefused(_ orders: String, _ key: String, _ reason: String) async throws {
    let run = try await SettingsTests.show(Setup.settings(inputs: "{orders: \(orders)}"))
    #expect(run.status != 0 && run.complaint.contains(key) && run.complaint.contains(reason), "\(run.complaint)")
  }

  /// Rows of a relation with local times, in chunks by its own change instant.
  @Test func aRelationIsReadByTheMapping() async throws {
    let setup = try await Setup()
    let columns = """
      order_id: no, bundle_id: {value: com.acme.reader}, product_id: sku, user_id: uid, status: {from: state, values: {1: paid}},
      created_at: {from: made, zone: Asia/Shanghai, format: "yyyy-MM-dd HH:mm:ss"}, updated_at: {from: changed, zone: Asia/Shanghai},
      price_milliunits: {from: yuan, unit: decimal}, currency: {value: CNY}, storefront: {value: null},
      device_id: {from: state, values: {1: null, 9: D-9}}
      """
    // The mapping is that of a source whose name no file can have; a retry finds it too.
    func settings(_ columns: String) -> String {
      Setup.settings(inputs: "{orders: {mappings: [{files: \"甲 shop/*\", encoding: gbk, columns: {\(columns)}}]}}")
    }
    try setup.write("payrecon.yaml", settings(columns))
    try await setup.query("create schema shop")
    try await setup.query(
      "create table shop.orders as select 'N' || id as no, 'vip' as sku, id as uid, 1 as state, timestamp '2026-05-10 08:00:00' as made,"
        + " timestamp '2026-05-10 08:00:00' + id * interval '1 second' as changed, 18.50 as yuan from generate_series(1, 5) as id")
    func pull() async throws -> String {
      let words = ["ingest", "orders", "--relation", "shop.orders", "--name", "甲 shop/50%", "--overlap", "0s"]
      return try await setup.patiently(words, asOf: "2026-05-12T00:00:00Z").text
    }
    #expect(try await pull() == "orders: input 5 = accepted 5 + repeated 0 + ignored 0 + parked 0\n")
    #expect(
      try await setup.query("select min(created_at at time zone 'UTC') || ' ' || min(price_milliunits) from payrecon.orders")
        == "2026-05-10 00:00:00 18500")
    // null states nothing, as a value and among mapped values.
    #expect(try await setup.query("select count(storefront) + count(device_id) from payrecon.orders") == "0")
    try await setup.query("update shop.orders set state = 9, changed = changed + interval '1 hour' where uid = 2")
    #expect(try await pull().hasPrefix("orders: input 2 = accepted 0 + repeated 1 + ignored 0 + parked 1"))
    let parked = try await setup.printed("export", "parked")
    #expect(parked.first?["field"] == "state" && parked.first?["reason"]?.contains("\"9\"") == true, "\(parked)")
    // A corrected mapping lets the parked row be retried.
    try setup.write("payrecon.yaml", settings(columns.replacing("1: paid", with: "1: paid, 9: refunded")))
    try await setup.patiently(["deadletter", "retry"], asOf: nil, prints: "taken 1")
  }

  /// Without a mapped column, every order would lose what it stated.
  @Test func aRelationWithoutAMappedColumnIsRefused() async throws {
    let setup = try await Setup()
    let columns = "order_id: no, price_milliunits: {from: yuan, unit: decimal}, transaction_id: trx, created_at: {from: made, offset: zone}"
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{orders: {columns: {\(columns)}}}"))
    try await setup.query("create schema shop")
    func pull(_ columns: String, lacks setting: String, named column: String) async throws {
      try await setup.query("drop table if exists shop.orders")
      try await setup.query("create table shop.orders as select 'R1' as no, now() as updated_at, \(columns)")
      let lack =
        "setting \"inputs.orders.columns.\(setting)\" names column \"\(column)\", which its rows lack; "
        + "they have \"no\", \"updated_at\""
      try await setup.program("ingest", "orders", "--relation", "shop.orders", "--name", "shop", exits: 2, text: "", complains: lack)
    }
    try await pull("6.00 as yuan, 'TX1' as \"Trx\", now() as made, '+08:00' as zone", lacks: "transaction_id", named: "trx")
    try await pull("6.00 as \"y,\"\"uan\", 'TX1' as trx, now() as made, '+08:00' as zone", lacks: "price_milliunits", named: "yuan")
    try await pull("6.00 as yuan, 'TX1' as trx, now() as made", lacks: "created_at.offset", named: "zone")
    #expect(try await setup.query("select count(*) from payrecon.orders") == "0")
  }

  /// Rows with local times as text are ordered by their format, and read again around an hour that the zone repeats.
  @Test func textTimesAreOrderedByTheirFormat() async throws {
    let setup = try await Setup()
    let columns = """
      order_id: no, bundle_id: {value: com.acme.reader}, product_id: {value: vip}, user_id: no, status: {value: paid}, created_at: made,
      updated_at: {from: changed, zone: Europe/Berlin, format: "dd/MM/yyyy HH:mm:ss"}
      """
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{orders: {columns: {\(columns)}}}"))
    try await setup.query("create schema shop")
    try await setup.query("create table shop.orders (no text, made text default '2025-10-01T00:00:00Z', changed text)")
    func pull(_ rows: String) async throws -> String {
      try await setup.query("insert into shop.orders (no, changed) values \(rows)")
      return try await setup.patiently(["ingest", "orders", "--relation", "shop.orders", "--overlap", "0s"], asOf: Self.asOf).text
    }
    #expect(try await pull("('1', '12/10/2025 08:00:00'), ('2', '26/10/2025 03:10:00')").hasPrefix("orders: input 2 = accepted 2 "))
    #expect(try await setup.query("select max(changed_at at time zone 'UTC') from payrecon.pull_watermarks") == "2025-10-26 02:10:00")
    // Clocks were set back at 03:00, so rows of the last 75 minutes are read again: one is late, and one has another form.
    #expect(
      try await pull("('3', '26/10/2025 03:00:00'), ('4', '2025/26/10')").hasPrefix(
        "orders: input 3 = accepted 1 + repeated 1 + ignored 0 + parked 1"))
    #expect(try await pull("('5', '27/10/2025 08:00:00')").hasPrefix("orders: input 4 = accepted 1 + repeated 2"))
    #expect(
      try await pull("('6', '27/10/2025 07:59:00'), ('7', '28/10/2025 08:00:00')").hasPrefix("orders: input 3 = accepted 1 + repeated 1"))
  }

  /// Runs a night of a day in November with these columns of orders, and more settings of inputs.
  private static func night(_ setup: Setup, day: Int, columns: String, _ more: String = "") async throws -> Execution {
    let inputs = "{orders: {max_age: none, columns: {\(columns)}}, apple: {max_age: none}\(more)}"
    try setup.write("payrecon.yaml", Setup.settings(inputs: inputs))
    return try await setup.nightly(asOf: "2026-11-\(day)T00:00:00Z", out: "out", exits: 0, 1, 3)
  }

  /// A column with a wrong and a corrected mapping.
  struct Correction: Sendable, CustomTestStringConvertible {
    var column: String
    var wrong: String
    var right: String
    /// Its value in every row, before and after the correction.
    var values: [String]
    /// Column of the change instant; nil for rows that state none.
    var changed: String? = "t"

    var testDescription: String { "\(column), \(changed ?? "undated")" }
  }

  private static let corrections: [Correction] =
    (["t", nil] as [String?]).flatMap { changed in
      [
        ("price_milliunits", "{from: fen, unit: decimal}", "{from: fen, unit: minor}", ["1800000", "18000"]),
        ("status", "{from: s, values: {2: delivered}}", "{from: s, values: {2: created}}", ["delivered", "created"]),
        ("currency", "{value: USD}", "{value: CNY}", ["USD", "CNY"]),
        ("paid_at", "{from: t, zone: UTC}", "{from: t, zone: Asia/Shanghai}", ["2026-11-20T08:00:00Z", "2026-11-20T00:00:00Z"]),
      ].map { Correction(column: $0, wrong: $1, right: $2, values: $3, changed: changed) }
    } + [
      Correction(
        column: "updated_at", wrong: "{from: t, zone: UTC}", right: "{from: t, zone: Asia/Shanghai}",
        values: ["2026-11-20T08:00:00Z", "2026-11-20T00:00:00Z"]),
      Correction(
        column: "updated_at", wrong: "null", right: "{from: t, zone: UTC}",
        values: ["2026-11-19T07:00:00Z", "2026-11-20T08:00:00Z"]),
    ]

  /// The newer mapping counts for every row of the same bytes, and so does the first one when it returns. The past stays.
  @Test(arguments: corrections) func aCorrectedMappingCorrectsEveryRow(_ correction: Correction) async throws {
    let setup = try await Setup()
    func night(_ source: String, day: Int) async throws -> String {
      var columns = [
        "order_id": "no", "bundle_id": "{value: com.acme.reader}", "product_id": "{value: vip}", "user_id": "no",
        "status": "{value: paid}", "created_at": "{from: made, zone: UTC}", "currency": "{value: CNY}",
        "updated_at": correction.changed.map { "{from: \($0), zone: UTC}" } ?? "null",
      ]
      columns[correction.column] = source
      let mapping = columns.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ")
      return try await Self.night(setup, day: day, columns: mapping).text
    }
    func values(day: Int) async throws -> [String] {
      try await setup.rows("orders", asOf: "2026-11-\(day)T00:00:00Z").map { $0[correction.column] ?? "" }
    }
    func batches() async throws -> Int { try await setup.count("batches where kind = 'orders'") }
    let rows = (1...8).map { "\($0);2026-11-19 07:00:00;2026-11-20 08:00:00;1800;2\n" }
    try setup.write("inbox/orders.csv", "no;made;t;fen;s\n\(rows.joined())")
    let (first, second) = ([String](repeating: correction.values[0], count: 8), [String](repeating: correction.values[1], count: 8))
    _ = try await night(correction.wrong, day: 22)
    #expect(try await values(day: 22) == first)
    #expect(try await batches() == 1)
    #expect(try await night(correction.right, day: 23).contains("orders   input 8 = accepted 8 + repeated 0 + ignored 0 + parked 0"))
    #expect(try await values(day: 23) == second)
    _ = try await night(correction.right, day: 23)
    #expect(try await night(correction.right, day: 24).contains("orders   input 0 = "))
    #expect(try await batches() == 2)
    #expect(try await night(correction.wrong, day: 25).contains("orders   input 8 = accepted 8 + "))
    #expect(try await values(day: 25) == first)
    #expect(try await values(day: 24) == second)
  }

  /// Files that contradict one another, read by a wrong mapping and then by the right one, give what the right one alone gives.
  @Test(arguments: ["t", nil] as [String?]) func aCorrectionEqualsAFirstReading(_ changed: String?) async throws {
    var states: [String] = []
    for first in ["1: refunded, 2: paid, 5: delivered", "1: paid, 2: delivered, 5: refunded"] {
      let setup = try await Setup()
      func night(_ codes: String, day: Int) async throws {
        let columns =
          "order_id: no, bundle_id: {value: com.acme.reader}, product_id: {value: vip}, user_id: no, created_at: {from: made, zone: UTC}, "
          + "updated_at: \(changed.map { "{from: \($0), zone: UTC}" } ?? "null"), status: {from: s, values: {\(codes)}}"
        _ = try await Self.night(setup, day: day, columns: columns)
      }
      for file in 0..<3 {
        // Rows of two nights; half of the rows of an order state the same instant.
        let rows = (0..<12).map { number in
          let hour = number % 2 == 0 ? 1 : file * number % 3 + 1
          return "\(number);2026-11-19 07:00:00;2026-11-20 0\(hour):00:00;\([1, 2, 5][(number / 2 + file) % 3])\n"
        }
        try setup.write("inbox/orders-\(file).csv", "no;made;t;s\n\(rows.joined())")
        if file > 0 { try await night(first, day: 21 + file) }
      }
      try await night("1: paid, 2: delivered, 5: refunded", day: 25)
      let orders = "select string_agg(concat_ws(' ', order_id, status, updated_at), ', ' order by order_id) from payrecon.orders"
      states.append(try await setup.query(orders))
    }
    #expect(states[0] == states[1])
  }

  /// Rows without a change instant keep the clock of their first reading: under another mapping, and when they are retried. A retry reads
  /// no row without the mapping of its file.
  @Test func olderRowsReplaceNothingNewer() async throws {
    let setup = try await Setup()
    let header = "order_id,bundle_id,product_id,user_id,status,created_at\n"
    func row(_ id: String, _ status: String) -> String { "\(id),com.acme.reader,vip,U1,\(status),2026-11-20T08:00:00Z\n" }
    func night(_ day: Int, _ status: String = "", _ storefront: String = "") async throws {
      let columns = "status: {from: status, values: {refunded: refunded, delivered: delivered\(status)}}"
      let users = ", users: {columns: {home_storefront: {from: home_storefront, values: {CHN: CHN\(storefront)}}}}"
      _ = try await Self.night(setup, day: day, columns: columns, users)
    }
    func state() async throws -> [String] {
      try await [
        setup.query("select string_agg(order_id || ' ' || status, ', ' order by order_id) from payrecon.orders"),
        setup.query("select string_agg(user_id || ' ' || is_tester, ', ' order by user_id) from payrecon.users"),
      ]
    }
    try setup.write("inbox/orders-1.csv", header + row("A", "refunded") + row("B", "cart") + row("C", "paid"))
    try setup.write("inbox/users-1.csv", "user_id,home_storefront,is_tester\nU1,CHN,true\nU2,cn,true\n")
    try await night(22)
    try setup.write("inbox/orders-2.csv", header + row("A", "delivered") + row("B", "delivered"))
    try setup.write("inbox/users-2.csv", "user_id,home_storefront,is_tester\nU1,CHN,false\nU2,CHN,false\n")
    try await night(23)
    let newest = ["A delivered, B delivered", "U1 false, U2 false"]
    #expect(try await state() == newest)
    try await night(24, ", new: created", ", de: DEU")
    #expect(try await state() == newest)
    for file in ["orders-1", "orders-2", "users-1", "users-2"] {
      try FileManager.default.removeItem(atPath: "\(setup.directory)/inbox/\(file).csv")
    }
    try await night(25, ", cart: created", ", cn: CHN")
    try await setup.patiently(
      ["deadletter", "retry"], asOf: "2026-11-26T00:00:00Z", text: "deadletter: retried 3, taken 2, still parked 1\n")
    #expect(try await state() == newest)
  }

  @Test func `rows below the watermark of a database source are read again by another mapping`() async throws {
    let setup = try await Setup()
    try await setup.query("create schema shop")
    try await setup.query(
      "create table shop.orders as select 'N' || id as no, 1800 as fen, timestamp '2026-05-10 08:00:00' + id * interval '1 hour' as changed"
        + " from generate_series(1, 12) as id")
    func pull(_ unit: String) async throws -> String {
      let columns =
        "order_id: no, bundle_id: {value: com.acme.reader}, product_id: {value: vip}, user_id: no, status: {value: paid}, "
        + "created_at: {from: changed, zone: UTC}, updated_at: {from: changed, zone: UTC}, currency: {value: CNY}, "
        + "price_milliunits: {from: fen, unit: \(unit)}"
      try setup.write("payrecon.yaml", Setup.settings(inputs: "{orders: {columns: {\(columns)}}}"))
      return try await setup.patiently(["ingest", "orders", "--relation", "shop.orders"], asOf: Self.asOf).text
    }
    #expect(try await pull("decimal") == "orders: input 12 = accepted 12 + repeated 0 + ignored 0 + parked 0\n")
    #expect(try await pull("minor") == "orders: input 12 = accepted 12 + repeated 0 + ignored 0 + parked 0\n")
    #expect(try await setup.query("select string_agg(distinct price_milliunits::text, ' ') from payrecon.orders") == "18000")
    #expect(try await pull("minor") == "orders: input 1 = accepted 0 + repeated 1 + ignored 0 + parked 0\n")
  }
}
