import AppStore
import AppStoreServer
import AppStoreSimulator
import Collect
import Cryptography
import Domain
import Foundation
import HTTP
import JobCore
import Postgres
import Reports
import Synchronization
import Testing
import TestSupport

/// Apps on StoreKit 1: verifyReceipt answers for stored receipts. Its statuses never deliver anything.
@Suite(.cleansUp) struct ReceiptTests {
  @Test("T12 production says 21007, the sandbox 0: stored as Sandbox, and the order is a sandbox order") func sandbox() async throws {
    let desk = try await ReceiptDesk()
    let id = try desk.buy(StoreDesk.coins, .sandbox)
    let receipt = desk.store.receipt(of: "anna", .sandbox)
    try await desk.order("S", names: id, evidence: try await desk.keep(receipt))
    let outcome = try await desk.collect()
    #expect(outcome.unfinished.isEmpty)
    #expect(desk.store.counters["Production verifyReceipt"] == 1)
    #expect(desk.store.counters["Sandbox verifyReceipt"] == 1)
    let answers = try await desk.answers()
    #expect(answers.map { $0["environment"] } == ["Sandbox"])
    #expect(answers.map { $0["verdict"] } == ["genuine"])
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.matches(asOf: desk.asOf) == [])
    #expect(try await desk.scenario.openBreaks(asOf: desk.asOf) == ["SANDBOX_IN_PROD S"])
  }

  @Test("T13 a body of the sandbox is one of the sandbox, whatever the status and the address say") func misreadStatus() async throws {
    let desk = try await ReceiptDesk()
    let id = try desk.buy(StoreDesk.coins, .sandbox)
    let receipt = desk.store.receipt(of: "anna", .sandbox)
    let request = #"{"receipt-data":"\#(receipt)","password":"\#(ReceiptDesk.secret)"}"#
    let response = desk.store.respond(to: StoreRequest(method: "POST", path: "/sandbox/verifyReceipt", body: Array(request.utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    let misread = text.replacingOccurrences(of: #""status":0"#, with: #""status":21007"#)
    try #require(misread != text)
    desk.store.script(Fault(.answer(misread), endpoint: .verifyReceipt, environment: .production, count: 2))
    desk.store.resetCounters()
    let reply = try await desk.client(desk.addresses).verify(Array(receipt.utf8))
    #expect(reply.environment == .sandbox)
    #expect(reply.answer.hasRows)
    #expect(reply.attempts == 1)
    #expect(desk.store.counters["Sandbox verifyReceipt"] == nil)
    // The production address answers for the sandbox: status 0, and still no production purchase.
    var addresses = desk.addresses
    addresses.production = desk.store.url(.sandbox)
    let strayed = try await desk.client(addresses).verify(Array(receipt.utf8))
    #expect(strayed.answer.status.code == 0)
    #expect(strayed.environment == .sandbox)
    _ = try await desk.keep(receipt, orderNames: id)
    _ = try await desk.collect()
    #expect(try await desk.answers().map { $0["environment"] } == ["Sandbox"])
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.openBreaks(asOf: desk.asOf) == ["SANDBOX_IN_PROD S"])
  }

  @Test("swapped addresses are noticed, and both sides are asked once") func swappedAddresses() async throws {
    let desk = try await ReceiptDesk()
    _ = try desk.buy(StoreDesk.coins, .production)
    var addresses = desk.addresses
    swap(&addresses.production, &addresses.sandbox)
    let reply = try await desk.client(addresses).verify(Array(desk.store.receipt(of: "anna", .production).utf8))
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

  @Test(
    "T18 each status has its class, and none delivers",
    arguments: [
      Row(status: 21000, retry: .configurationAlarm, requests: 1), Row(status: 21001, retry: .briefly, requests: 2),
      Row(status: 21002, retry: .briefly, requests: 2), Row(status: 21003, retry: .rejected, requests: 1),
      Row(status: 21004, retry: .configurationAlarm, requests: 1), Row(status: 21005, retry: .later, requests: 4),
      Row(status: 21009, retry: .later, requests: 4), Row(status: 21010, retry: .review, requests: 1),
      Row(status: 21104, isRetryable: true, retry: .later, requests: 4),
      Row(status: 21150, isRetryable: false, retry: .review, requests: 1),
      Row(status: 21199, retry: .later, requests: 4), Row(status: 21999, retry: .review, requests: 1),
    ])
  func statuses(_ row: Row) async throws {
    let desk = try await ReceiptDesk()
    let id = try desk.buy(StoreDesk.coins, .production)
    let receipt = desk.store.receipt(of: "anna", .production)
    try await desk.order("P", names: id, evidence: try await desk.keep(receipt))
    let fault = Fault(
      .receiptStatus(row.status, isRetryable: row.isRetryable), endpoint: .verifyReceipt, count: 1000)
    desk.store.script(fault)
    let time = Pauses()
    let client = try desk.client(desk.addresses, clock: time.clock)
    do throws(VerifyReceiptFault) {
      _ = try await client.verify(Array(receipt.utf8))
      Issue.record("status \(row.status) passed for an answer")
    } catch {
      #expect(error.retry == row.retry)
      #expect(error.statusCode == row.status)
      #expect(error.attempts == row.requests)
      #expect(time.spans.count == row.requests - 1)
      let growing = zip(time.spans, time.spans.dropFirst()).allSatisfy { $0 < $1 * 2 }
      #expect(growing)
      for text in ["\(error)", String(reflecting: error)] {
        #expect(!text.contains(ReceiptDesk.secret) && !text.contains(receipt))
      }
    }
    if row.retry == .configurationAlarm {
      await #expect(throws: JobError.self) { try await desk.collect() }
      #expect(try await desk.progress() == [])
    } else {
      let outcome = try await desk.collect()
      #expect(outcome.unfinished.isEmpty == (row.retry != .later))
      #expect(outcome.missedCount == (row.retry == .later ? 0 : 1))
    }
    #expect(try await desk.answers().isEmpty)
    #expect(try await desk.scenario.rows(.charges, asOf: desk.asOf).isEmpty)
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.matches(asOf: desk.asOf) == [])
    // Only time is lost while Apple's final answer is missing.
    desk.store.clearFaults()
    await desk.store.advance(to: desk.store.now + .hours(13))
    _ = try await desk.collect()
    try await desk.scenario.decide(asOf: desk.asOf)
    let isOver = row.retry == .rejected || row.retry == .review
    #expect(try await desk.scenario.matches(asOf: desk.asOf) == (isOver ? [] : ["P \(id) M1"]))
    // The failed request is parked, and an operator may retry it once.
    let parked = try await desk.scenario.rows(.parked, asOf: desk.asOf).filter { $0["state"] == "open" }
    #expect(parked.map { $0["kind"] } == (isOver ? ["receipt"] : []))
    #expect(parked.allSatisfy { ($0["reason"] ?? "").contains("\(row.status)") })
    if isOver {
      try await desk.retryParked()
      #expect(try await desk.scenario.rows(.parked, asOf: desk.asOf).allSatisfy { $0["state"] == "retried" })
      _ = try await desk.collect()
      try await desk.scenario.decide(asOf: desk.asOf)
      #expect(try await desk.scenario.matches(asOf: desk.asOf) == ["P \(id) M1"])
    }
  }

  @Test("T18 a receipt that stays unreadable is given up after some runs") func unreadable() async throws {
    let desk = try await ReceiptDesk()
    let id = try desk.buy(StoreDesk.coins, .production)
    _ = try await desk.keep(desk.store.receipt(of: "anna", .production), orderNames: id)
    desk.store.script(Fault(.receiptStatus(21002, isRetryable: nil), endpoint: .verifyReceipt, count: 1000))
    for state in ["unreadable 1", "unreadable 2", "final 21002", "final 21002"] {
      _ = try await desk.collect()
      #expect(try await desk.progress() == [state])
      await desk.store.advance(to: desk.store.now + .hours(13))
    }
    #expect(desk.store.counters["Production verifyReceipt"] == 6)
  }

  @Test("a wrong secret stops the job, changes nothing, and is named nowhere") func wrongSecret() async throws {
    let desk = try await ReceiptDesk(secret: "ffffffffffffffffffffffffffffffff")
    let id = try desk.buy(StoreDesk.coins, .production)
    try await desk.order("P", names: id, evidence: try await desk.keep(desk.store.receipt(of: "anna", .production)))
    let before = try await desk.scenario.rows(.evidence, asOf: desk.asOf).count
    do {
      _ = try await desk.collect()
      Issue.record("a wrong secret went unnoticed")
    } catch let error as JobError {
      #expect("\(error)".contains("21004"))
      #expect(!"\(error)".contains("ffffffff"))
    }
    #expect(try await desk.scenario.rows(.evidence, asOf: desk.asOf).count == before)
    #expect(try await desk.progress() == [])
    try desk.write(secret: ReceiptDesk.secret + "\n")
    #expect(try await desk.collect().tally.accepted == 1)
    let secret = try #require(SharedSecret(Array(ReceiptDesk.secret.utf8)))
    var dumped = "\(secret) \(String(reflecting: secret))"
    dump(secret, to: &dumped)
    dump(try desk.client(desk.addresses), to: &dumped)
    #expect(!dumped.contains(ReceiptDesk.secret))
  }

  @Test("T19 a made-up id beside a genuine empty receipt pays for nothing") func emptyReceipt() async throws {
    let desk = try await ReceiptDesk()
    try desk.store.change(.production) { _ = try $0.addCustomer("anna") }
    let receipt = desk.store.receipt(of: "anna", .production)
    try await desk.order("G", names: "FAB60FFD-1111-2222-3333-444455556666", evidence: try await desk.keep(receipt))
    let outcome = try await desk.collect()
    #expect(outcome.tally.accepted == 1)
    #expect(try await desk.answers().map { $0["verdict"] } == ["genuine"])
    // The receipt has been answered.
    await desk.store.advance(to: desk.store.now + .days(2))
    #expect(try await desk.collect().tally.input == 0)
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.matches(asOf: desk.asOf) == [])
    #expect(try await desk.scenario.openBreaks(asOf: desk.asOf) == ["ORDER_NO_TX G"])
    _ = try await desk.collect(.transactions)
    try await desk.scenario.decide(asOf: desk.asOf)
    #expect(try await desk.scenario.matches(asOf: desk.asOf) == [])
    #expect(try await desk.scenario.openBreaks(asOf: desk.asOf).contains("GHOST_TX G"))
    // The counter of the device is at one.
    let signals = try await desk.scenario.rows(.signals, asOf: desk.asOf).filter { $0["rule"] == "R23" }
    #expect(signals.cells("subject_id score") == ["D-G 1"])
  }

  @Test("polling a stored receipt around its subscription's end finds the renewal") func renewal() async throws {
    let desk = try await ReceiptDesk()
    let id = try desk.buy(StoreDesk.gold, .production)
    _ = try await desk.collect(.notifications)
    _ = try await desk.keep(desk.store.receipt(of: "anna", .production), chain: id)
    // The period has just begun.
    #expect(try await desk.collect().tally.input == 0)
    let end = try #require(desk.store.change(.production) { $0.subscription(id)?.expiresAt })
    await desk.store.advance(to: end - .days(2))
    #expect(try await desk.collect().tally.accepted == 1)
    #expect(try await desk.charges() == 1)
    // The receipt was answered a moment ago.
    #expect(try await desk.collect().tally.input == 0)
    await desk.store.advance(to: end + .minutes(1))
    #expect(try await desk.collect().tally.accepted == 1)
    #expect(try await desk.charges() == 2)
    // The renewal is known, so the next end is far away.
    await desk.store.advance(to: end + .days(2))
    #expect(try await desk.collect().tally.input == 0)
  }

  @Test("a receipt in the style of iOS 6 waits for Apple's answer, and is asked about once") func iOS6Style() async throws {
    let desk = try await ReceiptDesk()
    func base64(_ pairs: [(String, String)]) -> String {
      let text = pairs.map { #""\#($0)" = "\#($1)";"# }.joined(separator: "\n")
      return Data("{\n\(text)\n}".utf8).base64EncodedString()
    }
    let purchase = [
      ("bid", "com.example.reader"), ("transaction-id", "430000000000001"), ("product-id", StoreDesk.coins),
      ("original-transaction-id", "430000000000001"), ("purchase-date-ms", "1793577500000"), ("quantity", "1"),
    ]
    let receipt = base64([("signature", "AhY="), ("purchase-info", base64(purchase)), ("pod", "43"), ("signing-status", "0")])
    try await desk.scenario.evidence([Scenario.upload(receipt, user: "U-1", at: desk.asOf)], asOf: desk.asOf)
    #expect(try await desk.charges() == 0)
    let row = purchase.map { #""\#($0.replacing("-", with: "_"))":"\#($1)""# }.joined(separator: ",")
    let answer = #"{"status":0,"environment":"Production","receipt":{\#(row)}}"#
    desk.store.script(Fault(.answer(answer), endpoint: .verifyReceipt, environment: .production))
    #expect(try await desk.collect().tally.accepted == 1)
    #expect(try await desk.charges() == 1)
    await desk.store.advance(to: desk.store.now + .days(1))
    #expect(try await desk.collect().tally.input == 0)
  }

  @Test("a run that was cut off asks only about what is left") func resumes() async throws {
    let desk = try await ReceiptDesk()
    for customer in 0..<40 {
      let name = "customer \(customer)"
      let id = try desk.buy(StoreDesk.coins, .production, for: name)
      let receipt = desk.store.receipt(of: name, .production)
      try await desk.order("P\(customer)", names: id, evidence: try await desk.keep(receipt))
    }
    // The service fails in the middle of the run.
    desk.store.script(Fault(.status(503), endpoint: .verifyReceipt, after: 20, count: 1000))
    let cut = try await desk.collect()
    #expect(cut.verdict == .incomplete)
    #expect(cut.tally.accepted == 20)
    desk.store.clearFaults()
    desk.store.resetCounters()
    let rest = try await desk.collect()
    #expect(rest.unfinished.isEmpty)
    #expect(rest.tally.accepted == 20)
    #expect(desk.store.counters["Production verifyReceipt"] == 20)
    #expect(try await desk.charges() == 40)
  }

  @Test("a receipt is never sent in the clear to another machine") func encryption() async throws {
    var addresses = APIAddresses()
    #expect(addresses.base(.verifyReceipt, .production) == "https://buy.itunes.apple.com")
    addresses.production = "http://192.0.2.1"
    let secret = try #require(SharedSecret(Array(ReceiptDesk.secret.utf8)))
    let client = VerifyReceiptClient(http: HTTPClient(connections: 1), addresses: addresses, sharedSecret: secret)
    await #expect { try await client.verify(Array("MIIC".utf8)) } throws: { error in
      (error as? VerifyReceiptFault)?.retry == .configurationAlarm
    }
    let elsewhere = APIAddresses(variables: ["PAYRECON_APPSTORE_URL": "http://[::1]:1"])
    #expect(elsewhere.base(.verifyReceipt, .production) == "http://[::1]:1")
    #expect(elsewhere.base(.verifyReceipt, .sandbox) == "https://sandbox.itunes.apple.com")
  }
}
