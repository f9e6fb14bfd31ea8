import Foundation
import FoundationNetworking
import Glibc
import Synchronization

/// The notification endpoint under load during a database outage. Every post answered with 200 is stored once and completely.
@Suite(.serialized, .cleansUp) struct NotificationsUnderLoadTests {
  private static let posts = 2000
  /// Posts before the outage.
  private static let calmPosts = 500
  /// Posts in flight at once.
  private static let workers = 300
  /// Minimum number of posts in flight at the start of the outage.
  private static let inFlightMin = 100
  /// Posts in flight when the server is ordered to end.
  private static let lastPosts = 50

  @Test func everyPostAnswered200IsStoredOnce() async throws {
    let setup = try await Setup.withCluster()
    #expect(try await setup.program("init").status == 0)
    let posts = Post.load(count: Self.posts)
    let server = try await NotificationServerProcess.start(setup)
    let answers = try await Self.loadWithAStop(posts, server, setup)
    for (post, statuses) in zip(posts, answers) {
      #expect(statuses.last == 200, "post \(post.name): \(statuses)")
      #expect(statuses.dropLast().allSatisfy { $0 == 503 }, "post \(post.name): \(statuses)")
    }
    let last = Post.load(count: Self.posts + Self.lastPosts).suffix(Self.lastPosts)
    let lastAnswers = try await Self.loadWithATermination(Array(last), server, setup)
    let all = posts + last
    let allAnswers = answers + lastAnswers
    try await Self.expectQueued(all, allAnswers, setup)
    // The verdict is incomplete, because no orders were ever ingested.
    #expect(try await Self.nightly(setup).status == 3)
    #expect(try await setup.count("received_notifications") == 0)
    try await Self.expectEvidence(all, allAnswers, setup)
    #expect(try await Self.tablesWith(Post.secret, setup) == [])
  }

  @Test func `a queue whose length is a multiple of the transaction size is processed completely`() async throws {
    let setup = try await Setup()
    // Unsigned notifications of version 1 are not evidence, so these posts contain transactions.
    let rows = (1...1000).map { number in
      let jws = ApplePurchase("\(8000 + number)", at: "2026-05-01T00:00:00Z").jws
      return "(timestamptz '2026-05-01T00:00:00Z', convert_to('\(jws)', 'UTF8'))"
    }
    let session = try await Session.open(setup.connection)
    try await session.executeAlone("insert into payrecon.received_notifications (received_at, body) values \(rows.joined(separator: ", "))")
    await session.close()
    try await Self.nightly(setup)
    #expect(try await setup.count("received_notifications") == 0)
    #expect(try await setup.count("evidence") == 1000)
    #expect(try await setup.count("batches where state <> 'done'") == 0)
  }

  /// A post comes from a stranger. Only our own servers may add facts around evidence.
  @Test func strangersCannotSpeakForOurServers() async throws {
    let setup = try await Setup()
    let jws = ApplePurchase("2000000000001", at: "2026-05-01T00:00:00Z").jws
    let wrapper = Scenario.upload(jws, user: "thief", device: "stolen", order: "order-of-the-thief", at: "2026-05-01T00:00:00Z")
    let server = try await NotificationServerProcess.start(setup)
    let load = PostLoad([Post(kind: .unsigned, name: "wrapper", body: Array(wrapper.utf8))], to: server.url)
    await load.run(workers: 1)
    #expect(load.answers == [[200]])
    kill(server.process, SIGTERM)
    #expect(try await server.execution.value.status == 0)
    try await Self.nightly(setup)
    // The bytes are stored, but their claims about a user appear nowhere.
    let tables = try await Self.tablesWith("thief", setup).filter { $0 != "parked_items" && $0 != "evidence" }
    #expect(tables == [])
  }

  // MARK: Load

  /// Sends all posts, with a database restart in the middle.
  private static func loadWithAStop(_ posts: [Post], _ server: NotificationServerProcess, _ setup: Setup) async throws -> [[Int]] {
    let calm = PostLoad(Array(posts[..<calmPosts]), to: server.url)
    await calm.run(workers: workers)
    // The lock blocks all inserts, so that the posts of all workers are in flight. The first transaction may contain only hostile posts,
    // which are only counted.
    let blocker = try await setup.block("received_notifications", "refused_notifications")
    let load = PostLoad(Array(posts[calmPosts...]), to: server.url)
    async let running: Void = load.run(workers: workers)
    try await eventually("all workers wait for an answer") { load.inFlightCount == Self.workers }
    #expect(try await setup.waitForLock(on: "received_notifications", "refused_notifications"))
    #expect(load.inFlightCount >= inFlightMin)
    #expect(load.takenCount == 0)
    #expect(try await setup.program("database", "stop").status == 0)
    await blocker.close()
    // Every post in flight is refused and answered, and the load continues.
    try await eventually("the posts in flight are refused") { load.refusedCount >= 2 * Self.workers }
    #expect(try await setup.program("database", "start").status == 0)
    // A second restart while posts are being committed.
    try await eventually("posts are taken again") { load.takenCount >= Self.workers }
    #expect(try await setup.program("database", "stop").status == 0)
    #expect(try await setup.program("database", "start").status == 0)
    await running
    return calm.answers + load.answers
  }

  /// Posts while the server is ordered to end. It answers the posts in flight and exits.
  private static func loadWithATermination(_ posts: [Post], _ server: NotificationServerProcess, _ setup: Setup) async throws -> [[Int]] {
    // The first transaction may contain only hostile posts, which are only counted.
    let blocker = try await setup.block("received_notifications", "refused_notifications")
    let load = PostLoad(posts, to: server.url, triesMax: 1)
    async let running: Void = load.run(workers: posts.count)
    #expect(try await setup.waitForLock(on: "received_notifications", "refused_notifications"))
    // On a busy machine, the first posts may get 503 before the last ones arrive. A connection closed at its deadline gets no
    // answer.
    try await eventually("all are in flight, refused or lost") {
      load.inFlightCount + load.refusedCount + load.lostCount == posts.count
    }
    kill(server.process, SIGTERM)
    try await eventually("the server takes no connections any more") { !server.takesConnections() }
    // No client gets 200 for an unstored post. A client without an accepted connection sees it close.
    #expect(load.inFlightCount + load.lostCount + load.refusedCount == posts.count)
    await blocker.close()
    await running
    for (post, statuses) in zip(posts, load.answers) {
      // 0 means that the server had not accepted the connection and sent no answer.
      #expect([[200], [503], [0]].contains(statuses), "post \(post.name): \(statuses)")
    }
    let end = try await server.execution.value
    #expect(end.status == 0 && !end.isOverdue, "\(end.signal ?? 0) \(end.complaint.suffix(2000))")
    return load.answers
  }

  // MARK: Results

  /// Verifies that the queue contains every post answered with 200, and no other text.
  private static func expectQueued(_ posts: [Post], _ answers: [[Int]], _ setup: Setup) async throws {
    let lines = try await setup.query(
      "select encode(sha256(body), 'hex') || ' ' || count(*) from payrecon.received_notifications group by body")
    var stored: [String: Int] = [:]
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      stored[String(words[0])] = Int(words[1])
    }
    for (post, statuses) in zip(posts, answers) where !post.isHostile {
      let count = stored.removeValue(forKey: SHA256.hex(post.body)) ?? 0
      if statuses.last == 200 {
        // A refusal may come after the database stored the post. It is still stored once.
        #expect(count == 1, "post \(post.name), answered \(statuses), is there \(count) times")
      } else {
        #expect(count <= statuses.filter { $0 == 503 }.count, "post \(post.name), answered \(statuses)")
      }
    }
    // A text signed by Apple inside an unsigned one counts as if it had been posted alone.
    for post in posts where post.kind == .forged { stored[post.innerSHA256] = nil }
    #expect(stored.isEmpty, "\(stored.count) posts are stored that nobody sent so, or that Apple did not sign")
  }

  private static func expectEvidence(_ posts: [Post], _ answers: [[Int]], _ setup: Setup) async throws {
    let lines = try await setup.query(
      """
      select 'evidence ' || encode(sha256, 'hex') || ' ' || verdict from payrecon.evidence where kind = 'notification'
      union all
      select 'notification ' || notification_uuid || ' ' || count(*) from payrecon.notifications group by notification_uuid
      """)
    var verdicts: [String: String] = [:]
    var notifications: [String: String] = [:]
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "evidence" { verdicts[words[1]] = words[2] } else { notifications[words[1]] = words[2] }
    }
    try await expectQuarantine(posts, answers, setup)
    for (post, statuses) in zip(posts, answers) where !post.isHostile {
      let verdict = verdicts.removeValue(forKey: post.evidenceSHA256)
      let isDue = statuses.last == 200
      #expect(verdict == "genuine" || (verdict == nil && !isDue), "post \(post.name), answered \(statuses)")
      if isDue { #expect(notifications[post.name] == "1", "post \(post.name)") }
    }
    #expect(verdicts.isEmpty, "\(verdicts.count) items nobody posted")
    for kind in [Post.Kind.genuine, .forged, .unsigned] { #expect(posts.contains { $0.kind == kind }) }
    // Every item is counted with its result, and none was parked.
    #expect(try await setup.count("batches where input_count <> accepted_count + repeated_count + ignored_count") == 0)
  }

  /// Verifies that posts not signed by Apple were recognised on arrival: counted, sampled, and stored nowhere else.
  private static func expectQuarantine(_ posts: [Post], _ answers: [[Int]], _ setup: Setup) async throws {
    let due = zip(posts, answers).filter { $0.isHostile && $1.last == 200 }.count
    let sent = zip(posts, answers).filter { $0.0.isHostile }.reduce(0) { $0 + $1.1.count }
    let count = Int(try await setup.query("select sum(item_count) from payrecon.quarantine_counts")) ?? 0
    // A refusal may come after the database counted the post.
    #expect((due...sent).contains(count), "\(count) counted, \(due) answered 200")
    // No stored sample contains the secret of version 1.
    let kept = try await setup.query("select sha256 from payrecon.quarantined_items where verdict in ('forged', 'pending')")
    let names = Set(posts.filter(\.isHostile).map(\.evidenceSHA256))
    #expect(kept.split(separator: "\n").count >= due)
    #expect(kept.split(separator: "\n").allSatisfy { names.contains(String($0)) })
  }

  /// Returns the tables with a row that contains a text, as text or as bytes.
  private static func tablesWith(_ text: String, _ setup: Setup) async throws -> [String] {
    let names = try await setup.query("select tablename from pg_tables where schemaname = 'payrecon' order by 1")
    let hex = Hexadecimal.text(Array(text.utf8))
    let parts = names.split(separator: "\n").map { name in
      """
      select '\(name)' from payrecon.\(name) as t
      where t::text like '%\(text)%' or t::text like '%\(hex)%'
      """
    }
    return try await setup.query(parts.joined(separator: " union ")).split(separator: "\n").map(String.init)
  }

  // MARK: Environment

  @discardableResult
  private static func nightly(_ setup: Setup) async throws -> Execution {
    try await setup.patiently(["nightly", "--out", "report"], asOf: Setup.asOf)
  }

  /// Checks a condition every few milliseconds. The number of checks is limited so that the test ends.
  private static func eventually(_ what: String, _ holds: () -> Bool) async throws {
    for _ in 0..<20_000 {
      if holds() { return }
      try await Task.sleep(for: .milliseconds(3))
    }
    try #require(holds(), "never came: \(what)")
  }
}

/// A post and its expected result.
private struct Post: Sendable {
  enum Kind: Sendable {
    case genuine, forged
    /// A notification of version 1, which Apple does not sign.
    case unsigned
  }

  /// The shared secret that notifications of version 1 contain.
  static let secret = "5ecre7ofthewebhook0123456789abcd"

  var kind: Kind
  /// Notification UUID.
  var name: String
  var body: [UInt8]
  /// Expected hash in the evidence store.
  var evidenceSHA256 = ""
  /// Hash of the enclosed transaction.
  var innerSHA256 = ""

  /// Whether Apple did not sign the post.
  var isHostile: Bool { kind == .forged || kind == .unsigned }

  /// Returns posts of all kinds, the same at every call.
  static func load(count: Int) -> [Post] {
    (0..<count).map { place in
      place % 10 == 3 ? unsigned(place) : signed(place, isForged: place % 20 == 7)
    }
  }

  private static func signed(_ place: Int, isForged: Bool) -> Post {
    let uuid = String(format: "00000000-0000-4000-8000-%012d", place)
    let purchase = ApplePurchase("\(2_000_000_000_000 + place)", at: "2026-05-01T00:00:00Z")
    let body = Scenario.notification(
      "ONE_TIME_CHARGE", uuid: uuid, purchase, sealedBy: isForged ? Scenario.forger : nil, signedAt: "2026-05-01T00:00:01Z")
    let jws = body.dropFirst("{\"signedPayload\":\"".count).dropLast("\"}".count)
    return Post(
      kind: isForged ? .forged : .genuine, name: uuid, body: Array(body.utf8),
      evidenceSHA256: SHA256.hex(Array(jws.utf8)), innerSHA256: SHA256.hex(Array(purchase.jws.utf8)))
  }

  private static func unsigned(_ place: Int) -> Post {
    func body(_ secret: String) -> [UInt8] {
      let name = place % 20 == 3 ? "password" : "p\\u0061ssword"
      return Array(
        """
        {"notification_type":"DID_RENEW","\(name)":"\(secret)","environment":"PROD","bid":"com.acme.reader",\
        "auto_renew_product_id":"vip.month","original_transaction_id":"\(3_000_000_000_000 + place)"}
        """.utf8)
    }
    return Post(kind: .unsigned, name: "V1 \(place)", body: body(secret), evidenceSHA256: SHA256.hex(body("***")))
  }
}

/// Sends posts from many tasks, each repeatedly until it is accepted, as Apple does.
private final class PostLoad: Sendable {
  private struct State: Sendable {
    var next = 0
    var inFlight = 0
    var answers: [[Int]]
  }

  private let posts: [Post]
  private let url: String
  private let triesMax: Int
  private let state: Mutex<State>

  init(_ posts: [Post], to url: String, triesMax: Int = 10_000) {
    self.posts = posts
    self.url = url
    self.triesMax = triesMax
    state = Mutex(State(answers: Array(repeating: [], count: posts.count)))
  }

  /// Statuses of all answers by post, in order of arrival; 0 means no answer.
  var answers: [[Int]] { state.withLock { $0.answers } }
  var inFlightCount: Int { state.withLock { $0.inFlight } }
  var lostCount: Int { state.withLock { $0.answers.reduce(0) { $0 + $1.count { $0 == 0 } } } }
  var takenCount: Int { state.withLock { $0.answers.count { $0.last == 200 } } }
  var refusedCount: Int { state.withLock { $0.answers.reduce(0) { $0 + $1.count { $0 == 503 } } } }

  func run(workers: Int) async {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = workers
    configuration.timeoutIntervalForRequest = 200
    let session = URLSession(configuration: configuration)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<workers {
        group.addTask { while let place = self.take() { await self.deliver(place, session) } }
      }
    }
    session.invalidateAndCancel()
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < posts.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  private func deliver(_ place: Int, _ session: URLSession) async {
    guard let address = URL(string: url) else { return }
    for _ in 0..<triesMax {
      var request = URLRequest(url: address)
      request.httpMethod = "POST"
      request.httpBody = Data(posts[place].body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      state.withLock { $0.inFlight += 1 }
      let answer = try? await session.data(for: request)
      let status = (answer?.1 as? HTTPURLResponse)?.statusCode ?? 0
      state.withLock {
        $0.inFlight -= 1
        $0.answers[place].append(status)
      }
      if status != 503 { return }
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
