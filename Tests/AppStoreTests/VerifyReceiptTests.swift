/// Answers of verifyReceipt. They are proof only when Apple's server sent them to payrecon.
@Suite struct VerifyReceiptTests {
  private static let bundleID = "com.example.app"

  private static func reader(appleID: Int64? = nil) -> EvidenceReader {
    EvidenceReader(
      apps: [AppIdentity(bundleID: bundleID, appleID: appleID)], anchors: TrustAnchors(certificates: []),
      now: Timestamp(microseconds: 1_700_000_000_000_000))
  }

  private static func row(_ id: String, _ more: String = "") -> String {
    """
    {"quantity":"1","product_id":"vip","transaction_id":"\(id)","original_transaction_id":"100",\
    "web_order_line_item_id":"9\(id)","purchase_date":"2024-01-01 00:00:00 Etc/GMT",\
    "purchase_date_ms":"1704067200000","purchase_date_pst":"2023-12-31 16:00:00 America/Los_Angeles",\
    "original_purchase_date_ms":"1704067200000","expires_date_ms":"1706745600000","is_trial_period":"false",\
    "is_in_intro_offer_period":"false"\(more)}
    """
  }

  private static func answer(
    status: String = "0", environment: String = "\"Sandbox\"", bundleID: String = bundleID, inApp: [String] = [],
    latest: [String] = [], more: String = ""
  ) -> [UInt8] {
    Array(
      """
      {"status":\(status),"environment":\(environment),
       "receipt":{"receipt_type":"ProductionSandbox","adam_id":0,"app_item_id":0,"bundle_id":"\(bundleID)",
         "application_version":"1.0","receipt_creation_date_ms":"1704067205000","request_date_ms":"1704153600000",
         "in_app":[\(inApp.joined(separator: ","))]},
       "latest_receipt_info":[\(latest.joined(separator: " , "))]\(more)}
      """.utf8)
  }

  @Test func everyFieldOfARowIsRead() throws {
    let more =
      """
      ,"cancellation_date_ms":"1704100000000","cancellation_reason":"1","in_app_ownership_type":"FAMILY_SHARED",\
      "app_account_token":"7E3FB204-2AF6-4F0E-8C5E-B1A6F2E5D0AA","subscription_group_identifier":"20001",\
      "is_upgraded":"true","promotional_offer_id":"spring","offer_code_ref_name":"code","future":"kept"
      """
    let bytes = Self.answer(latest: [Self.row("101", more)])
    let items = Self.reader().read(bytes, isFromApple: true)
    #expect(items.map(\.kind) == [.verifyReceipt, .transaction])
    #expect(items.map(\.verdict) == [.genuine, .genuine])
    let item = try #require(items.last)
    #expect(item.unrecognized.isEmpty)
    #expect(item.sha256 == SHA256.hex(item.raw))
    let fields = try #require(item.transaction)
    #expect(fields.transactionID == "101")
    #expect(fields.originalTransactionID == "100")
    #expect(fields.webOrderLineItemID == "9101")
    #expect(fields.bundleID == Self.bundleID)
    #expect(fields.environment == "Sandbox")
    #expect(fields.purchasedAt.rfc3339 == "2024-01-01T00:00:00Z")
    #expect(fields.expiresAt?.rfc3339 == "2024-02-01T00:00:00Z")
    #expect(fields.revokedAt?.microseconds == 1_704_100_000_000_000)
    #expect(fields.signedAt?.microseconds == 1_704_153_600_000_000)
    #expect(fields.ownership == "FAMILY_SHARED")
    #expect(fields.appAccountToken == "7e3fb204-2af6-4f0e-8c5e-b1a6f2e5d0aa")
    #expect(fields.subscriptionGroupID == "20001")
    #expect(fields.isUpgraded == true)
    #expect(fields.quantity == 1)
    #expect(fields.offerType == 2)
    #expect(fields.priceMilliunits == nil)
    #expect(fields.offerDiscountType == nil)
  }

  @Test func answerFromStrangersProvesNothing() throws {
    let bytes = Self.answer(inApp: [Self.row("101")], latest: [Self.row("102")])
    let items = Self.reader().read(bytes)
    #expect(items.map(\.verdict) == [.pending, .pending, .pending])
    #expect(items.allSatisfy { $0.reason?.english == "unsigned" })
    let genuine = Self.reader().read(bytes, isFromApple: true)
    #expect(genuine.map(\.verdict) == [.genuine, .genuine, .genuine])
    #expect(Set(items.dropFirst().map(\.sha256)).isDisjoint(with: genuine.map(\.sha256)))
  }

  @Test func rowsInAnyOrderCountOnce() throws {
    let cancelled = Self.row("103", ",\"cancellation_date_ms\":\"1704100000000\"")
    let latest = [Self.row("102"), Self.row("104"), Self.row("101"), Self.row("103")]
    let inApp = [cancelled, Self.row("101"), Self.row("105"), Self.row("104")]
    var generator = Dice(seed: 7)
    for _ in 0..<20 {
      let bytes = Self.answer(inApp: inApp.shuffled(using: &generator), latest: latest.shuffled(using: &generator))
      let items = Self.reader().read(bytes, isFromApple: true).dropFirst()
      #expect(items.compactMap { $0.transaction?.transactionID }.sorted() == ["101", "102", "103", "104", "105"])
      #expect(items.filter { $0.transaction?.revokedAt != nil }.map { $0.transaction?.transactionID } == ["103"])
    }
  }

  @Test func numbersAndTextsAreEqual() throws {
    let row =
      """
      {"quantity":2,"product_id":"vip","transaction_id":101,"original_transaction_id":100,\
      "web_order_line_item_id":0,"purchase_date_ms":1704067200000,"is_trial_period":true,"app_account_token":""}
      """
    let items = Self.reader().read(Self.answer(status: "\"0\"", latest: [row]), isFromApple: true)
    let fields = try #require(items.last?.transaction)
    #expect(fields.transactionID == "101")
    #expect(fields.originalTransactionID == "100")
    #expect(fields.webOrderLineItemID == nil)
    #expect(fields.quantity == 2)
    #expect(fields.offerType == 1)
    #expect(fields.offerDiscountType == "FREE_TRIAL")
    #expect(items.last?.unrecognized.isEmpty == true)
  }

  @Test func unusableValuesAreRecorded() throws {
    let row = Self.row("101", ",\"app_account_token\":\"me\",\"cancellation_date_ms\":\"soon\"")
    let items = Self.reader().read(Self.answer(latest: [row, "{\"transaction_id\":\"7\"}"]), isFromApple: true)
    #expect(items.count == 3)
    #expect(items[1].unrecognized.map(\.field).sorted() == ["app_account_token", "cancellation_date"])
    #expect(items[1].transaction?.revokedAt == nil)
    #expect(items[2].transaction == nil)
    #expect(items[2].unrecognized.map(\.field).contains("product_id"))
  }

  /// A client library can answer 21007 with the sandbox's rows. The environment in the body decides.
  @Test func sandboxRowsUnder21007AreOfTheSandbox() throws {
    let bytes = Self.answer(status: "21007", latest: [Self.row("101")])
    #expect(VerifyReceiptAnswer(bytes)?.status.code == 21007)
    let items = Self.reader().read(bytes, isFromApple: true)
    #expect(items.map(\.verdict) == [.genuine, .genuine])
    #expect(items.last?.transaction?.environment == "Sandbox")
  }

  @Test(arguments: [21000, 21002, 21003, 21004, 21005, 21007, 21010, 21100])
  func aBareStatusIsAnAnswer(_ code: Int) throws {
    #expect(Self.reader().read(Array("{\"status\":\(code)}".utf8), isFromApple: true).map(\.kind) == [.verifyReceipt])
  }

  @Test func rowsOfARefusedReceiptDoNotCount() throws {
    let items = Self.reader().read(Self.answer(status: "21003", latest: [Self.row("101")]), isFromApple: true)
    #expect(items.count == 1)
    #expect(items.first?.unrecognized.map(\.value) == ["21003"])
  }

  @Test func otherAppsAndEnvironmentsAreForeign() throws {
    func first(_ bytes: [UInt8], appleID: Int64? = nil) -> EvidenceItem? {
      Self.reader(appleID: appleID).read(bytes, isFromApple: true).first
    }
    #expect(first(Self.answer(bundleID: "com.example.other"))?.field == "bundle_id")
    #expect(first(Self.answer(bundleID: "com.example.other"))?.verdict == .foreign)
    #expect(first(Self.answer(environment: "\"Xcode\""))?.verdict == .foreign)
    let production =
      """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"\(Self.bundleID)","adam_id":43,"in_app":[]}}
      """
    #expect(first(Array(production.utf8), appleID: 42)?.field == "app_id")
    #expect(first(Array(production.utf8), appleID: 43)?.verdict == .genuine)
  }

  /// T19: the receipt is genuine and lists no purchase.
  @Test func anEmptyReceiptProvesNothingBought() throws {
    #expect(Self.reader().read(Self.answer(), isFromApple: true).map(\.kind) == [.verifyReceipt])
  }

  @Test func pendingRenewalsAreRead() throws {
    let more =
      """
      ,"pending_renewal_info":[{"original_transaction_id":"100","product_id":"vip","auto_renew_product_id":"vip2",\
      "auto_renew_status":"1","expiration_intent":"2","is_in_billing_retry_period":"1",\
      "grace_period_expires_date_ms":"1706832000000","price_consent_status":"0"}]
      """
    let items = Self.reader().read(Self.answer(latest: [Self.row("101")], more: more), isFromApple: true)
    #expect(items.map(\.kind) == [.verifyReceipt, .transaction, .renewalInfo])
    let renewal = try #require(items.last?.renewal)
    #expect(renewal.originalTransactionID == "100")
    #expect(renewal.autoRenewProductID == "vip2")
    #expect(renewal.autoRenewStatus == 1)
    #expect(renewal.expirationIntent == 2)
    #expect(renewal.isInBillingRetry == true)
    #expect(renewal.gracePeriodExpiresAt?.rfc3339 == "2024-02-02T00:00:00Z")
    #expect(renewal.priceIncreaseStatus == 0)
    #expect(renewal.environment == "Sandbox")
    #expect(items.last?.unrecognized.isEmpty == true)
  }

  @Test func iOS6StyleIsRead() throws {
    let flat =
      """
      {"original_purchase_date_ms":"1385014441000","transaction_id":"200","original_transaction_id":"200",\
      "quantity":"1","product_id":"vip","bid":"\(Self.bundleID)","bvrs":"1","item_id":"5","unique_identifier":"u",\
      "purchase_date_ms":"1385014441000","expires_date":"1385018041000",\
      "expires_date_formatted":"2013-11-21 07:14:01 Etc/GMT","web_order_line_item_id":"77"}
      """
    let newer = flat.replacing("\"transaction_id\":\"200\"", with: "\"transaction_id\":\"201\"")
    let text =
      """
      {"status":21006,"environment":"Production","receipt":\(flat),"latest_receipt_info":\(newer),\
      "latest_receipt":"ewoibm8i","auto_renew_status":0,"auto_renew_product_id":"vip","expiration_intent":"1"}
      """
    let items = Self.reader().read(Array(text.utf8), isFromApple: true)
    #expect(items.map(\.verdict) == [.genuine, .genuine, .genuine])
    #expect(items.compactMap { $0.transaction?.transactionID }.sorted() == ["200", "201"])
    #expect(items.dropFirst().first?.transaction?.expiresAt?.microseconds == 1_385_018_041_000_000)
    let single = text.replacing(",\"latest_receipt_info\":\(newer)", with: "")
    let short = Self.reader().read(Array(single.utf8), isFromApple: true)
    #expect(short.map(\.kind) == [.verifyReceipt, .transaction, .renewalInfo])
    #expect(short.last?.renewal?.autoRenewStatus == 0)
    #expect(short.last?.renewal?.originalTransactionID == "200")
    #expect(Set(short.map(\.sha256)).count == 3)
    let nowhere = text.replacing("\"environment\":\"Production\",", with: "")
    #expect(Self.reader().read(Array(nowhere.utf8), isFromApple: true).first?.verdict == .pending)
  }

  @Test(
    arguments: [
      (0, VerifyReceiptStatus.Action.use), (21000, .fail(.configurationAlarm)), (21001, .fail(.briefly)), (21002, .fail(.briefly)),
      (21003, .fail(.rejected)), (21004, .fail(.configurationAlarm)), (21005, .fail(.later)), (21006, .use), (21007, .askSandbox),
      (21008, .askProduction), (21009, .fail(.later)), (21010, .fail(.review)), (21100, .fail(.later)), (21199, .fail(.later)),
      (21200, .fail(.review)), (-1, .fail(.review)),
    ]) func statusesHaveTheirNextStep(_ code: Int, _ action: VerifyReceiptStatus.Action)
  {
    let status = VerifyReceiptStatus(code: code)
    #expect(status.code == code)
    #expect(status.action() == action)
  }

  @Test(
    arguments: [
      ("true", VerifyReceiptRetry.later), ("1", .later), ("\"1\"", .later),
      ("\"true\"", .later), ("false", .review), ("0", .review), ("\"0\"", .review), ("null", .later),
    ]) func retryableInEverySpelling(_ value: String, _ retry: VerifyReceiptRetry) throws
  {
    for name in ["is_retryable", "is-retryable"] {
      let answer = try #require(VerifyReceiptAnswer(Array("{\"status\":21150,\"\(name)\":\(value)}".utf8)))
      #expect(answer.status.code == 21150)
      #expect(answer.status.action(isRetryable: answer.isRetryable) == .fail(retry))
    }
  }

  @Test func damagedAnswersDoNotTrap() throws {
    let bytes = Self.answer(
      inApp: [Self.row("101")], latest: [Self.row("102")],
      more: ",\"pending_renewal_info\":[{\"original_transaction_id\":\"1\"}],\"latest_receipt\":\"MIIA\"")
    let reader = Self.reader()
    for count in bytes.indices { #expect(reader.read(Array(bytes.prefix(count))).first?.verdict == .malformed) }
    var generator = Dice(seed: 99)
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0..<3 {
        changed[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0x20..<0x7F, using: &generator)
      }
      for item in reader.read(changed) { #expect(item.verdict == .pending || item.verdict == .malformed) }
    }
  }
}

/// `latest_receipt` carries its own signature, so the sender of the answer does not matter.
@Suite(.enabled(if: SharedFixtures.isThere, "the shared fixtures are not beside this repository")) struct VerifyReceiptSignedTests {
  @Test func latestReceiptIsVerified() throws {
    let receipt = ReceiptSupport.base64(try ReceiptSupport.bytes("peer-eminz-gen-receipt.der"))
    let text =
      """
      {"status":0,"environment":"Sandbox","receipt":{"bundle_id":"x","in_app":[]},\
      "latest_receipt":"\(String(decoding: receipt, as: UTF8.self))"}
      """
    let items = try ReceiptSupport.reader().read(Array(text.utf8))
    #expect(items.map(\.kind) == [.verifyReceipt, .receipt, .transaction, .transaction])
    #expect(items.map(\.verdict) == [.pending, .genuine, .genuine, .genuine])
    #expect(items[1].parentSHA256 == items[0].sha256)
    #expect(items[2].parentSHA256 == items[1].sha256)
  }
}
