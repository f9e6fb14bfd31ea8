import FoundationEssentials
import Glibc

/// Doctor prints every check and a remedy for each fault.
@Suite(.cleansUp) struct DoctorTests {
  private static let checks = [
    "settings", "apps", "API key of com.acme.reader", "shared secret of com.acme.reader", "root", "alerts", "inbox",
    "write access to reports", "write access to logs", "disk", "database", "clock", "privileges",
    "write access to the database", "orders input", "users input", "catalogue input", "apple input", "dead letters", "high-degree keys",
    "runs", "four eyes", "settings change", "rules", "last night",
  ]

  private let setup: Setup

  init() async throws { setup = try await Setup() }

  private static func line(_ check: String, _ text: String) -> String? {
    text.split(separator: "\n").first { $0.dropFirst(6).hasPrefix("\(check): ") }.map(String.init)
  }

  @Test func everyCheckIsPrinted() async throws {
    let doctor = try await setup.program("doctor", exits: 2)
    for check in Self.checks { #expect(Self.line(check, doctor.text) != nil, "\(check)\n\(doctor.text)") }
    // Each fault is followed by its remedy.
    let lines = doctor.text.split(separator: "\n")
    for (place, line) in lines.enumerated() where line.hasPrefix("fault ") {
      #expect(lines.dropFirst(place + 1).first?.hasPrefix("      do: ") == true, "\(line)")
    }
    #expect(Self.line("root", doctor.text)?.contains("SHA-256 ") == true)
    #expect(Self.line("orders input", doctor.text) == "fault orders input: no orders input was ever read")
  }

  private static let issuer = "issuer_id: 57246542-96fe-1a63-e053-0824d011072a"

  /// Keys of an app, alerts, webhooks and sources in the settings, and the finding or its remedy.
  private static let checkedBlocks = [
    ("api: {\(issuer), key_id: 2X9R4HXF34, key_file: whole.p8}", "ok    API key of com.acme.reader: \"whole.p8\" parsed, mode 600"),
    ("api: {\(issuer), key_id: 2X9R4HXF34, key_file: open.p8}", "do: chmod 600 open.p8"),
    ("api: {\(issuer), key_id: 2X9R4HXF34, key_file: none.p8}", "do: download it again"),
    ("api: {\(issuer), key_id: 2X9R4HXF34, key_file: nowhere.p8}", "\"nowhere.p8\" cannot be read"),
    ("api: {key_id: 2X9R4HXF34, key_file: whole.p8}", "issuer_id not set"),
    ("api: {issuer_id: me, key_id: 2X9R4HXF34, key_file: whole.p8}", "issuer_id is no UUID"),
    ("api: {\(issuer), key_id: 2X9, key_file: whole.p8}", "key_id is not ten"),
    ("api: {shared_secret_file: empty}", "it holds no secret"),
    ("", "ok    alerts: a night sends its verdict to nobody"),
    ("alerts: {webhook: {url_file: nowhere}}", "fault alerts by webhook: \"nowhere\" cannot be read"),
    ("alerts: {webhook: {url_file: empty}}", "do: write the address into it"),
    ("alerts: {webhook: {url_file: plain}}", "would be called without encryption; use https"),
    ("alerts: {webhook: {url_file: open}}", "do: chmod 600 open"),
    ("alerts: {webhook: {url: \"http://example.com/secret-path\"}}", "fault alerts by webhook: example.com would be called without"),
    ("alerts: {webhook: {url_file: address}}", "ok    alerts by webhook: \"address\" parsed, mode 600"),
    ("alerts: {email: {server: \"smtps://mail.example.com\", from: a@b.c, to: [d@e.f]}}", "ok    alerts by email: 1 address by smtps://"),
    (
      "alerts: {email: {server: \"smtps://m\", from: a@b.c, to: [d@e.f], user: x, password_file: nowhere}}",
      "fault password of alerts by email: \"nowhere\" cannot be read"
    ),
    ("webhooks: [{name: setup, url_file: nowhere, secret_file: key}]", "fault address of webhook setup: \"nowhere\" cannot be read"),
    ("webhooks: [{name: setup, url: \"https://a.b/c\", secret_file: nowhere}]", "fault key of webhook setup: \"nowhere\" cannot be read"),
    ("webhooks: [{name: setup, url: \"https://a.b/c\", secret_file: address}]", "do: make one, and give it to the receiver: printf"),
    ("webhooks: [{name: setup, url: \"https://a.b/c\", secret_file: open-key}]", "do: chmod 600 open-key"),
    ("webhooks: [{name: setup, url: \"https://a.b/c\", secret_file: key}]", "ok    key of webhook setup: \"key\" parsed, mode 600"),
    ("sources: [{name: shop, kind: orders, url_file: nowhere, query: select 1}]", "fault source shop: \"nowhere\" cannot be read"),
    ("sources: [{name: shop, kind: orders, url_file: empty, query: select 1}]", "do: write the database's address into it"),
    ("sources: [{name: shop, kind: orders, url_file: open, query: select 1}]", "do: chmod 600 open"),
  ]

  /// Each fault in the settings is named with its remedy. Nothing is sent, and no secret is printed.
  @Test func settingsAreChecked() async throws {
    for name in ["whole", "open"] {
      try await setup.program.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "\(name).p8"], exits: 0)
      unsafe chmod("\(setup.directory)/\(name).p8", name == "open" ? 0o644 : 0o600)
    }
    let key = "whsec_" + String(repeating: "QUFB", count: 10) + "\n"
    for (name, text, mode) in [
      ("address", "https://example.com/secret-path\n", 0o600), ("open", "https://example.com/secret-path\n", 0o644),
      ("plain", "http://example.com/secret-path\n", 0o600), ("empty", "\n", 0o600), ("none.p8", "no key\n", 0o600), ("key", key, 0o600),
      ("open-key", key, 0o644),
    ] as [(String, String, mode_t)] { unsafe chmod(try setup.write(name, text), mode) }
    for (block, expected) in Self.checkedBlocks {
      let zone = "time_zone: Asia/Shanghai"
      let settings = block.hasPrefix("api: ") ? Setup.settings().replacing(zone, with: "\(zone), \(block)") : Setup.settings() + block
      try setup.write("payrecon.yaml", settings + "\n")
      let text = try await setup.program("doctor").text
      #expect(text.contains(expected), "\(block): \(text)")
      #expect(!text.contains("secret-path") && !text.contains("QUFB"), "\(block): \(text)")
    }
  }

  @Test func `a wrong password stays wrong, so it is refused like other settings`() async throws {
    var setup = try await Setup.withCluster()
    setup.program.environment["PAYRECON_ACCOUNT"] = "nobody"
    setup.program.environment["PGPASSWORD"] = "wrong"
    let refused = try await setup.program("doctor", exits: 64)
    #expect(refused.text.contains("do: give the account's password in PGPASSWORD"), "\(refused.text)")
  }

  @Test func `with unreadable settings or a missing database, all other checks still run`() async throws {
    var setup = setup
    setup.program.environment["PAYRECON_DATABASE_URL"] = "host=\(setup.directory)/nowhere dbname=payrecon"
    let away = try await setup.program("doctor", exits: 75)
    for check in ["settings", "root", "disk", "database", "inputs", "runs", "last night"] {
      #expect(Self.line(check, away.text) != nil, "\(check)\n\(away.text)")
    }
    #expect(Self.line("database", away.text)?.hasPrefix("fault ") == true)
    try setup.write("payrecon.yaml", "brakes: {}\n")
    let unset = try await setup.program("doctor")
    let text = unset.text
    #expect(Self.line("settings", text)?.contains("\"brakes\"") == true, "\(text)")
    // The reason appears once; the database check only refers to it.
    let parts = (text + unset.complaint).split(separator: "\"brakes\"", omittingEmptySubsequences: false)
    #expect(parts.count == 2, "\(text)\n\(unset.complaint)")
    for check in ["apps", "database"] {
      #expect(Self.line(check, text)?.contains("the settings cannot be read") == true, "\(text)")
    }
    #expect(Self.line("disk", text) != nil)
  }

  /// A site with nights of the past, such as a generated world, is checked at its own clock, with a note. Empty input there is
  /// still a fault. So is late input at an explicit clock.
  @Test func pastSitesAreNotFaults() async throws {
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{}"))
    try setup.writeInbox()
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0)
    let doctor = try await setup.program("doctor").text
    for kind in ["orders", "apple"] {
      let line = try #require(Self.line("\(kind) input", doctor))
      #expect(line.hasPrefix("note  ") && line.contains("is late") && line.contains("nights here are run as of the past"), "\(line)")
    }
    #expect(!doctor.contains("fault orders") && !doctor.contains("fault apple"))
    let given = try await setup.program("doctor", "--as-of", "2026-06-11T00:00:00Z").text
    #expect(Self.line("orders input", given)?.hasPrefix("fault ") == true, "\(given)")
    // Three days later by that clock, no input has arrived.
    try await setup.query("update payrecon.runs set started_at = started_at - interval '3 days'")
    #expect(try await Self.line("orders input", setup.program("doctor").text)?.hasPrefix("fault ") == true)
  }

  @Test func `the steps from an empty folder until nights run by themselves, each with its next command`() async throws {
    func steps(_ program: Program? = nil) async throws -> [String] {
      try await (program ?? setup.program)("doctor").text.split(separator: "\n").filter { $0.hasPrefix("to do ") }.map { line in
        String(line.dropFirst(6).prefix { $0 != ":" })
      }
    }
    var empty = setup.program
    empty.environment["PAYRECON_CONFIG"] = nil
    empty.directory = "\(setup.directory)/empty"
    try setup.write("empty/.keep", "")
    #expect(try await steps(empty) == ["settings file"])
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{orders: {columns: {order_id: no}}}"))
    let all = ["catalogue", "users", "orders", "API key", "Apple evidence", "first night", "schedule", "alert destination"]
    #expect(try await steps() == all)
    // A private server that was never made has read nothing.
    var new = setup.program
    new.environment["PAYRECON_DATABASE_URL"] = nil
    new.environment["PAYRECON_STATE_DIR"] = "\(setup.directory)/state"
    let unmade = try await new("doctor")
    #expect(unmade.status == 2 && unmade.text.contains("to do first night: none ended yet\n      do: payrecon nightly"), "\(unmade.text)")
    #expect(unmade.text.contains("do: payrecon init makes one") && !unmade.text.contains("the database cannot be asked"), "\(unmade.text)")
    try setup.write("inbox/orders.csv", Setup.table([Setup.order("PO-1", names: "470001000000001")]))
    let unfit = try await setup.program("doctor", prints: "do: payrecon ingest orders --preview inbox/orders.csv").text
    #expect(
      Self.line("columns of orders", unfit)?.contains("will be refused: setting \"inputs.orders.columns.order_id\"") == true, "\(unfit)")
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{}"))
    try setup.writeInbox()
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0)
    #expect(try await steps() == ["catalogue", "users", "API key", "schedule", "alert destination"])
    #expect(try await Self.line("columns of orders", setup.program("doctor").text)?.hasPrefix("ok    ") == true)
    try await setup.nightly(asOf: "2026-05-11T06:00:00Z", exits: 0)
    try await setup.query("update payrecon.runs set started_at = started_at - interval '1 day' where as_of < '2026-05-11T06:00:00Z'")
    #expect(try await steps() == [])
  }

  /// One id shared by all guests makes every night long. A device connects only items uploaded on it.
  @Test func highDegreeKeysAreNamed() async throws {
    // The limit of a night's size depends on the number of orders in the server's statistics.
    let orders = "order_id,bundle_id,product_id,user_id,status,created_at\nPO-1,com.acme.reader,coins,U1,paid,2026-05-01T10:00:00Z\n"
    try await setup.program("ingest", "orders", setup.write("orders.csv", orders), "--as-of", "2026-05-12T00:00:00Z", exits: 0)
    #expect(try await Self.line("high-degree keys", setup.program("doctor").text)?.hasPrefix("ok    high-degree keys: ") == true)
    try await setup.query(
      """
      insert into payrecon.orders
      select (
        jsonb_populate_record(
          orders, jsonb_build_object('order_id', tied.user_id || number, 'user_id', tied.user_id, 'device_id', tied.device_id))).*
      from payrecon.orders
      cross join (values ('guest', null), ('U2', '00000000-0000')) as tied (user_id, device_id)
      cross join generate_series(1, 20001) as number;
      update payrecon.orders set user_id = order_id where user_id = 'U2';
      analyze payrecon.orders;
      """)
    let guests = try await setup.program("doctor").text
    #expect(Self.line("high-degree keys", guests)?.contains(" user \"guest\" (20001 orders or subscriptions);") == true, "\(guests)")
    #expect(!guests.contains("00000000-0000"))
    try await setup.query(
      """
      insert into payrecon.uploads (sha256, source, user_id, device_id, order_id, batch_id, received_at)
      values ('\\xe1', 'client', '', '00000000-0000', '', 1, '2026-05-01')
      """)
    #expect(try await setup.program("doctor").text.contains(" device \"00000000-0000\" (20001 "))
  }

  /// A running run is shown with host and process, a dead one with the remedy. The holder of a lock is named.
  @Test func runsAndLocks() async throws {
    try setup.write("inbox/users.csv", "user_id\nU1\n")
    let blocker = try await setup.block("matches")
    let words = [Program.path, "nightly", "--as-of", "2026-05-11T00:00:00Z", "--inbox", "inbox", "--out", "report"]
    async let night = setup.program.run(words)
    #expect(try await setup.waitForLock(on: "matches"))
    let busy = try await setup.program("doctor").text
    let running = try #require(Self.line("runs", busy))
    #expect(running.hasPrefix("ok    runs: nightly-20260511T000000Z") && running.contains(" on host "), "\(running)")
    #expect(running.contains(", process ") && running.hasSuffix("is under way"))
    #expect(try await setup.program("runs", "list", "--format", "ndjson").text.contains("\"job\":\"nightly\""))
    try await setup.program.run(
      words, exits: 4, complains: "the lock of \"nightly\": \"payrecon nightly\" on host ", " since 20", ", process ")
    try await setup.cutNight()
    await blocker.close()
    #expect(try await night.status == 75)
    let dead = try await setup.program("doctor", prints: "do: start nightly again").text
    let line = try #require(Self.line("runs", dead))
    #expect(line.hasPrefix("fault runs: nightly-") && line.contains("and died"), "\(line)")
  }
}
