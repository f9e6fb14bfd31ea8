/// New orders are copied into their table, all others are compared. A first load builds the indexes at its end.
@Suite(.cleansUp) struct OrderLoadTests {
  private static let clock = "2026-05-14T12:00:00Z"
  private static let indexes = "select indexdef from pg_indexes where schemaname = 'payrecon' and tablename = 'orders' order by 1"
  /// Orders per hour, counted from the orders themselves and as ingestion counted them.
  private static let countedHours = """
    select concat_ws(' ', bundle_id, environment, date_trunc('hour', updated_at, 'UTC'), count(*), max(updated_at))
    from payrecon.orders where updated_at <= '2026-05-14T12:05:00Z' group by bundle_id, environment, date_trunc('hour', updated_at, 'UTC')
    order by 1
    """
  private static let keptHours = """
    select concat_ws(' ', bundle_id, environment, fact_hour, sum(row_count - replaced_count), max(newest_fact_at))
    from payrecon.input_hours where kind = 'orders' and fact_hour < 'infinity'
    group by bundle_id, environment, fact_hour order by 1
    """

  private let scenario: Scenario
  private let before: [String]

  init() async throws {
    scenario = try await Scenario()
    before = try await scenario.answers(Self.indexes)
  }

  private static func order(_ number: Int, at createdAt: String = "2026-05-10T10:00:00Z", price: Int64 = 6000) -> TestOrder {
    TestOrder("PO-\(number + 100_000)", user: "U\(number % 97)", at: createdAt) {
      ($0.priceMilliunits, $0.updatedAt, $0.deviceID) = (price, createdAt, "D\(number % 89)")
    }
  }

  @Test func aFirstLoadOfSeveralTransactionsEndsWithItsIndexes() async throws {
    let count = 20_500
    let orders = (0..<count).map { Self.order($0, at: "2026-05-\(10 + $0 % 3)T\(10 + $0 % 7):00:00.25Z") }
    let tally = try await scenario.orders(orders, asOf: Self.clock)
    #expect(tally == Tally(input: count, accepted: count))
    #expect(try await scenario.answers(Self.indexes) == before)
    #expect(try await scenario.answers("select index_name from payrecon.deferred_indexes") == [])
    let noted = "select count(distinct id)::text from payrecon.changes, unnest(ids) as id where kind = 'order'"
    #expect(try await scenario.answers(noted) == ["\(count)"])
    #expect(try await scenario.answers(Self.keptHours) == scenario.answers(Self.countedHours))
  }

  /// The next load or match run builds the missing indexes. An index that was created by hand is kept.
  @Test(arguments: [(false, false), (false, true), (true, false)])
  func theRunAfterAKilledLoadBuildsItsIndexes(isMatch: Bool, hasIndexByHand: Bool) async throws {
    #expect(try await scenario.answers("select payrecon.defer_order_indexes()::text") == ["true"])
    #expect(try await scenario.answers(Self.indexes).count == 1)
    // The load was killed after a transaction. Its rows are stored and can be looked up.
    #expect(try await scenario.answers("select count(*)::text from payrecon.orders where user_id = 'U1'") == ["0"])
    if hasIndexByHand {
      let first = "select definition from payrecon.deferred_indexes order by index_name limit 1"
      try await scenario.execute(#require(try await scenario.answers(first).first))
    }
    if isMatch {
      try await scenario.decide(asOf: Self.clock)
    } else {
      try await scenario.orders([Self.order(1)], asOf: Self.clock)
    }
    #expect(try await scenario.answers("select index_name from payrecon.deferred_indexes") == [])
    #expect(try await scenario.answers(Self.indexes) == before)
  }

  @Test func `a match run during a load goes on without the indexes, and the next one builds them`() async throws {
    let load = try await scenario.session(role: nil)
    try await load.executeAlone("select pg_advisory_lock(\(JobLock.orders.rawValue))")
    #expect(try await scenario.answers("select payrecon.defer_order_indexes()::text") == ["true"])
    let deferred = "select index_name from payrecon.deferred_indexes order by index_name"
    let names = try await scenario.answers(deferred)
    #expect(names.count == before.count - 1)
    try await scenario.decide(asOf: Self.clock)
    #expect(try await scenario.answers(deferred) == names)
    #expect(try await scenario.answers(Self.indexes).count == 1)
    try await load.transaction { tx in try tx.execute("select pg_advisory_unlock(\(JobLock.orders.rawValue))") }
    try await scenario.decide(asOf: Self.clock)
    #expect(try await scenario.answers(deferred) == [])
    #expect(try await scenario.answers(Self.indexes) == before)
  }

  @Test func indexesOfFilledOrReadOrdersStay() async throws {
    let reader = try await scenario.session(role: nil)
    let file = try Self.file("select count(*)::text from payrecon.orders", "reader", scenario)
    let deferred = try Self.file("select payrecon.defer_order_indexes()::text", "deferred", scenario)
    let other = try await scenario.session(role: nil)
    let started = AsyncStream.makeStream(of: Void.self)
    async let read: Void = reader.transaction { tx in
      _ = try tx.rows(file)
      started.continuation.finish()
      try tx.execute("select pg_sleep(1)")
    }
    for await _ in started.stream {}
    #expect(try await other.transaction { tx in try tx.rows(deferred) } == ["false"])
    try await read
    try await scenario.orders([Self.order(1)], asOf: Self.clock)
    #expect(try await other.transaction { tx in try tx.rows(deferred) } == ["false"])
    #expect(try await scenario.answers(Self.indexes) == before)
  }

  @Test func `two ids that are equivalent in Unicode belong to different users and apps`() async throws {
    let (composed, decomposed) = ("Jos\u{E9}", "Jose\u{301}")
    func order(_ id: String, user: String, at createdAt: String = "2026-05-12T10:00:00Z") -> TestOrder {
      TestOrder(id, user: user, at: createdAt) { $0.bundleID = "com.acme.\(user)" }
    }
    try await scenario.orders([order("PO-1", user: composed, at: "2026-05-10T10:00:00Z")], asOf: "2026-05-11T12:00:00Z")
    let pseudonym = try await EraseJob(context: scenario.context(asOf: "2026-05-11T18:00:00Z"))
      .run(userID: composed, by: .ann, reason: "ticket 1", isDryRun: false).pseudonym
    try await scenario.orders(
      [order("PO-2", user: decomposed), order("PO-3", user: composed), order("PO-4", user: decomposed)], asOf: Self.clock)
    let owners = """
      select concat_ws(' ', order_id, user_id = '\(decomposed)', user_id = '\(pseudonym)') from payrecon.orders order by order_id
      """
    #expect(try await scenario.answers(owners) == ["PO-1 f t", "PO-2 t f", "PO-3 f t", "PO-4 t f"])
    // Compares numbers, because Swift equates the two app ids.
    let hours = """
      select string_agg(row_count::text, ' ' order by row_count)
      from (
        select sum(row_count)::integer as row_count
        from payrecon.input_hours where kind = 'orders' group by bundle_id, environment, fact_hour) as hour
      """
    #expect(try await scenario.answers(hours) == ["1 1 2"])
  }

  /// An erased user who also booked orders as an employee.
  @Test func erasedOperatorsGetTheirPseudonym() async throws {
    func order(_ id: String, at updatedAt: String) -> TestOrder {
      TestOrder(id, user: id == "PO-1" ? "U1" : "U2", at: "2026-05-10T10:00:00Z") { ($0.operatorID, $0.updatedAt) = ("U1", updatedAt) }
    }
    for day in ["2026-05-10T10:00:00Z", "2026-05-10T11:00:00Z"] {
      try await scenario.orders(["PO-1", "PO-2"].map { order($0, at: day) }, asOf: "2026-05-11T12:00:00Z")
    }
    let pseudonym = try await EraseJob(context: scenario.context(asOf: "2026-05-11T18:00:00Z"))
      .run(userID: "U1", by: .ann, reason: "ticket 1", isDryRun: false).pseudonym
    try await scenario.orders(["PO-2", "PO-3"].map { order($0, at: "2026-05-12T10:00:00Z") }, asOf: Self.clock)
    let operators = """
      select distinct operator_id from (
        select operator_id from payrecon.orders union all select operator_id from payrecon.order_versions) as booked
      """
    #expect(try await scenario.answers(operators) == [pseudonym])
    let owners = "select order_id from payrecon.orders where user_id = 'U2' order by order_id"
    #expect(try await scenario.answers(owners) == ["PO-2", "PO-3"])
  }

  /// One file with orders that are new, known, changed, older than known, and repeated in the file.
  @Test func aMixedFileIsCountedRowByRow() async throws {
    let known = (0..<6).map { Self.order($0, at: "2026-05-11T10:00:00Z") }
    try await scenario.orders(known, asOf: "2026-05-13T12:00:00Z")
    let mixed =
      (0..<3).map { Self.order($0, at: "2026-05-11T10:00:00Z") }
      + [Self.order(3, at: "2026-05-12T10:00:00Z", price: 7000), Self.order(4, at: "2026-05-09T10:00:00Z", price: 5000)]
      + (10..<15).map { Self.order($0) }
      // Two versions in one file, of which the later one counts at any position, and the same row twice.
      + [Self.order(20, at: "2026-05-12T10:00:00Z"), Self.order(20), Self.order(21), Self.order(21)]
      // Dated in the future, so no hour counts it. A changed order counts in its new hour alone.
      + [Self.order(30, at: "2090-06-01T00:00:00Z")]
    let tally = try await scenario.orders(mixed.reversed(), asOf: Self.clock)
    #expect(tally == Tally(input: 15, accepted: 9, repeated: 4, ignored: 2))
    let totals = "select count(*) || ' ' || sum(price_milliunits) from payrecon.orders"
    #expect(try await scenario.answers(totals) == ["14 85000"])
    let changed = """
      select string_agg(distinct substr(id, 6), ',' order by substr(id, 6)) from payrecon.changes, unnest(ids) as id
      where batch_id = (select max(batch_id) from payrecon.changes) and kind in ('order', 'order_state')
      """
    #expect(try await scenario.answers(changed) == ["0003,0010,0011,0012,0013,0014,0020,0021,0030"])
    #expect(try await scenario.answers(Self.keptHours) == scenario.answers(Self.countedHours))
  }

  private static func file(_ query: String, _ name: String, _ scenario: Scenario) throws -> StatementFile<String> {
    try scenario.write("\(name).sql", query)
    return try SQLFiles(directory: scenario.directory)(Statement("\(name).sql", gives: .text))
  }
}
