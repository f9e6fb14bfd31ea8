/// Posts and uploads by strangers prove nothing about other users.
@Suite(.cleansUp) struct QuarantineTests {
  private static let clock = "2026-05-12T12:00:00Z"
  private static let received = "2026-05-10T11:00:00Z"

  private static func order(_ id: String, user: String, _ change: (inout TestOrder) -> Void = { _ in }) -> TestOrder {
    TestOrder(id, user: user, at: "2026-05-10T10:00:00Z", names: "170", change)
  }

  private static func coins(_ id: Int) -> ApplePurchase { ApplePurchase("\(id)", at: "2026-05-10T10:00:20Z") }
  private static let purchase = coins(170)
  private static let forged = Scenario.sign(purchase, by: Scenario.forger)

  private static func hostile(_ number: Int) -> String {
    Scenario.notification("ONE_TIME_CHARGE", uuid: "h-\(number)", purchase, by: Scenario.forger, signedAt: "2026-05-10T10:00:25Z")
  }

  private static func genuine(_ number: Int, _ bought: ApplePurchase = purchase) -> String {
    Scenario.notification("ONE_TIME_CHARGE", uuid: "g-\(number)", bought, signedAt: "2026-05-10T10:00:25Z")
  }

  private static let test = Scenario.sign(
    """
    {"notificationType":"TEST","notificationUUID":"t-1","version":"2.0","signedDate":1778406025000,\
    "data":{"bundleId":"com.acme.reader","environment":"Production","appAppleId":1500000001}}
    """)

  struct Case: NamedCase {
    var name = ""
    var evidence: [String]
    var breaks: [String]
    /// Text whose hash the order names besides its transaction.
    var named: String?
  }

  static let cases = Case.table([
    "its own user uploaded it": Case(evidence: [Scenario.upload(forged, user: "U1", at: received)], breaks: ["FORGED_SIGNATURE PO-1"]),
    "uploaded for the order, without a user": Case(
      evidence: [Scenario.upload(forged, order: "PO-1", at: received)], breaks: ["FORGED_SIGNATURE PO-1"]),
    "another user claims the order": Case(
      evidence: [Scenario.upload(forged, user: "U2", order: "PO-1", at: received)], breaks: ["FORGED_SIGNATURE", "ORDER_NO_TX PO-1"]),
    "both users uploaded it": Case(
      evidence: [Scenario.upload(forged, user: "U2", at: received), Scenario.upload(forged, user: "U1", at: received)],
      breaks: ["FORGED_SIGNATURE PO-1"]),
    "only on a device": Case(evidence: [Scenario.upload(forged, device: "D1", at: received)], breaks: ["ORDER_NO_TX PO-1"]),
    "the order names its hash": Case(evidence: [forged], breaks: ["FORGED_SIGNATURE PO-1"], named: forged),
    "the order names the text in which it was posted": Case(evidence: [hostile(1)], breaks: ["FORGED_SIGNATURE PO-1"], named: hostile(1)),
    "another app's, signed by Apple, uploaded by another user": Case(
      evidence: [Scenario.upload(purchase.with { $0.bundleID = "com.other" }.jws, user: "U2", at: received)],
      breaks: ["BUNDLE_DIFF", "ORDER_NO_TX PO-1"]),
    "another app's, signed by Apple, uploaded by its user": Case(
      evidence: [Scenario.upload(purchase.with { $0.bundleID = "com.other" }.jws, user: "U1", at: received)], breaks: ["BUNDLE_DIFF PO-1"]),
  ])

  @Test("who is concerned", arguments: cases) func concerned(_ test: Case) async throws {
    let scenario = try await Scenario()
    let hash = test.named.map { SHA256.hex(Array($0.utf8)) }
    try await scenario.orders([Self.order("PO-1", user: "U1") { $0.evidenceSHA256 = hash }], asOf: Self.clock)
    // A night evaluates the order before the evidence arrives.
    try await scenario.decide(asOf: "2026-05-11T12:00:00Z")
    try await scenario.decide(evidence: test.evidence, asOf: Self.clock)
    #expect(try await scenario.openBreaks(asOf: Self.clock) == test.breaks)
    #expect(try await scenario.changesOfFullRuns(asOf: Self.clock) == [])
  }

  @Test(arguments: [100, 101]) func `hostile posts are one figure, and above the threshold one break`(_ count: Int) async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.itemsMax = 7
    try await scenario.orders([Self.order("PO-1", user: "U1")], asOf: Self.clock)
    // Because other evidence verifies, the rest is an attack and not a fault of the roots.
    let outcomes = try await scenario.post([Self.test] + (1...count).map(Self.hostile), at: Self.received)
    #expect(outcomes.allSatisfy { $0 == .stored })
    try await scenario.night(asOf: Self.clock)
    let storm = count > 100 ? ["FORGED_STORM"] : []
    #expect(try await scenario.openBreaks(asOf: Self.clock) == storm + ["ORDER_NO_TX PO-1"])
    let rows = try await scenario.rows(.quarantine, asOf: Self.clock)
    #expect(rows.map { $0["source"] } == ["notification"])
    #expect(rows.first?["item_count"] == "\(count)")
    #expect(rows.first?["day"] == "2026-05-10")
    #expect(rows.first?["kept_count"] == "7")
    let verdicts = try await scenario.rows(.evidence, asOf: Self.clock).compactMap { $0["verdict"] }
    #expect(verdicts.sorted() == Array(repeating: "forged", count: 7) + ["genuine"])
    #expect(try await scenario.rows(.parked, asOf: Self.clock).isEmpty)
    // Another night reports the same. A much later one has nothing to evaluate.
    try await scenario.night(asOf: "2026-05-13T12:00:00Z")
    #expect(try await scenario.openBreaks(asOf: "2026-05-13T12:00:00Z") == storm + ["ORDER_NO_TX PO-1"])
    try await scenario.night(asOf: "2026-07-13T12:00:00Z")
    #expect(try await scenario.openBreaks(asOf: "2026-07-13T12:00:00Z") == ["ORDER_NO_TX PO-1"])
    #expect(try await scenario.auditFaults(asOf: Self.clock) == [])
  }

  @Test("under wrong roots what is more than is kept must come again") func wrongRootsAtTheDoor() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.itemsMax = 2
    let bodies = (1...4).map { Self.genuine($0, Self.coins(180 + $0)) }
    let isStored = { (outcomes: [PostQueue.Outcome]) in outcomes.map { $0 == .stored } }
    // Without any verified evidence, a new installation with wrong roots cannot know this. It loses nothing either.
    try scenario.trust(Scenario.stranger)
    #expect(isStored(try await scenario.post((1...3).map(Self.hostile), at: "2026-05-08T11:00:00Z")) == [true, true, false])
    try scenario.trust(Scenario.authority)
    try await scenario.evidence([Self.purchase.jws], asOf: "2026-05-10T10:30:00Z")
    #expect(isStored(try await scenario.post((1...3).map(Self.hostile), at: "2026-05-09T11:00:00Z")) == [true, true, true])
    try scenario.trust(Scenario.stranger)
    #expect(isStored(try await scenario.post(bodies, at: Self.received)) == [true, true, false, false])
    try scenario.trust(Scenario.authority)
    #expect(isStored(try await scenario.post(Array(bodies.dropFirst(2)), at: "2026-05-10T12:00:00Z")) == [true, true])
    try await scenario.night(asOf: Self.clock)
    #expect(try await scenario.rows(.charges, asOf: Self.clock).count == 5)
  }

  @Test("junk, bare answers and wrapped texts are hostile; what Apple signed inside them is evidence") func shells() async throws {
    let scenario = try await Scenario()
    let genuine = Self.purchase.jws
    let forgedAround = Scenario.sign(
      """
      {"notificationType":"ONE_TIME_CHARGE","notificationUUID":"x","signedDate":1778406025000,\
      "data":{"bundleId":"com.acme.reader","environment":"Production","appAppleId":1500000001,"signedTransactionInfo":"\(genuine)"}}
      """, by: Scenario.forger)
    let bodies = [
      "junk", "{}", "{\"signedTransactions\":[]}", "{\"signedTransactions\":[],\"bundleId\":\"com.evil\"}",
      Scenario.upload(Self.forged, user: "U1", order: "PO-1", at: Self.received), "{\"signedPayload\":\"\(forgedAround)\"}",
      "{\"appAppleId\":5,\"signedTransactions\":[\"\(genuine)\"]}",
    ]
    #expect(try await scenario.post(bodies, at: Self.received).allSatisfy { $0 == .stored })
    try await scenario.orders([Self.order("PO-1", user: "U1")], asOf: Self.clock)
    try await scenario.night(asOf: Self.clock)
    #expect(try await scenario.matches(asOf: Self.clock) == ["PO-1 170 M1"])
    #expect(try await scenario.openBreaks(asOf: Self.clock) == [])
    #expect(try await scenario.rows(.quarantine, asOf: Self.clock).first?["item_count"] == "7")
  }

  @Test("a full queue refuses Apple's posts, and still counts hostile ones") func fullQueue() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.queuePostsMax = 2
    let bodies = [Self.hostile(1), Self.genuine(1), Self.genuine(2), Self.hostile(2), Self.genuine(3), Self.hostile(3)]
    let outcomes = try await scenario.post(bodies, at: Self.received)
    #expect(outcomes == [.stored, .stored, .stored, .stored, .refused, .stored])
    try await scenario.night(asOf: Self.clock)
    #expect(try await scenario.rows(.quarantine, asOf: Self.clock).first?["item_count"] == "3")
    #expect(try await scenario.post([Self.genuine(3)], at: Self.received) == [.stored])
  }

  @Test("forged items of files are bounded like posted ones, unless somebody is tied to them") func files() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.itemsMax = 3
    func forged(_ number: Int) -> String { Scenario.sign(Self.coins(4000 + number), by: Scenario.forger) }
    let named = forged(90)
    try await scenario.orders([Self.order("PO-1", user: "U1") { $0.evidenceSHA256 = SHA256.hex(Array(named.utf8)) }], asOf: Self.clock)
    let lines = [Self.purchase.jws] + (1...8).map(forged) + [named, Scenario.upload(forged(91), user: "U9", at: Self.clock)]
    let tally = try await scenario.evidence(lines, asOf: Self.clock)
    #expect(tally == Tally(input: 11, accepted: 6, ignored: 5))
    // The same file again, and more texts in another one. All of them are counted, and no additional ones are stored.
    try await scenario.decide(evidence: (5...9).map(forged), asOf: Self.clock)
    let evidence = try await scenario.rows(.evidence, asOf: Self.clock).filter { $0["verdict"] == "forged" }
    // Three and those two of the file, plus three samples.
    #expect(evidence.count == 8)
    let figure = try #require(try await scenario.rows(.quarantine, asOf: Self.clock).first)
    #expect(figure["source"] == "import" && figure["kept_count"] == "6")
    // A prefix of its hash leads from each sample to its bytes.
    let context = try scenario.context(asOf: Self.clock)
    for sample in try #require(figure["samples"]).split(separator: " ").map(String.init) {
      #expect(try await IDResolver(context: context).completed(String(sample.prefix(20)), among: [.evidence]) == sample)
      let (bytes, container) = try await ExplainJob(context: context).hashedText(sample)
      #expect(SHA256.hex(bytes) == sample && container == nil)
    }
    let gone = String(repeating: "0", count: 64)
    let refusal = await #expect(throws: JobError.self) { try await ExplainJob(context: context).hashedText(gone) }
    #expect(refusal?.hint?.contains("of a sample that the quarantine kept no longer, only the hash") == true)
    let breaks = try await scenario.openBreaks(asOf: Self.clock)
    #expect(breaks == ["FORGED_SIGNATURE", "FORGED_SIGNATURE"])
    #expect(try await scenario.auditFaults(asOf: Self.clock) == [])
  }

  @Test("under wrong roots a file loses nothing, however much of it does not verify") func wrongRootsOfAFile() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.itemsMax = 3
    try await scenario.evidence([Self.purchase.jws], asOf: "2026-05-10T10:30:00Z")
    try scenario.trust(Scenario.stranger)
    let lines = (1...9).map { Self.coins(4000 + $0).jws }
    #expect(try await scenario.evidence(lines, asOf: Self.clock) == Tally(input: 9, accepted: 9))
    try scenario.trust(Scenario.authority)
    try await scenario.judge(asOf: Self.clock)
    #expect(try await scenario.rows(.charges, asOf: Self.clock).count == 10)
  }

  @Test("Apple's posts that came while the roots were missing are evidence once they are there") func rootsCome() async throws {
    let scenario = try await Scenario()
    try scenario.trust(Scenario.stranger)
    let bodies = (1...120).map { Self.genuine($0, Self.coins(1000 + $0)) }
    #expect(try await scenario.post(bodies, at: Self.received).allSatisfy { $0 == .stored })
    try await scenario.night(asOf: Self.clock)
    #expect(try await scenario.openBreaks(asOf: Self.clock) == ["FORGED_STORM"])
    let then = try await scenario.export(.quarantine, asOf: Self.clock)
    try scenario.trust(Scenario.authority)
    let later = "2026-05-13T12:00:00Z"
    try await scenario.night(asOf: later)
    #expect(try await scenario.rows(.charges, asOf: later).count == 120)
    #expect(try await scenario.openBreaks(asOf: later) == Array(repeating: "TX_NO_ORDER", count: 120))
    #expect(try await scenario.rows(.quarantine, asOf: later).isEmpty)
    #expect(try await scenario.export(.quarantine, asOf: Self.clock) == then)
    #expect(try await scenario.auditFaults(asOf: later) == [])
  }

  @Test("a storm of another app's genuine posts is one break, too") func foreignStorm() async throws {
    var scenario = try await Scenario()
    scenario.settings.quarantine.stormAbove = 3
    let foreign = (1...4).map { Self.coins(2000 + $0).with { $0.bundleID = "com.other" }.jws }
    try await scenario.decide(evidence: Array(foreign.prefix(3)), asOf: Self.clock)
    #expect(try await scenario.openBreaks(asOf: Self.clock) == ["BUNDLE_DIFF", "BUNDLE_DIFF", "BUNDLE_DIFF"])
    try await scenario.decide(evidence: foreign, asOf: Self.clock)
    #expect(try await scenario.openBreaks(asOf: Self.clock) == ["FORGED_STORM"])
  }
}
