/// A night without other jobs settles the due renewals and plans those of the next day.
@Suite(.cleansUp) struct RenewalNightTests {
  private static func night(_ setup: RenewalSetup, _ name: String) async throws -> NightlyJob.Outcome {
    try await setup.readMail()
    return try await NightlyJob(context: try setup.scenario.context(asOf: setup.now)).run(
      inbox: nil, reportDirectory: "\(setup.scenario.directory)/\(name)")
  }

  @Test func settlesAndPlans() async throws {
    let setup = try await RenewalSetup(start: "2026-02-01T00:00:00Z", lossPercent: 0)
    // No renewal is known, so the night reports none.
    #expect(try await Self.night(setup, "empty").renewals == nil)
    for number in 0..<5 {
      let id = try await setup.subscribe("C\(number)", .week, at: Moment("2026-02-01T12:00:00Z")! + .minutes(number))
      if number == 0 { try setup.store.change(.production) { try $0.setRenewing(id, false) } }
    }
    // In Shanghai it is four in the morning of the seventh. All periods end on the eighth.
    await setup.store.advance(to: Moment("2026-02-06T20:00:00Z")!)
    let planned = try #require(try await Self.night(setup, "plan").renewals)
    #expect(planned.plans.map(\.day) == ["2026-02-08"])
    #expect(planned.plans.map(\.memberCount) == [5])
    #expect(planned.settled.changedCount == 0)
    let again = try #require(try await Self.night(setup, "plan").renewals)
    #expect(again.plans.allSatisfy { $0.forecastCount == nil && $0.memberCount == 5 })
    await setup.store.advance(to: Moment("2026-02-09T20:00:00Z")!)
    let settled = try #require(try await Self.night(setup, "settle").renewals)
    #expect(settled.settled.changedCount == 5)
    #expect(settled.settled.counts.map(\.outcome).sorted() == ["expired_voluntary", "renewed_on_time"])
    #expect(settled.summary == "5 outcomes new or changed; plan 2026-02-11 com.example.reader: 0 due")
  }
}
