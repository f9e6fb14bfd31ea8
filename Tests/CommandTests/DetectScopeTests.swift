/// A detect run evaluates only changed or due subjects. The stored breaks must equal those of a full run.
@Suite(.cleansUp) struct DetectScopeTests {
  private static let orders = 800
  private static let header = "break_id,class,change,order_id,charge_id,detail,signal_id,rule,state,subject\n"

  /// An environment where both jobs already evaluate only changes.
  private let setup: Setup

  init() async throws { setup = try await Self.base.value.copy() }

  private static let base = Task<Setup, any Error> {
    try await CleanUp.shared {
      let setup = try await Worlds.shared.night(orders: orders).setup.copy()
      for _ in 0..<2 { for job in ["match", "detect"] { _ = try await setup.program(job, "--as-of", Setup.asOf) } }
      return setup
    }
  }

  /// Verifies that a full run would change neither breaks nor signals.
  private func expectCurrent(asOf: String) async throws {
    try await setup.program("detect", "--full", "--dry-run", "--as-of", asOf, text: Self.header)
    let lists = ["pending", "signals"]
    let before = try await setup.exports(lists, asOf: asOf)
    _ = try await setup.program("detect", "--full", "--as-of", asOf)
    #expect(try await setup.exports(lists, asOf: asOf) == before)
    // Later runs evaluate only changes again.
    _ = try await setup.program("detect", "--as-of", asOf)
  }

  @Test func timeOpensBreaksAndEndsSignals() async throws {
    #expect(try await setup.count("pending_breaks") > 0)
    #expect(try await setup.count("detect_due") > 0)
    for asOf in ["2026-11-19T12:00:00Z", "2026-11-22T00:00:00Z", "2027-03-01T00:00:00Z", "2028-01-01T00:00:00Z"] {
      try await setup.program("detect", "--as-of", asOf, exits: 0, 1)
      try await expectCurrent(asOf: asOf)
    }
    #expect(try await setup.count("pending_breaks") == 0)
    #expect(try await setup.count("detect_due") == 0)
    // An earlier clock decides nothing.
    #expect(try await setup.program("detect", "--as-of", "2026-11-20T00:00:00Z").status == 64)
  }

  @Test func onlyTheComponentIsEvaluatedUntilTheNight() async throws {
    let open = "select string_agg(break_id, ' ' order by break_id) from payrecon.open_breaks"
    let before = try await setup.query(open)
    // Simulated tampering: order breaks are deleted without a recorded change.
    _ = try await setup.query(
      """
      with gone as (delete from payrecon.open_breaks where subject_id like 'order:%' returning break_id)
      delete from payrecon.break_events where break_id in (select break_id from gone)
      """)
    _ = try await setup.program("detect", "--as-of", Setup.asOf)
    #expect(try await setup.query(open) != before)
    // A change leads to the evaluation of its component only.
    try await setup.ingest(
      "orders", Setup.table(["NEAR-1,com.acme.reader,coins60,NEAR-USER,paid,2026-01-01T00:00:00Z,990,USD,"]))
    for job in ["match", "detect"] { _ = try await setup.program(job, "--as-of", Setup.asOf) }
    #expect(try await setup.query("select class from payrecon.break_events where order_id = 'NEAR-1'") == "ORDER_NO_TX")
    #expect(try await setup.query(open) != before)
    let night = try await setup.program("nightly", "--as-of", Setup.asOf, "--out", "report")
    #expect(night.text.contains("self-check") || night.complaint.contains("self-check"), "\(night.text)")
    #expect(
      try await setup.query("\(open) where break_id not in (select break_id from payrecon.break_events where order_id = 'NEAR-1')")
        == before)
    try await expectCurrent(asOf: Setup.asOf)
  }

  /// Orders with only another state are evaluated without matching. The result equals that of a full run.
  @Test func changedOrderStatesAreEvaluatedWithoutMatching() async throws {
    let columns = [
      "order_id", "bundle_id", "product_id", "user_id", "status", "created_at", "environment", "quantity", "price_milliunits",
      "currency", "app_account_token", "transaction_id", "original_transaction_id", "web_order_line_item_id", "device_id",
      "evidence_sha256", "paid_at", "delivered_at", "refunded_at", "entitlement_expires_at",
    ]
    let changed = [
      // Refunded only in our orders, paid but not delivered, another price, longer access, unchanged.
      "set status = 'refunded', refunded_at = '2026-11-18T00:00:00Z' where number % 50 = 0 and status = 'delivered'",
      "set status = 'paid', delivered_at = null where number % 50 = 1 and status = 'delivered'",
      "set price_milliunits = price_milliunits + 1000 where number % 50 = 2",
      "set entitlement_expires_at = entitlement_expires_at + interval '90 days' where number % 50 = 3",
      "set quantity = quantity + 1 where number % 50 = 4", "set currency = 'SEK' where number % 50 = 5",
    ]
    _ = try await setup.query(
      "create table public.numbered as select *, row_number() over (order by order_id) as number from payrecon.orders")
    for change in changed { _ = try await setup.query("update public.numbered \(change)") }
    let fields = columns.map { "coalesce(\(Self.text($0)), '')" }.joined(separator: ", ")
    let rows = try await setup.query(
      """
      select string_agg(concat_ws(',', '2026-11-18T23:00:00Z', \(fields)), E'\n')
      from public.numbered where number % 50 < 7
      """)
    try await setup.ingest("orders", "updated_at,\(columns.joined(separator: ","))\n\(rows)\n")
    #expect(try await setup.query("select string_agg(distinct kind, ' ') from payrecon.changes") == "order order_state")
    try await setup.program("match", "--as-of", Setup.asOf, exits: 0, 1)
    // Most orders go to detect unchanged. Only orders without a match, or with a match by time alone, were matched again.
    #expect(
      try await setup.query(
        """
        select sum(cardinality(ids)) filter (where kind = 'order_state') > sum(cardinality(ids)) filter (where kind = 'order')
        from payrecon.undetected
        """) == "t")
    let events = try await setup.count("break_events")
    _ = try await setup.program("detect", "--as-of", Setup.asOf)
    #expect(try await setup.count("break_events") > events + 50)
    try await expectCurrent(asOf: Setup.asOf)
    try await setup.program("match", "--full", "--dry-run", "--as-of", Setup.asOf, text: "change,order_id,charge_id,rung\n")
    for asOf in ["2026-11-19T12:00:00Z", "2026-11-24T00:00:00Z", "2027-03-01T00:00:00Z"] {
      _ = try await setup.program("detect", "--as-of", asOf)
      try await expectCurrent(asOf: asOf)
    }
  }

  private static func text(_ column: String) -> String {
    column.hasSuffix("_at") ? "payrecon.rfc3339(\(column))" : "\(column)::text"
  }

  @Test func newPricesAndListsAreEvaluatedEverywhere() async throws {
    let product = try await setup.query(
      """
      select product_id || ' ' || currency from payrecon.charges
      where environment = 'Production' and price_milliunits > 0 and offer_type is null and not is_renewal
      group by 1 order by count(*) desc limit 1
      """
    ).split(separator: " ").map(String.init)
    let bundle = try await setup.query("select min(bundle_id) from payrecon.products where product_id = '\(product[0])'")
    let type = try await setup.query("select min(type) from payrecon.products where product_id = '\(product[0])'")
    try await setup.ingest(
      "catalogue",
      "bundle_id,product_id,type,storefront,currency,price_milliunits,valid_from\n"
        + "\(bundle),\(product[0]),\(type),,\(product[1]),123456000,2020-01-01T00:00:00Z\n")
    _ = try await setup.program("detect", "--as-of", Setup.asOf)
    try await expectCurrent(asOf: Setup.asOf)
    let user = try await setup.query("select min(user_id) from payrecon.signal_events where user_id is not null")
    try await setup.program(
      "lists", "add", "tester", "user", user, "--owner", "ann", "--reason", "test", "--until", "2027-01-01T00:00:00Z", "--as-of",
      Setup.asOf, exits: 0)
    _ = try await setup.program("detect", "--as-of", "2026-11-19T12:00:00Z")
    try await expectCurrent(asOf: "2026-11-19T12:00:00Z")
  }
}
