import Glibc

/// A match run evaluates only changes. The stored matches must equal those of a full run.
@Suite(.cleansUp) struct MatchScopeTests {
  private static let orders = 800

  private static func setup() async throws -> Setup { try await Worlds.shared.night(orders: orders).setup.copy() }

  /// Verifies that a full run would change nothing.
  private static func expectCurrent(_ setup: Setup, asOf: String) async throws {
    try await setup.program("match", "--full", "--dry-run", "--as-of", asOf, text: "change,order_id,charge_id,rung\n")
  }

  @Test func changedComponentsAreDecided() async throws {
    let setup = try await Self.setup()
    #expect(try await setup.count("changes") == 0)
    try await Self.expectCurrent(setup, asOf: Setup.asOf)
    // A late order names the charge of another user. Only the component of the two orders is evaluated again.
    let taken = try await setup.query(
      """
      select charges.transaction_ids[1] || ',' || orders.bundle_id || ',' || orders.product_id
      from payrecon.matches
      inner join payrecon.charges using (original_transaction_id, charge_id)
      inner join payrecon.orders using (order_id)
      where matches.rung = 'M2' order by order_id limit 1
      """
    ).split(separator: ",").map(String.init)
    try await setup.ingest("orders", Setup.table(["LATE-1,\(taken[1]),\(taken[2]),LATE-USER,paid,2026-01-01T00:00:00Z,,,\(taken[0])"]))
    #expect(try await setup.query("select ids from payrecon.changes") == "{LATE-1}")
    try await setup.program("match", "--dry-run", "--as-of", Setup.asOf, exits: 0)
    #expect(try await setup.query("select ids from payrecon.changes") == "{LATE-1}")
    _ = try await setup.program("match", "--as-of", Setup.asOf)
    #expect(try await setup.count("changes") == 0)
    #expect(try await setup.query("select class from payrecon.refused_claims where order_id = 'LATE-1'") == "REPLAY_MULTI_USER")
    try await Self.expectCurrent(setup, asOf: Setup.asOf)
    try await Self.expectIdleRunSaysTheSame(setup)
    try await Self.expectPartitionsIncludeLaterOrders(setup, taken)
  }

  @Test func `a high-degree key beyond the row limit makes a run evaluate its component, not everything`() async throws {
    let setup = try await Setup()
    func order(_ id: String, of user: String) -> String { "\(id),com.acme.reader,coins,\(user),created,2026-05-01T10:00:00Z\n" }
    let head = "order_id,bundle_id,product_id,user_id,status,created_at\n"
    var orders = head
    for number in 0..<20_500 { orders += order("G-\(number)", of: "guest") }
    for number in 0..<22_500 { orders += order("O-\(number)", of: "U-\(number)") }
    let asOf = "2026-05-02T00:00:00Z"
    try await setup.ingest("orders", orders, asOf: asOf)
    for job in ["match", "detect"] { _ = try await setup.program(job, "--as-of", asOf) }
    try await setup.query("analyze payrecon.orders")
    try await setup.ingest("orders", head + order("G-NEW", of: "guest"), asOf: asOf)
    #expect(try await setup.program("match", "--as-of", asOf).status == 0)
    #expect(try await setup.query("select sum(cardinality(ids)) from payrecon.undetected where kind = 'order'") == "20501")
    try await Self.expectCurrent(setup, asOf: asOf)
    _ = try await setup.program("detect", "--as-of", asOf)
    #expect(try await setup.count("undetected") == 0)
  }

  @Test func `a new end of access alone shows that an order is for the next period, so the night ends its match`() async throws {
    let setup = try await Setup()
    let first = ApplePurchase.month("600", original: "600", lineItem: "60", at: "2026-02-10T10:00:00Z", until: "2026-03-10T10:00:00Z")
    let renewal = ApplePurchase.month(
      "601", original: "600", lineItem: "61", at: "2026-03-10T10:00:00Z", until: "2026-04-10T10:00:00Z", isRenewal: true)
    let head = "order_id,bundle_id,product_id,user_id,status,created_at,transaction_id,entitlement_expires_at,updated_at\n"
    func order(_ id: String, created: String, _ transaction: String, until: String, updated: String) -> String {
      "\(id),com.acme.reader,vip.month,U1,delivered,\(created),\(transaction),\(until),\(updated)\n"
    }
    func second(until: String, updated: String) -> String {
      order("PO-61", created: "2026-04-10T09:00:00Z", "", until: until, updated: updated)
    }
    let nights: [(asOf: String, orders: String, rung: String)] = [
      (
        "2026-04-10T09:30:00Z",
        order("PO-60", created: "2026-02-10T09:59:00Z", "600", until: "2026-03-10T10:00:00Z", updated: "2026-02-10T09:59:00Z")
          + second(until: "2026-04-10T10:00:00Z", updated: "2026-04-10T09:00:00Z"), "M4"
      ),
      ("2026-04-10T09:50:00Z", second(until: "2026-05-10T10:00:00Z", updated: "2026-04-10T09:40:00Z"), ""),
    ]
    try await setup.ingest("apple", [first, renewal].map { Scenario.sign($0) + "\n" }.joined(), asOf: nights[0].asOf)
    for night in nights {
      try await setup.ingest("orders", head + night.orders, asOf: night.asOf)
      #expect(try await setup.program("match", "--as-of", night.asOf).status == 0)
      #expect(try await setup.query("select rung from payrecon.matches where order_id = 'PO-61'") == night.rung)
      try await Self.expectCurrent(setup, asOf: night.asOf)
    }
  }

  @Test func `every match run records the tokens that users share, because rules treat their holders as one person`() async throws {
    let setup = try await Setup()
    let asOf = "2026-05-02T00:00:00Z"
    let nights: [(users: String, match: [String], shared: String)] = [
      ("A,1 B,1 C,2", [], "1"), ("D,2 E,3", [], "1,2"), ("F,3", ["--full", "--partitions", "2"], "1,2,3"),
    ]
    for night in nights {
      let rows = night.users.split(separator: " ").map { "\($0.dropLast())aaaaaaaa-0000-4000-8000-00000000000\($0.last ?? "0")\n" }
      try await setup.ingest("users", "user_id,app_account_token\n" + rows.joined(), asOf: asOf)
      #expect(try await setup.program.run([Program.path, "match", "--as-of", asOf] + night.match).status == 0)
      let shared = "select string_agg(right(app_account_token, 1), ',' order by app_account_token) from payrecon.shared_tokens"
      #expect(try await setup.query(shared) == night.shared)
    }
  }

  /// Verifies that an idle run reports the same counts as a full run, and that a changed match state is passed on.
  private static func expectIdleRunSaysTheSame(_ setup: Setup) async throws {
    let full = try await setup.program("match", "--full", "--as-of", Setup.asOf)
    #expect(full.text.hasPrefix("match: created 0, closed 0, ambiguous charges ") && !full.text.hasSuffix("refused claims 0\n"))
    #expect(try await setup.program("match", "--as-of", Setup.asOf).text == full.text)
    let columns =
      "order_id,bundle_id,product_id,user_id,environment,app_account_token,transaction_id,original_transaction_id,"
      + "web_order_line_item_id,evidence_sha256,device_id"
    let row = try await setup.query(
      """
      select concat_ws(',', \(columns.split(separator: ",").map { "coalesce(orders.\($0), '')" }.joined(separator: ",")),
        payrecon.rfc3339(orders.created_at), coalesce(payrecon.rfc3339(orders.entitlement_expires_at), ''))
      from payrecon.v_orders as orders inner join payrecon.matches using (order_id)
      where matches.rung = 'M2' and orders.status = 'delivered'
        -- A new state of an order whose charge another order claims may change that claim's class.
        and order_id not in (select counterpart from payrecon.refused_claims where counterpart is not null)
      order by order_id limit 1
      """)
    try await setup.ingest(
      "orders", "\(columns),created_at,entitlement_expires_at,status,updated_at\n\(row),refunded,2026-11-18T23:00:00Z\n")
    #expect(try await setup.query("select distinct kind from payrecon.changes") == "order_state")
    #expect(try await setup.program("match", "--as-of", Setup.asOf).text == full.text)
    #expect(try await setup.count("undetected where kind in ('order_state', 'chain_state')") == 2)
    try await expectCurrent(setup, asOf: Setup.asOf)
  }

  /// Verifies that a run in partitions also decides an order that arrives during the run and claims a charge of another partition.
  /// One of two helping processes is killed.
  private static func expectPartitionsIncludeLaterOrders(_ setup: Setup, _ taken: [String]) async throws {
    let ended = try await setup.query("select count(*) from payrecon.ended_matches")
    let blocker = try await setup.block("partition_matches")
    async let cut = setup.program("match", "--full", "--partitions", "3", "--workers", "1", "--as-of", Setup.asOf)
    #expect(try await setup.waitForLock(on: "partition_matches"))
    async let joined = setup.program("match", "--join", "--as-of", Setup.asOf)
    let isWaiting = Flag()
    async let killed = setup.program("match", "--join", "--as-of", Setup.asOf, kill: .when { isWaiting.isSet })
    #expect(try await setup.waitForLock(on: "partition_matches", by: 3))
    isWaiting.set()
    #expect(try await killed.signal == SIGKILL)
    try await setup.ingest(
      "orders", Setup.table(["LATE-2,\(taken[1]),\(taken[2]),LATE-USER-2,paid,2026-01-01T00:00:00Z,,,\(taken[0])"]))
    await blocker.close()
    let run = try await cut
    #expect(run.text.hasPrefix("match: created 0, closed 0, "), "\(run.text)\(run.complaint)")
    let help = try await joined
    #expect(help.text.hasSuffix(" partitions decided\n") && help.text != "match: 0 partitions decided\n", "\(help.text)\(help.complaint)")
    #expect(try await setup.program("match", "--join").text == "match: no run in partitions is under way with these settings\n")
    #expect(try await setup.count("changes") == 0)
    #expect(try await setup.query("select class from payrecon.refused_claims where order_id = 'LATE-2'") == "REPLAY_MULTI_USER")
    #expect(try await setup.query("select count(*) from payrecon.ended_matches") == ended)
    try await expectCurrent(setup, asOf: Setup.asOf)
  }

  @Test func selfCheckRepairsStaleMatches() async throws {
    let (world, setup) = (try await Worlds.shared.directory(orders: Self.orders), try await Self.setup())
    _ = try await setup.program("match", "--as-of", Setup.asOf)
    let before = try await setup.export("matches")
    // Simulated tampering: a match is deleted without a recorded change.
    _ = try await setup.query(
      """
      with gone as (
        delete from payrecon.matches
        where order_id in (select order_id from payrecon.matches where rung = 'M2')
        returning order_id
      )
      delete from payrecon.matched_orders where order_id in (select order_id from gone)
      """)
    _ = try await setup.program("match", "--as-of", Setup.asOf)
    #expect(try await setup.export("matches") != before)
    let night = try await setup.nightly("\(world)/inbox")
    #expect(night.text.contains("self-check") || night.complaint.contains("self-check"), "\(night.text)")
    #expect(try await Self.pairs(setup.export("matches")) == Self.pairs(before))
    try await Self.expectCurrent(setup, asOf: Setup.asOf)
  }

  /// Returns order, charge and rung of every match. The run is left out, because a recreated match names another one.
  private static func pairs(_ export: [UInt8]) throws -> [String] {
    CSVRows.decode(export).cells("order_id charge_id rung")
  }

  @Test func changedSettingsDecideEverything() async throws {
    var setup = try await Self.setup()
    #expect(try await setup.query("select count(*) from payrecon.matches where rung = 'M6'") != "0")
    let settings = try Setup.text(setup.program.environment["PAYRECON_CONFIG"] ?? "")
    setup.program.environment["PAYRECON_CONFIG"] = try setup.write("payrecon.yaml", settings.replacing("window: 24h", with: "window: 1s"))
    try await setup.program("match", "--as-of", Setup.asOf, exits: 0)
    try await Self.expectCurrent(setup, asOf: Setup.asOf)
  }
}
