/// Answers of the App Store Server API, and V1 notifications.
@Suite struct APIAnswerTests {
  /// A genuine transaction of com.example.conf, id 42, Production.
  private static func signed() throws -> String {
    try #require(DeceptiveSignatureTests.cases.first { $0.verdict == .genuine }).jws
  }

  private static func forged() throws -> String {
    try #require(DeceptiveSignatureTests.cases.first { $0.verdict == .forged }).jws
  }

  private static let ours = "\"bundleId\":\"com.example.conf\",\"environment\":\"Production\",\"appAppleId\":42"

  @Test func everyShapeIsRead() throws {
    let jws = try Self.signed()
    let shapes = [
      "{\"revision\":\"r\",\"hasMore\":false,\(Self.ours),\"signedTransactions\":[\"\(jws)\"]}", "{\"signedTransactionInfo\":\"\(jws)\"}",
      "{\"signedAppTransactionInfo\":\"\(jws)\"}", "{\"status\":0,\"signedTransactions\":[\"\(jws)\"]}",
      """
      {\(Self.ours),"data":[{"subscriptionGroupIdentifier":"g","lastTransactions":[\
      {"status":1,"originalTransactionId":"1","signedTransactionInfo":"\(jws)"}]}]}
      """,
      "{\"hasMore\":false,\"notificationHistory\":[{\"sendAttempts\":[],\"signedPayload\":\"\(jws)\"}]}",
      " \n{\"signedTransactions\":[\"\(jws)\"],\"hasMore\":true}\n",
    ]
    let reader = try DeceptiveSignatureTests.reader()
    let alone = try #require(reader.read(Array(jws.utf8)).first)
    for shape in shapes {
      let items = reader.read(Array(shape.utf8))
      #expect(items.count == 2, "\(shape.prefix(60))")
      #expect(items.first?.kind == .apiAnswer)
      #expect(items.first?.verdict == .genuine)
      #expect(items.first?.transaction == nil)
      #expect(items.last?.verdict == .genuine)
      #expect(items.last?.sha256 == alone.sha256)
      #expect(items.last?.parentSHA256 == items.first?.sha256)
    }
  }

  /// The attempts of a notification that was not delivered at once. Older answers state the first one only.
  @Test(
    arguments: [
      (#""sendAttempts":[{"sendAttemptResult":"TIMED_OUT"},{"sendAttemptResult":"NO_RESPONSE"}]"#, "2 NO_RESPONSE"),
      (#""sendAttempts":[{"sendAttemptResult":"TIMED_OUT"},{"sendAttemptResult":"SUCCESS"}]"#, "2 SUCCESS"),
      (#""firstSendAttemptResult":"TIMED_OUT""#, "1 TIMED_OUT"), (#""firstSendAttemptResult":"SUCCESS""#, nil),
      (#""firstSendAttemptResult":"TIMED_OUT","sendAttempts":[]"#, "1 TIMED_OUT"),
      (#""firstSendAttemptResult":"TIMED_OUT","sendAttempts":[{"sendAttemptResult":"SUCCESS"}]"#, nil),
      (#""firstSendAttemptResult":7"#, nil), (#""sendAttempts":null"#, nil),
    ] as [(String, String?)]) func failedDeliveriesAreNoted(_ members: String, _ attempts: String?) throws
  {
    let text = "{\"hasMore\":false,\"notificationHistory\":[{\"signedPayload\":\"\(try Self.signed())\",\(members)}]}"
    let read = try DeceptiveSignatureTests.reader().read(Array(text.utf8)).last?.deliveryAttempts
    #expect(read.map { "\($0.count) \($0.result)" } == attempts)
  }

  @Test func everySignedTextIsJudgedByItself() throws {
    let texts = "\"\(try Self.signed())\",\"\(try Self.forged())\",\"signed_transaction_value\",7"
    let items = try DeceptiveSignatureTests.reader().read(Array("{\(Self.ours),\"signedTransactions\":[\(texts)]}".utf8))
    #expect(items.map(\.verdict) == [.genuine, .genuine, .forged, .malformed])
    #expect(items.first?.unrecognized.map(\.value) == ["7"])
  }

  @Test(
    arguments: [
      ("\"bundleId\":\"com.example.other\"", "bundle_id"),
      ("\"bundleId\":\"com.example.conf\",\"appAppleId\":43", "app_id"),
      ("\"appAppleId\":43", "app_id"), ("\"environment\":\"LocalTesting\"", "environment"),
      ("\"environment\":\"LocalTestingxxx\"", "environment"),
      ("\"bundleId\":\"com.example.conf\",\"environment\":\"Sandbox\"", ""),
      ("\"appAppleId\":\"43\"", ""),
    ]) func namedAppMustBeOurs(_ named: String, _ field: String) throws
  {
    let items = try DeceptiveSignatureTests.reader().read(Array("{\(named),\"signedTransactions\":[]}".utf8))
    #expect(items.map(\.kind) == [.apiAnswer])
    #expect(items.first?.verdict == (field.isEmpty ? .genuine : .foreign))
    #expect(items.first?.field == field)
  }

  @Test func otherJSONIsMalformed() throws {
    for text in ["{}", "{\"a\":1}", "{\"status\":5}", "{\"data\":[]}", "{\"data\":7}", "[1]", "{\"signedPayload\":7"] {
      #expect(try DeceptiveSignatureTests.reader().read(Array(text.utf8)).map(\.verdict) == [.malformed], "\(text)")
    }
  }

  private static let v1 =
    """
    {"notification_type":"DID_RENEW","password":"s3cr\\"et","environment":"PROD","bid":"com.example.conf",\
    "bvrs":"1","auto_renew_status":"true","auto_renew_product_id":"vip","unified_receipt":{"environment":"Production",\
    "status":0,"latest_receipt":"","latest_receipt_info":[{"quantity":"1","product_id":"vip","transaction_id":"5",\
    "original_transaction_id":"4","purchase_date_ms":"1704067200000"}],"pending_renewal_info":[\
    {"original_transaction_id":"4","auto_renew_product_id":"vip","auto_renew_status":"1"}]}}
    """

  @Test func version1NotificationsAreNeverProof() throws {
    for isFromApple in [false, true] {
      let items = try DeceptiveSignatureTests.reader().read(Array(Self.v1.utf8), isFromApple: isFromApple)
      #expect(items.map(\.kind) == [.notification, .verifyReceipt, .transaction, .renewalInfo])
      #expect(items.allSatisfy { $0.verdict == .pending && $0.reason?.english == "unsigned" })
      #expect(items.allSatisfy { $0.environment == "Production" && $0.bundleID == "com.example.conf" })
      #expect(items.first?.notification?.type == "DID_RENEW")
      #expect(items[2].transaction?.originalTransactionID == "4")
      #expect(items[3].renewal?.autoRenewStatus == 1)
    }
  }

  @Test func version1LosesItsPassword() throws {
    let forms = [
      Self.v1, Self.v1.replacing("\"password\"", with: "\"p\\u0061ssword\""), Self.v1.replacing("\"password\":", with: "\"password\" : "),
      Self.v1.replacing("\"s3cr\\\"et\"", with: "[\"s3cr\"]"),
    ]
    for form in forms {
      let item = try #require(try DeceptiveSignatureTests.reader().read(Array(form.utf8)).first)
      #expect(item.kind == .notification)
      #expect(item.raw.elementsEqual(SecretRedaction.redacted(Array(item.raw))))
      #expect(Array(item.raw).range(of: Array("s3cr".utf8)) == nil)
      #expect(Array(item.raw).range(of: Array("\"***\"".utf8)) != nil)
      #expect(item.sha256 == SHA256.hex(item.raw))
    }
  }

  @Test func `the secret must not survive in a text truncated at any byte`() throws {
    let reader = try DeceptiveSignatureTests.reader()
    let bytes = Array(Self.v1.utf8)
    for count in bytes.indices {
      let item = try #require(reader.read(Array(bytes.prefix(count))).first)
      #expect(item.verdict == .malformed)
      #expect(Array(item.raw).range(of: Array("s3cr".utf8)) == nil, "cut at \(count)")
    }
  }

  @Test(
    arguments: [
      ("{\"password\":\"a\"}", "{\"password\":\"***\"}"),
      ("{\"password\":\"a\\\\\",\"b\":\"c\"}", "{\"password\":\"***\",\"b\":\"c\"}"),
      ("{\"password\":\"a\\\"b\",\"c\":1}", "{\"password\":\"***\",\"c\":1}"),
      ("{\"evidence\":\"{\\\"password\\\":\\\"a\\\",\\\"b\\\":1}\"}", "{\"evidence\":\"{\\\"password\\\":\\\"***\\\",\\\"b\\\":1}\"}"),
      ("{\"note\":\"password\"}", "{\"note\":\"password\"}"), ("password", "password"), ("", ""),
      ("{\"password\":\"", "{\"password\":\"***"), ("{\"password\":7}", "{\"password\":7}"),
    ]) func redaction(_ text: String, _ expected: String)
  {
    #expect(String(decoding: SecretRedaction.redacted(Array(text.utf8)), as: UTF8.self) == expected)
  }
}

/// Apple's example answers.
@Suite(.enabled(if: SharedFixtures.isThere, "the shared fixtures are not beside this repository")) struct AnswerModelTests {
  @Test(
    arguments: [
      ("transactionHistoryResponse", 2), ("getAllSubscriptionStatusesResponse", 6), ("getRefundHistoryResponse", 2),
      ("getNotificationHistoryResponse", 2), ("lookupOrderIdResponse", 2), ("transactionInfoResponse", 1),
      ("appTransactionInfoResponse--java", 1), ("transactionHistoryResponseWithMalformedEnvironment", 2),
      ("transactionHistoryResponseWithMalformedAppAppleId--swift", 2),
    ]) func everySignedTextIsFound(_ name: String, _ count: Int) throws
  {
    let bytes = try SharedFixtures.bytes("apple-server-library/model-\(name).json")
    let items = try DeceptiveSignatureTests.reader().read(bytes)
    #expect(items.first?.kind == .apiAnswer)
    #expect(items.dropFirst().map(\.verdict) == [EvidenceVerdict](repeating: .malformed, count: count))
    #expect(items.dropFirst().allSatisfy { $0.parentSHA256 == items.first?.sha256 })
    if name.contains("AppAppleId") { #expect(items.first?.unrecognized.map(\.field) == ["appAppleId"]) }
  }
}
