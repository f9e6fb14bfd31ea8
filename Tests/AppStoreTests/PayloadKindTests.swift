/// The fields of a signed payload decide its kind. A payload without a known field has no known kind.
struct PayloadKindTests {
  private static let authority = SimulatedAuthority(seed: 81)

  private static func reader() throws -> EvidenceReader {
    let apps = [AppIdentity(bundleID: "com.example.app", appleID: 1234), AppIdentity(bundleID: "com.example.kids", appleID: 5678)]
    return try EvidenceReader(root: authority.rootDER, apps: apps)
  }

  private static func sign(_ members: String) -> String {
    String(decoding: authority.sign(Array("{\"environment\":\"Production\",\"signedDate\":1778407200000,\(members)}".utf8)), as: UTF8.self)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var members: String
    var kind = EvidenceKind.other
    var verdict = EvidenceVerdict.genuine

    init(_ name: String, _ members: String, _ kind: EvidenceKind = .other, _ verdict: EvidenceVerdict = .genuine) {
      (testDescription, self.members, self.kind, self.verdict) = (name, members, kind, verdict)
    }
  }

  private static let request =
    "\"originalTransactionId\":\"1\",\"appAppleId\":1234,\"productId\":\"vip\",\"userLocale\":\"en-US\",\"requestIdentifier\":\"3db5c98d\""

  static let cases = [
    Case("a real-time request of the Retention Messaging API", request),
    Case("such a request with fields of a renewal", request + ",\"renewalDate\":1778407200000,\"autoRenewStatus\":1"),
    Case("such a request of another app", request.replacing("1234", with: "999"), .other, .foreign),
    Case("what names a subscription and no more", "\"originalTransactionId\":\"1\",\"productId\":\"vip\""),
    Case("what names a transaction and no more", "\"transactionId\":\"1\",\"bundleId\":\"com.example.app\""),
    Case("a kind that Apple may add", "\"somethingNew\":{\"a\":1},\"currency\":\"CNY\""),
    Case("a kind that Apple may add, of another app", "\"somethingNew\":1,\"bundleId\":\"com.example.other\"", .other, .foreign),
    Case("a renewal info with one of its fields", "\"originalTransactionId\":\"1\",\"renewalDate\":1778407200000", .renewalInfo),
    Case("a renewal info without the status", "\"originalTransactionId\":\"1\",\"autoRenewProductId\":\"vip\"", .renewalInfo),
    Case("a transaction", "\"transactionId\":\"1\",\"bundleId\":\"com.example.app\",\"purchaseDate\":1778407200000", .transaction),
    Case(
      "a notification",
      "\"notificationType\":\"TEST\",\"data\":{\"bundleId\":\"com.example.app\",\"appAppleId\":1234,"
        + "\"environment\":\"Production\"}", .notification),
    Case(
      "an app transaction",
      "\"receiptType\":\"Production\",\"bundleId\":\"com.example.app\",\"appAppleId\":1234,"
        + "\"originalPurchaseDate\":1778407200000", .appTransaction),
  ]

  @Test(arguments: cases) func kind(_ test: Case) throws {
    let items = try Self.reader().read(Array(Self.sign(test.members).utf8))
    #expect(items.map(\.kind) == [test.kind])
    #expect(items.map(\.verdict) == [test.verdict], "\(items.map(\.reason))")
    #expect(items.allSatisfy { $0.unrecognized.isEmpty || $0.kind != .other })
    if test.kind == .other { #expect(items.allSatisfy { $0.transaction == nil && $0.renewal == nil && $0.notification == nil }) }
  }

  @Test(arguments: [
    ("DID_RENEW", "BILLING_RECOVERY", []), ("DID_RENEW", "", []), ("TEST", "FUTURE", ["subtype"]),
    ("NEW", "X", ["notificationType", "subtype"]),
  ])
  func `an unknown type or subtype of a notification is noted`(type: String, subtype: String, noted: [String]) throws {
    let members =
      "\"notificationType\":\"\(type)\",\"subtype\":\"\(subtype)\",\"data\":{\"bundleId\":\"com.example.app\",\"appAppleId\":1234,"
      + "\"environment\":\"Production\"}"
    let items = try Self.reader().read(Array(Self.sign(members).utf8))
    #expect(items.map(\.verdict) == [.genuine])
    #expect(items[0].unrecognized.map(\.field) == noted)
  }

  private static let bought =
    "\"transactionId\":\"1\",\"originalTransactionId\":\"1\",\"productId\":\"coins\",\"bundleId\":\"com.example.app\","
    + "\"purchaseDate\":1778407200000"
  private static let renewal = "\"originalTransactionId\":\"1\",\"autoRenewStatus\":1"
  private static let answer = "\"bundleId\":\"com.example.app\",\"environment\":\"Production\""

  /// Members of a payload, or of an unsigned answer, with the noted field and value.
  @Test(arguments: [
    ("\(bought),\"environment\":\"Preview\"", "environment=Preview"),
    ("\(bought),\"environment\":\"Sandbox\",\"offerType\":5", "offerType=5"),
    ("\(bought),\"environment\":\"Sandbox\",\"billingPlanType\":\"WEEKLY\"", "billingPlanType=WEEKLY"),
    ("\(renewal),\"environment\":\"Sandbox\",\"offerType\":5", "offerType=5"),
    ("\(renewal),\"environment\":\"Sandbox\",\"renewalBillingPlanType\":\"WEEKLY\"", "renewalBillingPlanType=WEEKLY"),
    ("\"receiptType\":\"Preview\",\"bundleId\":\"com.example.app\"", "receiptType=Preview"),
    ("\"receiptType\":\"Sandbox\",\"bundleId\":\"com.example.app\",\"originalPlatform\":\"carOS\"", "originalPlatform=carOS"),
    ("\(answer),\"data\":[{\"lastTransactions\":[{\"status\":7,\"signedTransactionInfo\":\"x\"}]}]", "status=7"),
    ("\(answer),\"status\":2,\"signedTransactions\":[]", "status=2"),
    ("\"notificationHistory\":[{\"signedPayload\":\"x\",\"sendAttempts\":[{\"sendAttemptResult\":\"LOST\"}]}]", "sendAttemptResult=LOST"),
  ])
  func `a value that Apple adds to a closed list is noted`(members: String, noted: String) throws {
    let isAnswer = members.contains("\"status\"") || members.contains("notificationHistory")
    let bytes = Array((isAnswer ? "{\(members)}" : "{\"signedDate\":1778407200000,\(members)}").utf8)
    let items = try Self.reader().read(isAnswer ? bytes : Self.authority.sign(bytes))
    let values = items.filter(\.statesUnrecognized).flatMap(\.unrecognized)
    #expect(values.map { "\($0.field)=\($0.value)" }.filter { !$0.hasSuffix("missing") } == [noted], "\(items.map(\.reason))")
  }

  @Test func `a renewal info is about the app of the notification or answer around it`() throws {
    let reader = try Self.reader()
    let info = Self.sign("\"originalTransactionId\":\"1\",\"autoRenewStatus\":1")
    func notification(of app: String, _ id: Int, by signer: SimulatedAuthority = Self.authority) -> [UInt8] {
      let data = "{\"bundleId\":\"\(app)\",\"appAppleId\":\(id),\"environment\":\"Production\",\"signedRenewalInfo\":\"\(info)\"}"
      return signer.sign(Array("{\"notificationType\":\"DID_RENEW\",\"signedDate\":1778407200000,\"data\":\(data)}".utf8))
    }
    func app(_ bytes: [UInt8]) throws -> String? { reader.read(bytes).last { $0.kind == .renewalInfo }?.bundleID }
    #expect(try app(Array(info.utf8)) == "")
    #expect(try app(notification(of: "com.example.kids", 5678)) == "com.example.kids")
    #expect(try app(notification(of: "com.example.app", 1234)) == "com.example.app")
    #expect(try app(notification(of: "com.example.app", 1234, by: SimulatedAuthority(seed: 81, variant: .otherRoot))) == "")
    let answer =
      "{\"bundleId\":\"com.example.kids\",\"environment\":\"Production\",\"data\":[{\"lastTransactions\":"
      + "[{\"signedRenewalInfo\":\"\(info)\"}]}]}"
    #expect(try app(Array(answer.utf8)) == "com.example.kids")
  }

  @Test func `a renewal info without an environment has that of what is around it`() throws {
    let info = String(
      decoding: Self.authority.sign(Array("{\"originalTransactionId\":\"1\",\"autoRenewStatus\":1,\"signedDate\":1778407200000}".utf8)),
      as: UTF8.self)
    let answer = "{\"bundleId\":\"com.example.app\",\"environment\":\"Sandbox\",\"signedRenewalInfo\":\"\(info)\"}"
    #expect(try Self.reader().read(Array(info.utf8)).map(\.verdict) == [.pending])
    let inside = try #require(try Self.reader().read(Array(answer.utf8)).last)
    #expect(inside.verdict == .genuine && inside.environment == "Sandbox")
  }
}
