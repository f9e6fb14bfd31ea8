import AppStoreServer
import AppStoreSimulator
import Collect
import Domain
import JobCore
import Reports
import Testing
import TestSupport

/// Apps without an API key are polled with their stored receipts on the same schedule.
@Suite(.cleansUp) struct RenewalReceiptTests {
  @Test func storedReceiptRevealsTheRenewal() async throws {
    let desk = try await ReceiptDesk()
    let id = try desk.buy(StoreDesk.gold, .production)
    _ = try await desk.collect(.notifications)
    _ = try await desk.keep(desk.store.receipt(of: "anna", .production), chain: id)
    let end = try #require(desk.store.change(.production) { $0.subscription(id)?.expiresAt })
    await desk.store.advance(to: end - .days(2))
    #expect(try await poll(desk).askedCount == 0)
    // The poll runs between two hours before the end and the end, regardless of the other collector.
    await desk.store.advance(to: end - .minutes(10))
    #expect(try await poll(desk).askedCount == 1)
    #expect(try await poll(desk).askedCount == 0)
    #expect(try await desk.charges() == 1)
    await desk.store.advance(to: end + .hours(1))
    #expect(try await poll(desk).askedCount == 1)
    #expect(desk.store.counters["Production verifyReceipt"] == 2)
    #expect(desk.store.counters["Production statuses"] == nil)
    #expect(try await desk.scenario.rows(.subscriptions, asOf: desk.asOf).cells("status").first == "active")
    #expect(try await desk.scenario.rows(.renewalsToBook, asOf: desk.asOf).count == 1)
    await desk.store.advance(to: end + .days(2))
    #expect(try await poll(desk).askedCount == 0)
  }

  /// Polls as an app that has only a shared secret.
  private func poll(_ desk: ReceiptDesk) async throws -> RenewalPollJob.Outcome {
    var scenario = desk.scenario
    scenario.settings.apps[0].api?.keyFile = nil
    let access = try StoreAccess(context: try scenario.context(asOf: desk.asOf), addresses: desk.addresses)
    let clock = instant(desk.asOf)
    return try await RenewalPollJob(context: try scenario.context(asOf: desk.asOf), access: access, worker: "one", now: { clock }).run()
  }
}
