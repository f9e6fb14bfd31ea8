import AppStoreSimulator
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// A job as it is started, and where to look for what it did.
struct FaultJob: Sendable {
  static let worldOrders = 1500

  var name: String
  var words: [String]
  /// Exported lists, at the clock of the job.
  var lists: [String] = []
  /// Folder of files that it writes.
  var folder: String?
  /// A statement whose rows must be the same.
  var query: String?
  /// A statement that is true once the job has nothing left to do.
  var doneQuery: String?
  /// What passing time would do to a dead worker's holdings.
  var repair: String?
  /// Whether what it prints counts.
  var hasOutput = false
  /// Whether the jobs after it build upon it.
  var isBase = false
  var asOf: String

  func outcome(_ desk: Desk, _ execution: Execution) async throws -> Outcome {
    var parts: [String: [UInt8]] = [:]
    for list in lists {
      let export = try await desk.program("export", list, "--as-of", asOf)
      try #require(export.status == 0, "export \(list): \(export.complaint)")
      parts["export \(list)"] = export.output
    }
    if let folder {
      for (name, bytes) in try Desk.files(in: "\(desk.directory)/\(folder)") { parts["file \(name)"] = bytes }
    }
    if let query { parts["query"] = Array(try await desk.query(query).utf8) }
    if hasOutput { parts["output"] = execution.output }
    return Outcome(parts: parts)
  }

  func isDone(_ desk: Desk) async throws -> Bool {
    guard let doneQuery else { return true }
    return try await desk.query(doneQuery) == "t"
  }

  // MARK: The night

  static func ofWorld(_ world: String) throws -> [FaultJob] {
    let clock = ["--as-of", Desk.asOf]
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(world)/inbox").sorted()
    let files = { (kind: String) in names.filter { $0.hasPrefix(kind) }.map { "\(world)/inbox/\($0)" } }
    let apple = names.filter { name in !["catalogue", "users", "orders"].contains { name.hasPrefix($0) } }
    let jobs = "\(world)/fault-jobs"
    try FileManager.default.createDirectory(atPath: jobs, withIntermediateDirectories: true)
    try Data(
      """
      name: match
      command: [match, --as-of, "{as_of}"]
      schedule: "0 0 * * *"
      time_zone: UTC
      window: previous_day
      catch_up: {policy: latest}
      attempts: 20
      timeout: 1m

      """.utf8
    ).write(to: URL(filePath: "\(jobs)/match.yaml"))
    let read = ["orders", "evidence", "parked", "transactions", "charges"]
    let decided = ["matches", "breaks", "pending", "signals", "cases"]
    return [
      job("nightly", ["nightly", "--inbox", "\(world)/inbox", "--out", "report"] + clock, read + decided, folder: "report"),
      job("ingest catalogue", ["ingest", "catalogue"] + files("catalogue") + clock, isBase: true),
      job("ingest users", ["ingest", "users"] + files("users") + clock, isBase: true),
      job("ingest orders", ["ingest", "orders"] + files("orders") + clock, ["orders"], isBase: true),
      job("ingest", ["ingest", "apple"] + apple.map { "\(world)/inbox/\($0)" } + clock, read, isBase: true),
      FaultJob(
        name: "run-due", words: ["run-due", "--jobs", jobs, "--lease", "3", "--as-of", "2026-11-19T00:00:30Z"],
        lists: ["matches"],
        doneQuery: "select exists (select from payrecon.job_windows where verdict in ('clean', 'pending', 'warnings', 'breaks'))",
        repair: """
          update payrecon.job_windows set lease_until = lease_until - interval '1 hour', retry_at = retry_at - interval '1 hour'
          where ended_at is null or not is_final
          """, asOf: Desk.asOf),
      job("match", ["match"] + clock, ["matches"], isBase: true),
      job("detect", ["detect"] + clock, decided, isBase: true),
      job("report", ["report", "all", "--out", "report"] + clock, folder: "report"),
      {
        var export = job("export", ["export", "charges"] + clock)
        export.hasOutput = true
        return export
      }(),
    ]
  }

  private static func job(
    _ name: String, _ words: [String], _ lists: [String] = [], folder: String? = nil, isBase: Bool = false,
    asOf: String = Desk.asOf
  ) -> FaultJob {
    FaultJob(name: name, words: words, lists: lists, folder: folder, isBase: isBase, asOf: asOf)
  }
}

// MARK: Apple

extension FaultJob {
  private static let subscribers = 60
  private static let purchases = 60
  private static let refunds = 12

  /// Jobs that ask Apple or follow from its answers, about a store that they find filled.
  static func ofStore(_ store: AppStoreSimulator, _ desk: Desk) async throws -> [FaultJob] {
    let first = store.now
    try fill(store)
    await store.advance(to: store.now)
    let early = Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339
    try await read(store, desk, asOf: early)
    let planned = (first + .days(29)).text
    await store.advance(to: first + .days(32))
    let late = Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339
    let facts = ["evidence", "transactions", "charges", "subscriptions", "renewals-to-book"]
    let collections = "select job, bundle_id, environment, subject, cursor, window_from, window_to, collected_to from payrecon.collections order by 1, 2, 3, 4"
    let jobs = ["notifications", "transactions", "refunds"].map { kind in
      var collect = job("collect \(kind)", ["collect", kind, "--as-of", late], facts, asOf: late)
      collect.query = collections
      return collect
    }
    var plan = job("renewals plan", ["renewals", "plan", "--as-of", planned], ["subscriptions"], isBase: true, asOf: planned)
    plan.query = """
      select row(member.*), row(forecast.*), row(plan.*)
      from payrecon.renewal_plans as plan
      left join payrecon.renewal_plan_members as member using (bundle_id, due_day)
      left join payrecon.renewal_forecasts as forecast using (bundle_id, due_day)
      order by 1, 2, 3
      """
    var poll = job(
      "renewals poll", ["renewals", "poll", "--worker", "one", "--lease", "1m", "--as-of", late], facts, isBase: true,
      asOf: late)
    poll.query = "select * from payrecon.polls order by 1, 2, 3, slot_at"
    poll.doneQuery = "select count(*) = \(subscribers) from payrecon.polls"
    poll.repair = "update payrecon.poll_queue set lease_until = lease_until - interval '2 minutes'"
    var settle = job("renewals settle", ["renewals", "settle", "--as-of", late], isBase: true, asOf: late)
    settle.query = "select * from payrecon.renewal_outcomes order by 1, 2, 3, settled_at"
    let report = job(
      "report renewals", ["report", "renewals", "--out", "report", "--as-of", late], folder: "report", asOf: late)
    return jobs + [plan, poll, settle, report]
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

  /// Reads the purchases but every other one of the coins, and orders that name all of them; nobody told of refunds.
  private static func read(_ store: AppStoreSimulator, _ desk: Desk, asOf: String) async throws {
    let all = store.change(.production) { $0.notifications }
    let coins = all.filter { $0.type == "ONE_TIME_CHARGE" }
    let told = all.filter { $0.type == "SUBSCRIBED" } + coins.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let lines = told.map { String(decoding: store.body(of: $0, .production), as: UTF8.self) }
    try desk.write("posts.ndjson", lines.joined(separator: "\n") + "\n")
    let orders = coins.enumerated().map { number, letter in
      let at = letter.signedAt.text
      return "O\(number),com.example.reader,com.example.reader.coins.100,U\(number),delivered,\(at),\(letter.transaction?.id ?? "")"
    }
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,transaction_id"
    try desk.write("orders.csv", ([header] + orders).joined(separator: "\n") + "\n")
    for (kind, file) in [("apple", "posts.ndjson"), ("orders", "orders.csv")] {
      let done = try await desk.program("ingest", kind, file, "--as-of", asOf)
      try #require(done.status == 0, "\(done.complaint)")
    }
  }
}
