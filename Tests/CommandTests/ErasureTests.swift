/// The erasure of a person changes no figure.
@Suite(.cleansUp) struct ErasureTests {
  private static let asOf = Setup.asOf
  private static let nextNight = "2026-11-20T00:00:00Z"

  /// Lists in which only the name may change.
  private static let lists = ["transactions", "charges", "matches", "breaks", "pending", "signals", "cases", "evidence"]

  private static func setup() async throws -> Setup { try await Worlds.shared.night().setup.copy() }

  @discardableResult
  private static func erase(_ setup: Setup, _ user: String, _ more: String..., exits: Int32 = 0) async throws -> Execution {
    try await setup.program.run(
      [Program.path, "erase", "--user", user, "--actor", "dana", "--reason", "ticket 4711", "--as-of", asOf] + more, exits: exits)
  }

  private static func exports(_ setup: Setup, asOf: String) async throws -> [String: String] {
    // Only the order of rows may depend on the name.
    try await setup.exports(lists, asOf: asOf).mapValues {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").sorted().joined(separator: "\n")
    }
  }

  /// Returns a text with the pseudonym instead of the name, its rows sorted.
  private static func renamed(_ text: String, _ user: String, _ pseudonym: String) -> String {
    let renamed = text.replacing(/[\p{L}\p{N}_\-]+/) { $0.output == user ? pseudonym : String($0.output) }
    return renamed.split(separator: "\n").sorted().joined(separator: "\n")
  }

  /// Returns users with every kind of record: a replayed purchase, an ordinary match, a subscription.
  private static func users(_ setup: Setup) async throws -> [String] {
    let queries = [
      "select user_id from payrecon.break_events where class = 'REPLAY_MULTI_USER' order by 1 limit 1",
      "select user_id from payrecon.break_events where class = 'TX_NO_ORDER' and user_id is not null order by 1 limit 1",
      "select user_id from payrecon.signal_events where state = 'live' and subject_kind = 'user' order by 1 limit 1",
      """
      select orders.user_id from payrecon.matches inner join payrecon.orders using (order_id)
      where rung = 'M2' order by 1 limit 1
      """,
    ]
    var users: Set<String> = []
    for query in queries {
      let user = try await setup.query(query)
      if !user.isEmpty { users.insert(user) }
    }
    return users.sorted()
  }

  @Test func noFigureMoves() async throws {
    let setup = try await Self.setup()
    let world = try await Worlds.shared.small()
    var expected = try await Self.exports(setup, asOf: Self.asOf)
    let users = try await Self.users(setup)
    #expect(users.count >= 3, "\(users)")
    let night = try await Worlds.shared.night().outcome.parts.filter { $0.key.hasPrefix("report ") }
    var reports = Dictionary(
      uniqueKeysWithValues: night.map { ($0.key.dropFirst("report ".count), String(decoding: $0.value, as: UTF8.self)) })
    for user in users {
      let dry = try await Self.erase(setup, user, "--dry-run")
      #expect(dry.text.hasPrefix("erase: would be erased-"))
      let done = try await Self.erase(setup, user)
      #expect(done.text == dry.text.replacing("would be", with: "is now"))
      let pseudonym = try #require(done.headlineEnd)
      expected = expected.mapValues { Self.renamed($0, user, pseudonym) }
      reports = reports.mapValues { Self.renamed($0, user, pseudonym) }
    }
    let after = try await Self.exports(setup, asOf: Self.asOf)
    for list in Self.lists where list != "signals" && list != "cases" {
      #expect(after[list] == expected[list], "\(list) changed by more than the name")
    }
    // An open signal is identified by its newest event, whose id has changed.
    let newest = """
      select signal_id, as_of, attempt from (
        select distinct on (signal_id) signal_id, as_of, attempt, is_open from payrecon.signal_events
        order by signal_id, as_of desc, attempt desc
      ) as newest where is_open
      """
    let kept = "select signal_id, as_of, attempt from payrecon.open_signals"
    #expect(try await setup.query("select count(*) from ((\(newest)) except (\(kept))) as lost") == "0")
    #expect(try await setup.query("select count(*) from ((\(kept)) except (\(newest))) as stale") == "0")
    // Ids of signals and cases about a person are hashes of the name.
    for list in ["signals", "cases"] {
      func withoutIDs(_ text: String?) -> [Substring] {
        (text ?? "").split(separator: "\n").map { $0.drop { $0 != "," } }.sorted()
      }
      #expect(withoutIDs(after[list]) == withoutIDs(expected[list]), "\(list) changed by more than the name")
    }

    // The same night run again finds the same, to the last unit.
    try await setup.nightly("\(world)/inbox", asOf: Self.asOf, out: "after", exits: 1, prints: "matches  created 0, closed 0")
    let files = try Setup.files(in: "\(setup.directory)/after")
    for (name, text) in reports where name.hasSuffix(".csv") {
      let now = String(decoding: files[String(name)] ?? [], as: UTF8.self).split(separator: "\n").sorted().joined(separator: "\n")
      let before = text.split(separator: "\n").sorted().joined(separator: "\n")
      #expect(now == before, "\(name) changed by more than the name")
    }
    try await setup.program("audit", "verify", exits: 0)
  }

  /// A dump of the whole database does not contain the names, despite notes and later input. No token leads to a name.
  @Test func dumpContainsNoErasedName() async throws {
    let setup = try await Self.setup()
    let users = try await Self.users(setup)
    let user = users[0]
    let token = try await setup.query("select coalesce(max(app_account_token), '') from payrecon.users where user_id = '\(user)'")
    #expect(!token.isEmpty)
    let cases = try await setup.rows("cases").filter { !users.contains($0["subject_id"] ?? "") && $0["status"] == "open" }
    let other = try #require(cases.first?["case_id"])
    let transaction = try #require(try await setup.rows("transactions").first?["transaction_id"])
    try setup.write("\(user).txt", "x")
    for command in [
      ["queue", "take", other], ["queue", "attach", other, "\(user).txt"],
      ["queue", "decide", other, "--action", "watch", "--outcome", "suspected", "--reason", "like \(user)"],
      ["queue", "undo", other, "--reason", "not like \(user)"],
      ["lists", "add", "block", "device", "D-9", "--owner", "ann", "--reason", "of \(user)", "--until", "2027-01-01T00:00:00Z"],
      [
        "lists", "add", "family", "user", "U-of-a-family", "--family", "family of \(user)", "--owner", "ann", "--reason", "a family",
        "--until",
        "2027-01-01T00:00:00Z",
      ],
      ["queue", "answered", transaction, "--no-consent", "--reason", "asked \(user)"],
    ] {
      try await setup.program.run([Program.path] + command + ["--as-of", Self.asOf], exits: 0)
    }
    try await setup.query(
      """
      insert into payrecon.console_views (account, name, query, is_shared) values ('', '\(user)', 'holder=\(user)', true);
      insert into payrecon.case_notes (case_id, note_id, person, account, note, at) values ('c', 'n', 'ann', '', 'knows \(user)', now())
      """)
    for user in users { try await Self.erase(setup, user) }
    #expect(try await setup.query("select user_id from payrecon.users where app_account_token = '\(token)'").hasPrefix("erased-"))
    #expect(try await setup.count("audit_log where act = 'person_erased'") == users.count)
    // A rejected row arrives after the erasure.
    try setup.write("orders.csv", "order_id,bundle_id,user_id,created_at\nPO-LATE,com.acme.reader,\(user),yesterday\n")
    _ = try await setup.program("ingest", "orders", "orders.csv", "--as-of", Self.nextNight)
    #expect(try await setup.count("parked_items where encode(raw, 'escape') like '%PO-LATE%'") == 1)
    let dump = try await setup.program.run(["pg_dump", "--data-only", "--inserts", "--dbname", setup.connection.conninfo])
    #expect(dump.status == 0 && dump.output.count > 10_000, "\(dump.complaint)")
    let names = users.joined(separator: "|")
    let word = try Regex("(^|[^A-Za-z0-9_.-])(\(names))([^A-Za-z0-9_-]|$)")
    let lines = dump.text.split(separator: "\n").filter { line in users.contains { line.contains($0) } && line.firstMatch(of: word) != nil }
    #expect(lines.map { $0.prefix(300) } == [])
    // The dump contains bytes as digits.
    #expect(try await setup.count("parked_items where encode(raw, 'escape') ~ '(?<![A-Za-z0-9_-])(\(names))(?![A-Za-z0-9_-])'") == 0)
    // Only the note that was written past the program is wrong.
    let wrong = try await setup.program("audit", "verify").text.split(separator: "\n").filter { $0.hasPrefix("WRONG") }
    #expect(wrong == ["WRONG     note c n: was added, and no entry says so"])
  }

  @Test func `rows whose key is the name are replaced without loss of other columns`() async throws {
    let setup = try await Self.setup()
    let user = try #require(try await Self.users(setup).last)
    try await setup.ingest("users", "user_id,home_storefront,is_tester\n\(user),JPN,true\n", asOf: Self.nextNight)
    func rows(_ name: String) async throws -> [String] {
      try await [
        setup.query("select (to_jsonb(users) - 'user_id')::text from payrecon.users where user_id = '\(name)'"),
        setup.query("select (to_jsonb(user_versions) - 'user_id')::text from payrecon.user_versions where user_id = '\(name)' order by 1"),
      ]
    }
    let before = try await rows(user)
    #expect(before.allSatisfy { !$0.isEmpty }, "\(before)")
    try await Self.erase(setup, user)
    #expect(try await rows(setup.query("select pseudonym from payrecon.erased_users")) == before)
    #expect(try await rows(user).allSatisfy(\.isEmpty))
  }

  @Test func erasedPeopleStayErased() async throws {
    let setup = try await Self.setup()
    let user = try #require(try await Self.users(setup).first)
    let order = try await setup.query("select min(order_id) from payrecon.orders where user_id = '\(user)'")
    try await Self.erase(setup, user)
    let pseudonym = try await setup.query("select pseudonym from payrecon.erased_users")
    try setup.write("users.csv", "user_id,app_account_token\n\(user),11111111-2222-3333-4444-555555555555\nU-new,\n")
    try await setup.program(
      "ingest", "users", "users.csv", "--as-of", Self.nextNight,
      text: "users: input 2 = accepted 1 + repeated 0 + ignored 1 + parked 0\n", complains: "erased")
    #expect(try await setup.count("users where user_id = '\(user)'") == 0)
    // A newer version of an order and a new order get the pseudonym.
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,updated_at,application_username"
    let rows = [order, "PO-NEW"].map {
      "\($0),com.acme.reader,coins60,\(user),created,2026-11-01T00:00:00Z,2026-11-19T12:00:00Z,Jane"
    }
    try await setup.ingest("orders", Setup.table(header, rows), asOf: Self.nextNight)
    let owners = try await setup.query(
      "select distinct user_id || coalesce(application_username, '') from payrecon.orders where order_id in ('\(order)', 'PO-NEW')")
    #expect(owners == pseudonym)
    let signed = ApplePurchase("470009999999999", at: "2026-11-18T10:00:00Z").jws
    let upload = "{\"evidence\":\"\(signed)\",\"source\":\"client\",\"user_id\":\"\(user)\",\"device_id\":\"D9\"}\n"
    try await setup.ingest("apple", upload, asOf: Self.nextNight)
    #expect(try await setup.query("select distinct user_id from payrecon.uploads where device_id = 'D9'") == pseudonym)
    try await setup.program(
      "lists", "add", "block", "user", user, "--owner", "ann", "--reason", "x", "--until", "2027-01-01T00:00:00Z", "--as-of",
      Self.nextNight, exits: 0)
    #expect(try await setup.query("select subject_id from payrecon.list_entries") == pseudonym)
    #expect(try await Self.erase(setup, user).text == "erase: is already \(pseudonym)\n")
    try await Self.erase(setup, "nobody", exits: 2)
  }

  /// The id 7 is also a quantity of another user's order.
  @Test func parkedRowsOfTheUserContainNoErasedName() async throws {
    let setup = try await Setup()
    try await setup.ingest("users", "user_id,is_tester\n7,false\n", asOf: Self.asOf)
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,quantity"
    let rows = ["PO-1,com.acme.reader,coins60,7,paid,yesterday,1", "PO-2,com.acme.reader,coins60,U71,paid,today,7"]
    try setup.write("orders.csv", "\(header)\n\(rows.joined(separator: "\n"))\n")
    _ = try await setup.program("ingest", "orders", "orders.csv", "--as-of", Self.asOf)
    try await Self.erase(setup, "7")
    let raw = try await setup.query("select encode(raw, 'escape') from payrecon.parked_items order by line")
    #expect(raw.contains("coins60,erased-") && raw.hasSuffix("\n\(rows[1])"), "\(raw)")
    #expect(try await setup.query("select bool_and(byte_count = length(raw)) from payrecon.parked_items") == "t")
    #expect(try await setup.program("deadletter", "retry", "--as-of", Self.asOf).status == 0)
  }

  /// Bytes of parked rows, each with the name 張三7 in another form, and those expected after it, in their text form.
  private static let forms: [(raw: String, expected: String)] = [
    ("convert_to('PO-1,張三7,paid', 'UTF8')", "PO-1,{name},paid"),
    ("convert_to('用户張三7', 'UTF8')", #"\347\224\250\346\210\267{name}"#),
    ("convert_to('PO-1,張三7,paid', 'GB18030')", "PO-1,{name},paid"),
    ("convert_to('PO-1,張三7,paid', 'BIG5')", "PO-1,{name},paid"),
    ("convert_to('PO-1,張三7,paid', 'SJIS')", "PO-1,{name},paid"),
    (#"convert_to('{"user_id":"\u5f35\u4E097"}', 'UTF8')"#, #"{"user_id":"{name}"}"#),
    (#"'\x2c00355f094e37002c00'"#, #",\000{little-endian name},\000"#),
    (#"'\x002c5f354e090037002c'"#, #"\000,{big-endian name}\000,"#),
    // Other ids that contain it.
    ("convert_to('A張三7,張三71', 'UTF8')", #"A\345\274\265\344\270\2117,\345\274\265\344\270\21171"#),
    (#"'\x4100355f094e37002c00'"#, #"A\0005_\#tN7\000,\000"#),
  ]

  /// The same for the name 345, whose digits occur in the text form of bytes.
  private static let digits: [(raw: String, expected: String)] = [
    ("convert_to('E3,345,張', 'UTF8')", #"E3,{name},\345\274\265"#), ("convert_to('張345', 'UTF8')", #"\345\274\265{name}"#),
    (#"convert_to('\345 \123345', 'UTF8')"#, #"\\{name} \\123345"#),
  ]

  @Test(arguments: [("張三7", forms), ("345", digits)])
  func theNameIsErasedInEveryEncoding(user: String, forms: [(raw: String, expected: String)]) async throws {
    let setup = try await Setup()
    try await setup.ingest("users", "user_id,is_tester\n\(user),false\n", asOf: Self.asOf)
    for (line, form) in forms.enumerated() {
      _ = try await setup.query(
        """
        insert into payrecon.parked_items (parked_id, kind, file, field, reason, raw, line, byte_count, batch_id)
        select '\(line)', 'orders', 'orders.csv', 'status', '{}', bytes.raw, \(line), length(bytes.raw), 1
        from (select \(form.raw)::bytea as raw) as bytes
        """)
    }
    try await Self.erase(setup, user)
    let name = try await setup.query("select pseudonym from payrecon.erased_users")
    let expected = forms.map {
      $0.expected.replacing("{name}", with: name).replacing("{little-endian name}", with: name.map { #"\#($0)\000"# }.joined())
        .replacing("{big-endian name}", with: name.map { #"\000\#($0)"# }.joined())
    }
    let raw = try await setup.query("select encode(raw, 'escape') from payrecon.parked_items order by line")
    #expect(raw == expected.joined(separator: "\n"))
    // A row that arrives later names the user, too.
    let row = "E4,com.acme.reader,coins60,\(user),paid,張345x"
    try setup.write("orders.csv", "order_id,bundle_id,product_id,user_id,status,created_at\n\(row)\n")
    _ = try await setup.program("ingest", "orders", "orders.csv", "--as-of", Self.nextNight)
    let later = try await setup.query("select convert_from(raw, 'UTF8') from payrecon.parked_items where raw like 'E4%'")
    #expect(later == row.replacing(",\(user),", with: ",\(name),"))
  }

  @Test func aReasonMustNotNameThePerson() async throws {
    let setup = try await Setup()
    try await setup.program("erase", "--user", "U7", "--actor", "dana", "--reason", "U7 asked", "--as-of", Self.asOf, exits: 64)
  }
}
