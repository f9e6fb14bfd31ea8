import AppStore
import Foundation
import HTTP
import Synchronization

/// Apps on StoreKit 1: verifyReceipt answers for stored receipts. Its statuses never deliver anything.
@Suite(.cleansUp) struct VerifyReceiptCollectionTests {
  private let setup: ReceiptSetup

  init() async throws { setup = try await ReceiptSetup() }

  @Test("T12 production says 21007, the sandbox 0: stored as Sandbox, and the order is a sandbox order") func sandbox() async throws {
    try await setup.claim("S", .sandbox)
    #expect(try await setup.collect().unfinished.isEmpty)
    #expect(setup.store.counters["Production verifyReceipt"] == 1)
    #expect(setup.store.counters["Sandbox verifyReceipt"] == 1)
    let answers = try await setup.answers()
    #expect(answers.map { $0["environment"] } == ["Sandbox"])
    #expect(answers.map { $0["verdict"] } == ["genuine"])
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.matches(asOf: setup.asOf) == [])
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == ["SANDBOX_IN_PROD S"])
  }

  @Test("T13 a body of the sandbox is one of the sandbox, whatever the status and the address say") func misreadStatus() async throws {
    let (_, receipt) = try await setup.claim("S", .sandbox)
    let request = #"{"receipt-data":"\#(receipt)","password":"\#(ReceiptSetup.secret)"}"#
    let response = setup.store.respond(to: StoreRequest(method: "POST", path: "/sandbox/verifyReceipt", body: Array(request.utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    let misread = text.replacingOccurrences(of: #""status":0"#, with: #""status":21007"#)
    try #require(misread != text)
    setup.store.script(Fault(.answer(misread), endpoint: .verifyReceipt, environment: .production, count: 2))
    setup.store.resetCounters()
    let reply = try await setup.client(setup.addresses).verify(Array(receipt.utf8))
    #expect(reply.environment == .sandbox)
    #expect(reply.answer.hasRows)
    #expect(reply.attempts == 1)
    #expect(setup.store.counters["Sandbox verifyReceipt"] == nil)
    // The production address answers for the sandbox: status 0, and still no production purchase.
    var addresses = setup.addresses
    addresses.production = setup.store.url(.sandbox)
    let strayed = try await setup.client(addresses).verify(Array(receipt.utf8))
    #expect(strayed.answer.status.code == 0)
    #expect(strayed.environment == .sandbox)
    _ = try await setup.collect()
    #expect(try await setup.answers().map { $0["environment"] } == ["Sandbox"])
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == ["SANDBOX_IN_PROD S"])
  }

  @Test("swapped addresses are noticed, and both sides are asked once") func swappedAddresses() async throws {
    _ = try setup.buy(StoreSetup.coins, .production)
    var addresses = setup.addresses
    swap(&addresses.production, &addresses.sandbox)
    let reply = try await setup.client(addresses).verify(Array(setup.store.receipt(of: "anna", .production).utf8))
    #expect(reply.isMisrouted)
    #expect(reply.environment == .production)
    #expect(reply.attempts == 2)
  }

  struct Row: Sendable {
    var status: Int
    var isRetryable: Bool?
    var retry: VerifyReceiptRetry
    var requests: Int
  }

  @Test(arguments: [
    Row(status: 21000, retry: .configurationAlarm, requests: 1), Row(status: 21001, retry: .briefly, requests: 2),
    Row(status: 21002, retry: .briefly, requests: 2), Row(status: 21003, retry: .rejected, requests: 1),
    Row(status: 21004, retry: .configurationAlarm, requests: 1), Row(status: 21005, retry: .later, requests: 4),
    Row(status: 21009, retry: .later, requests: 4), Row(status: 21010, retry: .review, requests: 1),
    Row(status: 21104, isRetryable: true, retry: .later, requests: 4),
    Row(status: 21150, isRetryable: false, retry: .review, requests: 1),
    Row(status: 21199, retry: .later, requests: 4), Row(status: 21999, retry: .review, requests: 1),
  ]) func `T18 each status has its class, and none delivers`(_ row: Row) async throws {
    let (id, receipt) = try await setup.claim("P")
    setup.store.script(Fault(.receiptStatus(row.status, isRetryable: row.isRetryable), endpoint: .verifyReceipt, count: 1000))
    let time = Pauses()
    let client = try setup.client(setup.addresses, clock: time.clock)
    do throws(VerifyReceiptFault) {
      _ = try await client.verify(Array(receipt.utf8))
      Issue.record("status \(row.status) passed for an answer")
    } catch {
      #expect(error.retry == row.retry)
      #expect(error.statusCode == row.status)
      #expect(error.attempts == row.requests)
      #expect(time.spans.count == row.requests - 1)
      #expect(zip(time.spans, time.spans.dropFirst()).allSatisfy { $0 < $1 * 2 })
      for text in ["\(error)", String(reflecting: error)] {
        #expect(!text.contains(ReceiptSetup.secret) && !text.contains(receipt))
      }
    }
    if row.retry == .configurationAlarm {
      await #expect(throws: JobError.self) { try await setup.collect() }
      #expect(try await setup.progress() == [])
    } else {
      let outcome = try await setup.collect()
      #expect(outcome.unfinished.isEmpty == (row.retry != .later))
      #expect(outcome.missedCount == (row.retry == .later ? 0 : 1))
    }
    #expect(try await setup.answers().isEmpty)
    #expect(try await setup.scenario.rows(.charges, asOf: setup.asOf).isEmpty)
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.matches(asOf: setup.asOf) == [])
    // Only time is lost while Apple's final answer is missing.
    setup.store.clearFaults()
    await setup.store.advance(to: setup.store.now + .hours(13))
    _ = try await setup.collect()
    try await setup.scenario.decide(asOf: setup.asOf)
    let isOver = row.retry == .rejected || row.retry == .review
    #expect(try await setup.scenario.matches(asOf: setup.asOf) == (isOver ? [] : ["P \(id) M1"]))
    // The failed request is parked, and an operator may retry it once.
    let parked = try await setup.scenario.rows(.parked, asOf: setup.asOf).filter { $0["state"] == "open" }
    #expect(parked.map { $0["kind"] } == (isOver ? ["receipt"] : []))
    #expect(parked.allSatisfy { ($0["reason"] ?? "").contains("\(row.status)") })
    if isOver {
      try await setup.retryParked()
      #expect(try await setup.scenario.rows(.parked, asOf: setup.asOf).allSatisfy { $0["state"] == "retried" })
      _ = try await setup.collect()
      try await setup.scenario.decide(asOf: setup.asOf)
      #expect(try await setup.scenario.matches(asOf: setup.asOf) == ["P \(id) M1"])
    }
  }

  @Test("T18 a receipt that stays unreadable is given up after some runs") func unreadable() async throws {
    try await setup.claim("S")
    setup.store.script(Fault(.receiptStatus(21002, isRetryable: nil), endpoint: .verifyReceipt, count: 1000))
    for state in ["unreadable 1", "unreadable 2", "final 21002", "final 21002"] {
      _ = try await setup.collect()
      #expect(try await setup.progress() == [state])
      await setup.store.advance(to: setup.store.now + .hours(13))
    }
    #expect(setup.store.counters["Production verifyReceipt"] == 6)
  }

  @Test("a wrong secret stops the job, changes nothing, and is named nowhere") func wrongSecret() async throws {
    try setup.write(secret: "ffffffffffffffffffffffffffffffff")
    try await setup.claim("P")
    let before = try await setup.scenario.rows(.evidence, asOf: setup.asOf).count
    let error = try await #require(throws: JobError.self) { try await setup.collect() }
    #expect("\(error)".contains("21004") && !"\(error)".contains("ffffffff"), "\(error)")
    #expect(try await setup.scenario.rows(.evidence, asOf: setup.asOf).count == before)
    #expect(try await setup.progress() == [])
    try setup.write(secret: ReceiptSetup.secret + "\n")
    #expect(try await setup.collect().tally.accepted == 1)
    let secret = try #require(SharedSecret(Array(ReceiptSetup.secret.utf8)))
    var dumped = "\(secret) \(String(reflecting: secret))"
    dump(secret, to: &dumped)
    dump(try setup.client(setup.addresses), to: &dumped)
    #expect(!dumped.contains(ReceiptSetup.secret))
  }

  @Test("T19 a made-up id beside a genuine empty receipt pays for nothing") func emptyReceipt() async throws {
    try setup.store.change(.production) { _ = try $0.addCustomer("anna") }
    let receipt = setup.store.receipt(of: "anna", .production)
    try await setup.order("G", names: "FAB60FFD-1111-2222-3333-444455556666", evidence: try await setup.keep(receipt))
    #expect(try await setup.collect().tally.accepted == 1)
    #expect(try await setup.answers().map { $0["verdict"] } == ["genuine"])
    // The receipt has been answered.
    await setup.store.advance(to: setup.store.now + .days(2))
    #expect(try await setup.collect().tally.input == 0)
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.matches(asOf: setup.asOf) == [])
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf) == ["ORDER_NO_TX G"])
    _ = try await setup.collect(.transactions)
    try await setup.scenario.decide(asOf: setup.asOf)
    #expect(try await setup.scenario.matches(asOf: setup.asOf) == [])
    #expect(try await setup.scenario.openBreaks(asOf: setup.asOf).contains("GHOST_TX G"))
    // The counter of the device is at one.
    let signals = try await setup.scenario.rows(.signals, asOf: setup.asOf).filter { $0["rule"] == "R23" }
    #expect(signals.cells("subject_id score") == ["D-G 1"])
  }

  @Test("polling a stored receipt around its subscription's end finds the renewal") func renewal() async throws {
    let id = try setup.buy(StoreSetup.gold, .production)
    _ = try await setup.collect(.notifications)
    _ = try await setup.keep(setup.store.receipt(of: "anna", .production), chain: id)
    // The period has just begun.
    #expect(try await setup.collect().tally.input == 0)
    let end = try #require(setup.store.change(.production) { $0.subscription(id)?.expiresAt })
    await setup.store.advance(to: end - .days(2))
    #expect(try await setup.collect().tally.accepted == 1)
    #expect(try await setup.charges() == 1)
    // The receipt was answered a moment ago.
    #expect(try await setup.collect().tally.input == 0)
    await setup.store.advance(to: end + .minutes(1))
    #expect(try await setup.collect().tally.accepted == 1)
    #expect(try await setup.charges() == 2)
    // The renewal is known, so the next end is far away.
    await setup.store.advance(to: end + .days(2))
    #expect(try await setup.collect().tally.input == 0)
  }

  @Test("a receipt in the style of iOS 6 waits for Apple's answer, and is asked about once") func iOS6Style() async throws {
    func base64(_ pairs: [(String, String)]) -> String {
      let text = pairs.map { #""\#($0)" = "\#($1)";"# }.joined(separator: "\n")
      return Data("{\n\(text)\n}".utf8).base64EncodedString()
    }
    let purchase = [
      ("bid", "com.example.reader"), ("transaction-id", "430000000000001"), ("product-id", StoreSetup.coins),
      ("original-transaction-id", "430000000000001"), ("purchase-date-ms", "1793577500000"), ("quantity", "1"),
    ]
    let receipt = base64([("signature", "AhY="), ("purchase-info", base64(purchase)), ("pod", "43"), ("signing-status", "0")])
    try await setup.scenario.evidence([Scenario.upload(receipt, user: "U-1", at: setup.asOf)], asOf: setup.asOf)
    #expect(try await setup.charges() == 0)
    let row = purchase.map { #""\#($0.replacing("-", with: "_"))":"\#($1)""# }.joined(separator: ",")
    let answer = #"{"status":0,"environment":"Production","receipt":{\#(row)}}"#
    setup.store.script(Fault(.answer(answer), endpoint: .verifyReceipt, environment: .production))
    #expect(try await setup.collect().tally.accepted == 1)
    #expect(try await setup.charges() == 1)
    await setup.store.advance(to: setup.store.now + .days(1))
    #expect(try await setup.collect().tally.input == 0)
  }

  /// A service that is down, and a proxy that refuses.
  @Test("a run that was cut off asks only about what is left", arguments: [503, 403]) func resumes(_ status: Int) async throws {
    for customer in 0..<40 { try await setup.claim("P\(customer)", by: "customer \(customer)") }
    // The service fails in the middle of the run.
    setup.store.script(Fault(.status(status), endpoint: .verifyReceipt, after: 20, count: 1000))
    let cut = try await setup.collect()
    #expect(cut.verdict == .incomplete && cut.missedCount == 0)
    #expect(cut.tally.accepted == 20)
    setup.store.clearFaults()
    setup.store.resetCounters()
    let rest = try await setup.collect()
    #expect(rest.unfinished.isEmpty)
    #expect(rest.tally.accepted == 20)
    #expect(setup.store.counters["Production verifyReceipt"] == 20)
    #expect(try await setup.charges() == 40)
  }

  @Test("a receipt is never sent in the clear to another machine") func encryption() async throws {
    var addresses = APIAddresses()
    #expect(addresses.base(.verifyReceipt, .production) == "https://buy.itunes.apple.com")
    addresses.production = "http://192.0.2.1"
    let secret = try #require(SharedSecret(Array(ReceiptSetup.secret.utf8)))
    let client = VerifyReceiptClient(http: HTTPClient(connections: 1), addresses: addresses, sharedSecret: secret)
    await #expect { try await client.verify(Array("MIIC".utf8)) } throws: { error in
      (error as? VerifyReceiptFault)?.retry == .configurationAlarm
    }
    let elsewhere = APIAddresses(variables: ["PAYRECON_APPSTORE_URL": "http://[::1]:1"])
    #expect(elsewhere.base(.verifyReceipt, .production) == "http://[::1]:1")
    #expect(elsewhere.base(.verifyReceipt, .sandbox) == "https://sandbox.itunes.apple.com")
  }
}
