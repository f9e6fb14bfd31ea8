/// Evidence is stored without the parts that are stored elsewhere, and is read back unchanged.
@Suite(.cleansUp) struct PackedEvidenceTests {
  private static let clock = "2026-05-12T12:00:00Z"
  private static let bought = ApplePurchase("470001000000700", at: "2026-05-09T10:00:00Z")
  private static let other = ApplePurchase("470001000000701", at: "2026-05-09T11:00:00Z")
  private static let renewal = """
    {"originalTransactionId":"470001000000700","autoRenewStatus":1,"environment":"Production","signedDate":1778320800000}
    """
  private let scenario: Scenario
  init() async throws { scenario = try await Scenario() }

  struct Case: NamedCase {
    var name = ""
    var text: String
    /// Kind of each piece of evidence, largest first, with the number of extracted texts, or `whole`.
    var kept: [String]
  }

  private static func answer(_ texts: [String]) -> String {
    #"{"bundleId":"com.acme.reader","environment":"Production","signedTransactions":["#
      + texts.map { #""\#($0)""# }.joined(separator: ", ") + "]}"
  }

  private static func notification(_ data: String, isForged: Bool = false) -> String {
    Scenario.sign(
      #"{"notificationType":"DID_RENEW","notificationUUID":"n","version":"2.0","signedDate":1778320800000,"data":{"#
        + #""bundleId":"com.acme.reader","environment":"Production","appAppleId":1500000001,\#(data)}}"#,
      by: isForged ? Scenario.forger : Scenario.authority)
  }

  private static let cases: [Case] = {
    let one = bought.jws
    let two = other.jws
    let info = Scenario.sign(renewal)
    let forged = Scenario.sign(other, by: Scenario.forger)
    let both = notification(#""signedRenewalInfo":"\#(info)", "signedTransactionInfo":"\#(one)""#)
    let escaped = notification(#""signedTransactionInfo":"\u0065\#(one.dropFirst())""#)
    return Case.table([
      "a transaction": Case(text: one, kept: ["transaction 0"]),
      "a notification that names the renewal first": Case(text: both, kept: ["notification 2", "transaction 0", "renewal_info 0"]),
      "an escape in an inner text": Case(text: escaped, kept: ["notification 0", "transaction 0"]),
      "an answer that lists one twice": Case(text: answer([one, two, one]), kept: ["api_answer 3", "transaction 0", "transaction 0"]),
      "an answer with something forged": Case(text: answer([forged, one]), kept: ["api_answer 1", "transaction whole", "transaction 0"]),
      "a history of notifications": Case(
        text: #"{"notificationHistory":[{"signedPayload":"\#(both)","sendAttempts":[]}],"hasMore":false}"#,
        kept: ["api_answer 1", "notification 2", "transaction 0", "renewal_info 0"]),
      "a forged notification of a genuine transaction": Case(
        text: notification(#""signedTransactionInfo":"\#(one)""#, isForged: true), kept: ["notification whole", "transaction 0"]),
    ])
  }()

  @Test(arguments: cases) func evidenceIsReadBackUnchanged(_ item: Case) async throws {
    try await scenario.evidence([item.text], asOf: Self.clock)
    try await require(
      """
      select string_agg(
          kind || ' ' || case when unpacked_length is null then 'whole' else payrecon.big_endian(body, 0)::text end, ', '
          order by coalesce(unpacked_length, length(body)) desc
      ) = '\(item.kept.joined(separator: ", "))'
      from payrecon.evidence
      """)
    let bytes = try await ExplainJob(context: scenario.context(asOf: Self.clock)).evidenceBytes(SHA256.hex(Array(item.text.utf8)))
    #expect(String(decoding: bytes, as: UTF8.self) == item.text)
    // Every other hash also equals that of the bytes read.
    #expect(try await scenario.auditFaults(asOf: Self.clock) == [])
  }

  @Test func `arbitrary signed values are read back byte for byte, and are stored apart from the shared parts`() async throws {
    var random = Dice(seed: 20_261_127)
    let texts = (0..<200).map { number in
      let purchase = ApplePurchase("4700010000\(10_000 + number)", at: "2026-05-09T10:00:00Z")
      return Scenario.sign("\(purchase.payload.dropLast()),\(Self.member(&random, "x\(number % 7)", depth: 0)) }")
    }
    try await scenario.evidence(texts, asOf: Self.clock)
    #expect(try await scenario.auditFaults(asOf: Self.clock) == [])
    try await require(
      """
      select count(*) = 200 and bool_and(frame is not null and length(body) < unpacked_length)
      from payrecon.evidence left join payrecon.signed_headers using (header_key)
      """)
  }

  private func require(_ question: String) async throws {
    #expect(try await scenario.query(question, gives: .bool) == [true])
  }

  private static func member(_ random: inout Dice, _ name: String, depth: Int) -> String {
    let leaves = [
      "null", "true", "-0.50e+3", "12345678901234567890", #""""#, #""\u0000\ud83d\ude00""#, #""é😀\\\"/""#, "[]", "{}",
      #""a.b-c_d""#, "\"\u{7F}\u{2028}\"",
    ]
    func value() -> String {
      switch random.below(depth < 3 ? 14 : 11) {
      case let leaf where leaf < 11: leaves[leaf]
      case 11: "[ \(value()) ,\t\(value())]"
      case 12: "[\(value()),{\(member(&random, "type", depth: depth + 1))}]"
      default: "{\n\(member(&random, "k\(depth)", depth: depth + 1)),\(member(&random, "version", depth: depth + 1))}"
      }
    }
    return "\"\(name)\" : \(value())"
  }

  /// The database has no key on evidence links. The writer itself adds only missing ones, for two inputs with many common texts, each
  /// text twice, and then all of them again.
  @Test func eachLinkIsStoredOnce() async throws {
    let bodies = (0..<60).map {
      Scenario.notification(
        "ONE_TIME_CHARGE", uuid: "n-\($0)", ApplePurchase("\(470_001_000_000_300 + $0)", at: "2026-05-09T10:00:00Z"),
        signedAt: "2026-05-09T10:00:05Z")
    }
    for (name, lines) in [("one", Array(bodies[..<40])), ("other", Array(bodies[20...])), ("again", Array(bodies.reversed()))] {
      try await scenario.ingest(.apple, (lines + lines).joined(separator: "\n") + "\n", name: name, asOf: Self.clock)
    }
    // Each transaction is inside a notification, which is inside a posted text.
    let links = "select count(*) || ' of ' || count(distinct (sha256, parent_sha256)) from payrecon.evidence_links"
    #expect(try await scenario.answers(links) == ["\(2 * bodies.count) of \(2 * bodies.count)"])
  }

  @Test func sharedPartsAreStoredOnce() async throws {
    let purchases = (0..<30).map { ApplePurchase("4700010000\(20_000 + $0)", at: "2026-05-09T10:00:\(10 + $0)Z") }
    try await scenario.evidence(purchases.map(\.jws), asOf: Self.clock)
    try await require(
      """
      select count(*) = 30 and count(distinct header_key) = 1 and 2 * max(length(body)) < min(unpacked_length)
      from payrecon.evidence
      """)
  }
}
