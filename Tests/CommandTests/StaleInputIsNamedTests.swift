import FoundationEssentials

/// A night checks whether its input is fresh and reports the same everywhere.
@Suite(.cleansUp) struct StaleInputIsNamedTests {
  private static let header = Setup.orderHeader + ",environment"
  private static let asOf = "2026-05-11T00:00:00Z"

  private static func order(
    _ id: String, at instant: String, price: String = "6000", transaction: String = "", environment: String = "Production"
  ) -> String {
    Setup.order(id, at: instant, price: price, names: transaction) + ",\(environment)"
  }

  private static func evidence(
    _ transaction: String, at instant: String, environment: String = "Production", by authority: SimulatedAuthority = Scenario.authority
  ) -> String {
    Scenario.sign(ApplePurchase(transaction, at: instant).with { $0.environment = environment }, by: authority) + "\n"
  }

  private static func file(_ orders: [String]) -> String { Setup.table(header, orders) }

  /// Returns an environment with settings of inputs and an inbox; nil for no file.
  private static func setup(_ inputs: String = "{}", orders: [String]? = nil, evidence: String? = nil) async throws -> Setup {
    let setup = try await Setup()
    try setup.write("payrecon.yaml", Setup.settings(inputs: inputs))
    if let orders { try setup.write("inbox/orders.csv", file(orders)) }
    if let evidence { try setup.write("inbox/apple.ndjson", evidence) }
    return setup
  }

  /// The input of a night and its expected result. By default, an order and its purchase are of the day before.
  struct Case: NamedCase {
    var name: String
    var order = StaleInputIsNamedTests.fresh
    var evidence = "2026-05-10T10:00:20Z"
    var inputs = "{}"
    var isForged = false
    var environment = "Production"
    /// A tester's order and purchase.
    var ofTester: (order: String, evidence: String) = ("", "")
    /// Stale kinds of input, each with a part of the reason.
    var stale: [String: String] = [:]
    /// Whether doctor, the metrics and a later report are compared with the night too: once for each kind of reason.
    var isComparedEverywhere = false
  }

  private static let fresh = order("PO-1", at: "2026-05-10T10:00:00Z", transaction: "470001000000001")
  private static let bought = evidence("470001000000001", at: "2026-05-10T10:00:20Z")
  private static let cases = [
    Case(name: "all is fresh", isComparedEverywhere: true),
    Case(
      name: "orders of 34 days ago", order: order("PO-1", at: "2026-04-07T00:00:00Z"),
      stale: ["orders": "is late: the newest of it is of 2026-04-07T00:00:00Z, more than 30h before the clock"], isComparedEverywhere: true),
    Case(name: "orders fresh, Apple's evidence of the week before", evidence: "2026-05-03T10:00:20Z", stale: ["apple": "is late"]),
    Case(
      name: "every order parked", order: order("PO-1", at: "2026-05-10T10:00:00Z", price: "much"),
      stale: ["orders": "was read, and nothing of it up to this clock could be taken"], isComparedEverywhere: true),
    Case(name: "forged evidence tells nothing", isForged: true, stale: ["apple": "was read, and nothing of it"]),
    Case(
      name: "an order of next month is no fresh order", order: order("PO-1", at: "2026-06-10T10:00:00Z"),
      stale: ["orders": "nothing of it up to this clock"]),
    Case(
      name: "fewer rows than asked for", inputs: "{orders: {rows_min: 3}}",
      stale: ["orders": "is too little: 1 rows in 30h, fewer than the least of 3"], isComparedEverywhere: true),
    Case(name: "29 h are no age", order: order("PO-1", at: "2026-05-09T19:00:00Z"), evidence: "2026-05-09T19:00:00Z"),
    Case(
      name: "31 h are one", order: order("PO-1", at: "2026-05-09T17:00:00Z"), evidence: "2026-05-09T17:00:00Z",
      stale: ["orders": "is late: the newest of it is of 2026-05-09T17:00:00Z", "apple": "more than 30h before the clock"]),
    Case(name: "any age is allowed", order: order("PO-1", at: "2026-04-07T00:00:00Z"), inputs: "{orders: {max_age: none}}"),
    Case(name: "a longer age is allowed", order: order("PO-1", at: "2026-05-07T00:00:00Z"), inputs: "{orders: {max_age: 5d}}"),
    Case(
      name: "a tester's evidence hides no silence of Production", evidence: "2026-05-03T10:00:20Z", ofTester: ("", "2026-05-10T10:00:20Z"),
      stale: ["apple": "30h before the clock; what came since is not of Production"]),
    Case(
      name: "nor do a tester's orders", order: order("PO-1", at: "2026-05-03T10:00:00Z"), ofTester: ("2026-05-10T10:00:00Z", ""),
      stale: ["orders": "30h before the clock; what came since is not of Production"]),
    Case(
      name: "live orders, and evidence of a tester alone", environment: "Sandbox",
      stale: ["apple": "was read, and nothing of it up to this clock is of Production"], isComparedEverywhere: true),
    Case(
      name: "on a staging system the sandbox is the input",
      order: order("PO-1", at: "2026-05-10T10:00:00Z", transaction: "470001000000001", environment: "Sandbox"), environment: "Sandbox"),
    Case(
      name: "a catalogue is asked for", inputs: "{catalogue: {max_age: 7d}}",
      stale: ["catalogue": "no catalogue input was ever read"], isComparedEverywhere: true),
  ]

  @Test(arguments: cases) func allOutputsAgreeOnFreshness(_ given: Case) async throws {
    let (ordered, bought) = given.ofTester
    let orders = ordered.isEmpty ? [] : [Self.order("PO-9", at: ordered, environment: "Sandbox")]
    let authority = given.isForged ? Scenario.forger : Scenario.authority
    let evidence = Self.evidence("470001000000001", at: given.evidence, environment: given.environment, by: authority)
    let more = bought.isEmpty ? "" : Self.evidence("470001000000009", at: bought, environment: "Sandbox")
    let setup = try await Self.setup(given.inputs, orders: [given.order] + orders, evidence: evidence + more)
    let night = try await setup.nightly(asOf: Self.asOf)
    let breaks = CSVRows.decode(try Setup.bytes("\(setup.directory)/report/breaks.csv")).filter { $0["class"] == "STALE_INPUT" }
    let named = breaks.cells("detail").map { $0.trimmingPrefix("no ").prefix { $0 != " " } }
    #expect(Set(named.map(String.init)) == Set(given.stale.keys))
    let manifest = try Setup.text("\(setup.directory)/report/manifest.json")
    let page = try Setup.text("\(setup.directory)/report/report.html")
    var texts = [night.text, manifest, page]
    if given.isComparedEverywhere { texts += try await Self.expectElsewhere(given, setup) }
    for reason in given.stale.values {
      for text in texts { #expect(text.contains(reason), "\(reason)\n\(text)") }
    }
    #expect((night.status == 3) == !given.stale.isEmpty, "\(night.text)")
    guard !given.stale.isEmpty else { return }
    #expect(try await setup.rows("runs").cells("verdict") == ["incomplete"])
    #expect(manifest.contains("\"verdict\":\"incomplete\""))
    #expect(!page.contains("agrees") && !page.contains("No break is open"))
    try await setup.program("detect", "--as-of", Self.asOf, exits: 3)
  }

  /// Verifies that the metrics and doctor name the stale kinds. Returns the text of doctor and the manifest of a later report.
  private static func expectElsewhere(_ given: Case, _ setup: Setup) async throws -> [String] {
    let metrics = try await setup.metrics("--as-of", asOf)
    let doctor = try await setup.program("doctor", "--as-of", asOf).text
    try await setup.program("report", "daily", "--as-of", asOf, "--out", "again", exits: 0)
    let again = try Setup.text("\(setup.directory)/again/manifest.json")
    for kind in ["orders", "apple", "catalogue", "users"] {
      let isStale = given.stale[kind] != nil
      #expect(metrics.contains("payrecon_input_stale{kind=\"\(kind)\"} \(isStale ? 1 : 0)"), "\(kind)\n\(metrics)")
      #expect(doctor.contains("\(isStale ? "fault" : "ok   ") \(kind) input: "), "\(doctor)")
    }
    #expect(given.stale.isEmpty || again.contains("\"verdict\":\"incomplete\""))
    return [doctor, again]
  }

  /// Without new input the second night is incomplete, even if known files are read again. New input completes it. A replay of the
  /// night in between is unchanged.
  @Test func repeatsAreNotFresh() async throws {
    let setup = try await Self.setup(orders: [Self.fresh], evidence: Self.bought)
    let (orders, apple) = ("\(setup.directory)/inbox/orders.csv", "\(setup.directory)/inbox/apple.ndjson")
    try await setup.nightly(asOf: Self.asOf, exits: 0)
    let late = "2026-06-14T00:00:00Z"
    try await setup.nightly(asOf: late, out: "late", exits: 3)
    #expect(try await setup.program("ingest", "orders", orders, "--as-of", "2026-06-13T23:00:00Z").status == 0)
    #expect(try await setup.program("ingest", "apple", apple, "--as-of", "2026-06-13T23:00:00Z").status == 0)
    let again = try await setup.nightly(asOf: late, out: "late", exits: 3)
    try setup.write("more/orders-2.csv", Self.file([Self.order("PO-2", at: "2026-06-14T09:00:00Z", transaction: "470001000000002")]))
    try setup.write("more/apple-2.ndjson", ApplePurchase("470001000000002", at: "2026-06-14T09:00:20Z").jws + "\n")
    try await setup.nightly("more", asOf: "2026-06-15T00:00:00Z", out: "next", exits: 0)
    let resolved = try await setup.rows("breaks").filter { $0["class"] == "STALE_INPUT" }
    #expect(resolved.allSatisfy { $0["status"] == "resolved" } && resolved.count == 2)
    let runID = try #require(again.headlineEnd)
    try await setup.program("runs", "replay", runID, exits: 0)
  }

  /// A history ingested at once is fresh for each night of a backfill up to its end. Sandbox counts until Production begins, and
  /// only Production counts afterwards.
  @Test func pastNightsAreFreshByTheirInput() async throws {
    let days = ["07", "08", "09", "10", "12"].map { ($0, ["07", "12"].contains($0) ? "Sandbox" : "Production") }
    let setup = try await Self.setup(
      orders: days.map { Self.order("PO-\($0)", at: "2026-05-\($0)T12:00:00Z", transaction: "4700010000000\($0)", environment: $1) },
      evidence: days.map { Self.evidence("4700010000000\($0)", at: "2026-05-\($0)T12:00:20Z", environment: $1) }.joined())
    var statuses: [Int32?] = []
    for day in ["08", "09", "10", "11", "12", "13"] {
      statuses.append(try await setup.nightly(asOf: "2026-05-\(day)T00:00:00Z", out: "night-\(day)").status)
    }
    #expect(statuses == [0, 0, 0, 0, 3, 3])
  }

  /// No evidence of a night verifies, as with wrong roots. Fresh evidence of the night before does not help, even on the same day.
  /// Up to four items may be other people's. When the input is also late, both reasons are printed.
  @Test(arguments: [
    (5, "2026-05-12T00:00:00Z", true), (5, "2026-05-11T20:00:00Z", true), (4, "2026-05-12T00:00:00Z", false),
    (5, "2026-05-12T06:00:00Z", true),
  ]) func unverifiedInputIsStale(items: Int, clock: String, isStale: Bool) async throws {
    let setup = try await Self.setup(
      orders: [Self.order("PO-1", at: "2026-05-10T20:00:00Z", transaction: "470001000000001")],
      evidence: Self.evidence("470001000000001", at: "2026-05-10T20:00:20Z"))
    try await setup.nightly(asOf: Self.asOf, exits: 0)
    let next = (1...items).map { "47000200000000\($0)" }
    try setup.write("inbox/orders-2.csv", Self.file(next.map { Self.order("PO-\($0)", at: "2026-05-11T10:00:00Z", transaction: $0) }))
    try setup.write("inbox/apple-2.ndjson", next.map { Self.evidence($0, at: "2026-05-11T10:00:20Z", by: Scenario.forger) }.joined())
    let night = try await setup.nightly(asOf: clock, out: "next")
    #expect((night.status == 3) == isStale, "\(night.text)\(night.complaint)")
    let sentence = "\(items) items since the night of 2026-05-11T00:00:00Z, and nothing of it up to this clock could be taken"
    #expect(night.text.contains(sentence) == isStale, "\(night.text)")
    let isLate = clock == "2026-05-12T06:00:00Z"
    #expect(night.text.contains("apple input is late: ") == isLate, "\(night.text)")
    guard isStale else { return }
    // Doctor names the same fault, with roots and apps to check, for the input and for its signatures.
    let doctor = try await setup.program("doctor", "--as-of", clock, prints: "fault signatures: 1 records").text
    #expect(doctor.contains("fault apple input: ") && doctor.contains(sentence), "\(doctor)")
    #expect(doctor.components(separatedBy: "do: compare the roots above").count == 3, "\(doctor)")
    guard !isLate else { return }
    #expect(night.text.contains("the trusted roots or the apps of the settings are not those of the feed"), "\(night.text)")
    // After genuine evidence arrives, the night runs again. Of the two reports of its clock, the later one can be replayed.
    try setup.write("inbox/apple-3.ndjson", Self.evidence(next[0], at: "2026-05-11T10:00:20Z"))
    let again = try await setup.nightly(asOf: clock, out: "again")
    #expect(again.status != 3, "\(again.text)\(again.complaint)")
    let runID = try #require(again.headlineEnd)
    #expect(try await setup.program("runs", "replay", runID).status == 0)
    try await setup.program("runs", "replay", runID, "--report", "next", exits: 1, prints: "wrote a later report to")
  }

  /// Without an inbox in the settings, a night started in another folder finds none. It warns, because an earlier night read one.
  @Test func noInboxWhereOneWasRead() async throws {
    let setup = try await Self.setup(orders: [Self.fresh], evidence: Self.bought)
    func night(_ asOf: String) async throws -> Execution {
      try await setup.patiently(["nightly", "--out", "report-\(asOf)"], asOf: asOf, exits: 0)
    }
    let first = try await night(Self.asOf)
    #expect(!first.text.contains("no inbox"), "\(first.text)")
    try FileManager.default.moveItem(atPath: "\(setup.directory)/inbox", toPath: "\(setup.directory)/elsewhere")
    let second = try await night("2026-05-11T06:00:00Z")
    #expect(second.text.contains("verdict  warnings"), "\(second.text)")
    #expect(second.text.contains("no inbox was read, as the night of \(Self.asOf) did"), "\(second.text)")
  }

  /// Records a night that ended at its clock.
  private static func ended(_ clock: String, _ verdict: String, _ setup: Setup) async throws {
    try await setup.query(
      """
      insert into payrecon.runs (run_id, attempt, job, settings_sha256, code_version, verdict, as_of, started_at, ended_at)
      values ('night-\(clock)', 1, 'nightly', '', '', '\(verdict)', '\(clock)', '\(clock)', '\(clock)')
      """)
  }

  /// Fewer rows than a fifth of the usual count. If nearly all items of the input were rejected, the reason says so.
  @Test(arguments: [(6, 0, false), (5, 0, true), (5, 95, true), (5, 96, true)])
  func aFifthOfTheUsual(rows: Int, parked: Int, isStale: Bool) async throws {
    let setup = try await Self.setup("{apple: {max_age: 3650d}}", evidence: Self.evidence("470001000000001", at: "2026-05-06T10:00:20Z"))
    for day in 1...5 {
      let orders = (1...30).map { Self.order("PO-\(day)-\($0)", at: "2026-05-0\(day)T12:00:00Z") }
      let path = try setup.write("day-\(day).csv", Self.file(orders))
      let clock = "2026-05-0\(day + 1)T00:00:00Z"
      try await setup.patiently(["ingest", "orders", path], asOf: clock, exits: 0)
      // A previous night that did nothing.
      try await Self.ended(clock, "breaks", setup)
    }
    let bad = (0..<parked).map { Self.order("PO-7-\($0)", at: "yesterday") }
    try setup.write("inbox/orders.csv", Self.file((1...rows).map { Self.order("PO-6-\($0)", at: "2026-05-06T12:00:00Z") } + bad))
    let night = try await setup.nightly(asOf: "2026-05-07T00:00:00Z")
    let hardly = "orders input was read, 101 items since the night of 2026-05-06T00:00:00Z, and only 5 rows of it up to this clock"
    #expect(night.text.contains(hardly) == (parked == 96), "\(night.text)")
    #expect(night.text.contains("less than a fifth of the 30 that nights usually have") == isStale, "\(night.text)")
    #expect((night.status == 3) == isStale)
  }

  /// One of two apps becomes silent and is named every night, if all previous nights had input of it. A small app is not named.
  @Test(arguments: [(20, true), (19, false)]) func oneAppFallsSilent(usual: Int, isStale: Bool) async throws {
    let setup = try await Self.setup("{apple: {max_age: 3650d}}", evidence: Self.evidence("470001000000001", at: "2026-05-06T10:00:20Z"))
    let days = (0..<35).map { String(instant("2026-05-01T00:00:00Z").advanced(bySeconds: $0 * 86_400).rfc3339.prefix(10)) }
    let orders = days.enumerated().flatMap { number, day in
      (1...usual).flatMap { row in
        let order = Self.order("PO-\(day)-\(row)", at: "\(day)T12:00:00Z")
        let other = order.replacing("PO-", with: "PK-").replacing("com.acme.reader", with: "com.acme.kids")
        return number < 10 ? [order, other] : [order]
      }
    }
    let path = try setup.write("history.csv", Self.file(orders))
    try await setup.patiently(["ingest", "orders", path], asOf: "2026-05-01T00:00:00Z", exits: 0)
    for day in days[1..<11] { try await Self.ended(day, "breaks", setup) }
    for number in [11, 12, 34] {
      let night = try await setup.nightly(asOf: "\(days[number])T00:00:00Z", out: days[number])
      #expect(night.text.contains("nothing in 30h of com.acme.kids (20)") == isStale, "\(night.text)")
      #expect((night.status == 3) == isStale, "\(night.text)\(night.complaint)")
      // More nights pass, each like the one before.
      if number == 12 { for day in days[13..<34] { try await Self.ended(day, isStale ? "incomplete" : "breaks", setup) } }
    }
  }

  @Test func `a date ahead of every clock does not count when it is read, and makes no later night fresh`() async throws {
    let setup = try await Self.setup("{apple: {max_age: none}}")
    let orders = try setup.write(
      "orders.csv", Self.file([Self.fresh, Self.order("PO-2", at: "2099-12-01T12:00:00Z", transaction: "470001000000002")]))
    let apple = try setup.write("apple.ndjson", Self.bought)
    for words in [["orders", orders], ["apple", apple]] { try await setup.patiently(["ingest"] + words, asOf: Self.asOf, exits: 0) }
    try await setup.patiently(
      ["nightly", "--future", "--out", "report"], asOf: "2099-12-02T00:00:00Z", exits: 3,
      prints: "orders input is late: the newest of it is of 2026-05-10T10:00:00Z")
  }

  /// The verdict of a window in run-due is that of the run itself.
  @Test(arguments: ["", "input_ages: {orders: 300d}", "rows: {min: 50}"]) func runDueAgrees(_ expectation: String) async throws {
    let isFresh = expectation.hasPrefix("rows")
    let setup = try await Self.setup(
      isFresh ? "{orders: {max_age: 3650d}, apple: {max_age: 3650d}}" : "{}",
      orders: [Self.order("PO-1", at: "2026-04-07T00:00:00Z", transaction: "470001000000001")],
      evidence: Self.evidence("470001000000001", at: "2026-04-07T00:00:20Z"))
    try setup.writeNightJob(expectation)
    let due = try await setup.program("run-due", "--as-of", "2026-05-10T06:30:00Z", exits: 3, prints: "incomplete, exit 3, ")
    #expect(try await setup.rows("runs").cells("verdict") == ["incomplete"])
    #expect(try await setup.query("select verdict || ' ' || exit_status from payrecon.job_windows") == "incomplete 3")
    // The job's output appears after the job's name and in a separate log.
    #expect(due.complaint.contains("night: verdict  incomplete"), "\(due.complaint)")
    let logs = try Setup.files(in: "\(setup.directory)/logs/night")
    #expect(logs.keys.sorted() == ["20260510T060000Z-1.log"])
    #expect(logs.values.allSatisfy { String(decoding: $0, as: UTF8.self).contains("verdict  incomplete") })
  }

  /// A file with a right or a wrong clock.
  struct Clock: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var offsetMinutes: Int64
    /// Number of orders with a wrong time, and of those with a right time.
    var off = 12
    var right = 3
    var names = false
    /// A part of the reason; nil where the night decides as usual.
    var sentence: String?
  }

  private static let clocks = [
    Clock(testDescription: "eight hours ahead", offsetMinutes: 480, sentence: "8h ahead of Apple's: 12 of 15 orders"),
    Clock(testDescription: "seven hours behind", offsetMinutes: -420, sentence: "7h behind Apple's: 12 of 15 orders"),
    Clock(testDescription: "of Kathmandu, with ids", offsetMinutes: 345, names: true, sentence: "5h45m ahead of Apple's: 12 of 15 orders"),
    Clock(testDescription: "two thirds exactly", offsetMinutes: 480, off: 10, right: 5, sentence: "8h ahead of Apple's: 10 of 15 orders"),
    Clock(testDescription: "one order less", offsetMinutes: 480, off: 10, right: 6),
    Clock(testDescription: "few orders", offsetMinutes: 480, off: 9, right: 0),
    Clock(testDescription: "booked half an hour later", offsetMinutes: 30), Clock(testDescription: "right", offsetMinutes: 0),
  ]

  /// A file of local times marked as UTC is named and gives no breaks. After its correction the night decides.
  @Test(arguments: clocks) func aClockOfLocalTimeIsNamed(_ clock: Clock) async throws {
    let setup = try await Setup()
    let header = Self.header + ",app_account_token,paid_at,delivered_at,updated_at"
    var (evidence, orders) = ("", [Int64: String]())
    for number in 1...(clock.off + clock.right) {
      let purchasedAt = instant("2026-05-10T00:00:00Z").advanced(bySeconds: Int64(number) * 2000)
      let (id, token) = ("47000100000000\(number)", "a1a1a1a1-1111-4222-8333-4444555566\(number + 10)")
      evidence += ApplePurchase(id, at: purchasedAt.rfc3339, token: token).jws + "\n"
      for minutes in Set([0, clock.offsetMinutes]) {
        let offset = number > clock.off ? 0 : minutes * 60
        func at(_ seconds: Int64) -> String { purchasedAt.advanced(bySeconds: seconds + offset).rfc3339 }
        let order = Self.order("PO-\(number)", at: at(-20), transaction: clock.names ? id : "")
        let updated = minutes == 0 ? "2026-05-10T23:59:00Z" : at(40)
        orders[minutes, default: ""] += "\(order),\(token),\(at(30)),\(at(40)),\(updated)\n"
      }
    }
    try setup.write("inbox/apple.ndjson", evidence)
    try setup.write("inbox/orders.csv", "\(header)\n\(orders[clock.offsetMinutes] ?? "")")
    let night = try await setup.nightly(asOf: "2026-05-12T00:00:00Z")
    let breaks = try await setup.query("select count(*) from payrecon.open_breaks")
    guard let sentence = clock.sentence else {
      #expect(!night.text.contains("probably local time") && night.text.contains("matches  "), "\(night.text)")
      return
    }
    #expect(night.status == 3, "\(night.text)")
    #expect(night.text.contains("orders file \"orders.csv\": its clock is probably local time, \(sentence)"), "\(night.text)")
    #expect(breaks == "0" && night.text.contains("nothing was decided; correct zone in the file's mapping"))
    #expect(night.text.contains("give every row a later updated_at, or start with an empty database"), "\(night.text)")
    if clock.names {
      try await setup.nightly(asOf: "2026-05-12T00:00:00Z", ["--accept-clock"], lacks: "probably local time")
    } else {
      try setup.write("inbox/orders.csv", "\(header)\n\(orders[0] ?? "")")
      let mended = try await setup.nightly(asOf: "2026-05-12T01:00:00Z", lacks: "probably local time")
      #expect(try await setup.count("matches") == clock.off + clock.right, "\(mended.text)")
    }
  }
}
