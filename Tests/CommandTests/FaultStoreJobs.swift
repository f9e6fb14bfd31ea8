import FoundationEssentials

extension FaultJob {
  private static let subscribers = 60
  private static let purchases = 60
  private static let refunds = 12
  /// A statement with the counts of each list, summed over all its batches.
  private static let counts = """
    select file_name, sum(input_count), sum(accepted_count), sum(repeated_count), sum(parked_count), max(newest_fact_at)
    from payrecon.batches where content_sha256 = '' group by 1 having sum(input_count) > 0 order by 1
    """

  /// Returns the jobs that query Apple or depend on its answers, with a populated store.
  static func ofStore(_ store: AppStoreSimulator, _ setup: Setup) async throws -> [FaultJob] {
    let first = store.now
    try fill(store)
    try shelve([29, 30].map { String((first + .days($0)).text.prefix(10)) }, in: store, setup)
    await store.advance(to: store.now)
    let early = Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339
    try await read(store, setup, asOf: early)
    let planned = (first + .days(29)).text
    await store.advance(to: first + .days(32))
    let late = Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339
    try await keepReceipts(store, setup, asOf: late)
    try FileManager.default.createDirectory(atPath: "\(setup.directory)/inbox", withIntermediateDirectories: true)
    let facts = ["evidence", "transactions", "charges", "subscriptions", "renewals-to-book"]
    let collections = """
      select job, bundle_id, environment, subject, cursor, window_from, window_to, collected_to
      from payrecon.collections order by 1, 2, 3, 4;
      \(counts)
      """
    let plans = """
      select row(member.*), row(forecast.*), row(plan.*)
      from payrecon.renewal_plans as plan
      left join payrecon.renewal_plan_members as member using (bundle_id, due_day)
      left join payrecon.renewal_forecasts as forecast using (bundle_id, due_day)
      order by 1, 2, 3
      """
    // Receipts are those of half of the customers, through verifyReceipt.
    return ["notifications", "transactions", "refunds", "receipts"].map { kind in
      job("collect \(kind)", ["collect", kind, "--as-of", late], facts, query: collections, asOf: late)
    } + [
      finance(late), lookup(store, late),
      job("renewals plan", ["renewals", "plan", "--as-of", planned], ["subscriptions"], query: plans, isBase: true, asOf: planned),
      FaultJob(
        name: "renewals poll", words: ["renewals", "poll", "--worker", "one", "--lease", "1m", "--as-of", late], lists: facts,
        query: "select * from payrecon.polls order by 1, 2, 3, slot_at; \(counts)",
        doneQuery: "select count(*) = \(subscribers) from payrecon.polls",
        repair: "update payrecon.poll_queue set lease_until = lease_until - interval '2 minutes'", isBase: true, asOf: late),
      job(
        "renewals settle", ["renewals", "settle", "--as-of", late],
        query: "select * from payrecon.renewal_outcomes order by 1, 2, 3, settled_at",
        isBase: true, asOf: late),
      job("report renewals", ["report", "renewals", "--out", "report", "--as-of", late], folder: "report", asOf: late),
      posts(store, late, inbox: "\(setup.directory)/inbox"),
    ]
  }

  /// Returns the download of Apple's sales of some days, each requested separately. Number and time of the requests may differ.
  private static func finance(_ late: String) -> FaultJob {
    var collect = job("collect finance", ["collect", "finance", "--as-of", late], ["finance-lines"], asOf: late)
    collect.query = """
      select vendor, report, period, outcome, content_sha256 from payrecon.finance_downloads order by 1, 2, 3;
      select kind, sum(accepted_count), sum(repeated_count), sum(parked_count) from payrecon.batches where kind = 'finance' group by 1
      """
    collect.doneQuery = "select count(*) = 2 from payrecon.finance_downloads where outcome = 'report'"
    // Another test covers Apple's rate limit.
    collect.repair = "delete from payrecon.api_budgets"
    return collect
  }

  /// Publishes SALES of some days, one unit of one product each, and requests them in the settings.
  private static func shelve(_ days: [String], in store: AppStoreSimulator, _ setup: Setup) throws {
    let vendor = "85000000"
    store.changeReports { reportStore in
      reportStore.vendors = [vendor]
      for day in days {
        reportStore.reports[ReportStore.Key("SALES", vendor: vendor, period: day)] = FinanceFiles.sales(day)
      }
    }
    try setup.wantSales(of: vendor, from: days[0], to: days[days.count - 1])
  }

  /// Returns the look-up of a renewal without a notification.
  private static func lookup(_ store: AppStoreSimulator, _ late: String) -> FaultJob {
    let renewals = store.change(.production) { $0.notifications }.filter { $0.type == "DID_RENEW" }
    let id = renewals.last?.transaction.id ?? ""
    return job("lookup", ["lookup", id, "--as-of", late], ["evidence", "transactions", "charges"], asOf: late)
  }

  /// Returns a night with the posts of all events queued.
  private static func posts(_ store: AppStoreSimulator, _ late: String, inbox: String) -> FaultJob {
    let bodies = store.change(.production) { $0.notifications }.map {
      String(decoding: store.body(of: $0, .production), as: UTF8.self)
    }
    var night = job(
      "nightly with posts", ["nightly", "--inbox", inbox, "--out", "report", "--as-of", late],
      ["orders", "evidence", "transactions", "charges", "matches", "breaks", "subscriptions"], folder: "report",
      asOf: late)
    let rows = bodies.map { "('\(late)', convert_to('\($0)', 'UTF8'))" }
    night.preparation = "insert into payrecon.received_notifications (received_at, body) values \(rows.joined(separator: ", "))"
    night.query = "select count(*) from payrecon.received_notifications"
    return night
  }

  private static func fill(_ store: AppStoreSimulator) throws {
    try store.change(.production) { store in
      var bought: [String] = []
      for number in 0..<max(subscribers, purchases) {
        let name = try store.addCustomer("C\(number)")
        if number < subscribers { try store.buy("com.example.reader.gold.monthly", for: name) }
        if number < purchases { bought.append(try store.buy("com.example.reader.coins.100", for: name)) }
        store.advance(to: store.now + .minutes(1))
      }
      for id in bought.prefix(refunds) { try store.refund(id) }
    }
  }

  /// Ingests all purchases except every second coin purchase, and orders that name all of them, without any refunds.
  private static func read(_ store: AppStoreSimulator, _ setup: Setup, asOf: String) async throws {
    let all = store.change(.production) { $0.notifications }
    let coins = all.filter { $0.type == "ONE_TIME_CHARGE" }
    let sent = all.filter { $0.type == "SUBSCRIBED" } + coins.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let lines = sent.map { String(decoding: store.body(of: $0, .production), as: UTF8.self) }
    let orders = coins.enumerated().map { number, notification in
      let at = notification.signedAt.text
      return "O\(number),com.example.reader,com.example.reader.coins.100,U\(number),delivered,\(at),\(notification.transaction.id)"
    }
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,transaction_id"
    try await setup.ingest("apple", lines.joined(separator: "\n") + "\n", asOf: asOf)
    try await setup.ingest("orders", Setup.table(header, orders), asOf: asOf)
  }

  /// Stores receipts as clients uploaded them, each named by an order without a charge.
  private static func keepReceipts(_ store: AppStoreSimulator, _ setup: Setup, asOf: String) async throws {
    let names = (0..<purchases).filter { $0 % 2 == 1 }
    let receipts = names.map { store.receipt(of: "C\($0)", .production) }
    let hashes = receipts.map { SHA256.hex(Array($0.utf8)) }
    let rows = zip(hashes, receipts).map { hash, receipt in
      "('\\x\(hash)'::bytea, 'receipt', 'genuine', '\"\"', 'com.example.reader', '', 'client', convert_to('\(receipt)', 'UTF8'), 1, "
        + "'\(asOf)'::timestamptz, '\(asOf)'::timestamptz)"
    }
    try await setup.query(
      """
      insert into payrecon.evidence (sha256, kind, verdict, reason, bundle_id, environment, source, body, batch_id, signed_at, received_at)
      values \(rows.joined(separator: ", "))
      """)
    for (name, hash) in zip(names, hashes) {
      try await setup.query("update payrecon.orders set evidence_sha256 = '\\x\(hash)' where order_id = 'O\(name)'")
    }
  }
}
