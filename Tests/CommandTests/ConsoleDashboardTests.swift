/// The dashboard's figures and bars, and the filtered queues to which they lead.
@Suite(.cleansUp) struct ConsoleDashboardTests {
  @Test func everyFigureAndBarLeadsToItsCases() async throws {
    let fay = try await console.browser("fay")
    let page = try fay.get("/dashboard").body
    expectParts(
      "Backlog", "Cases opened and decided", "Pending cases by class", "overdue", "At stake by currency", "Sandbox, no money", in: page)
    // A plot has a scale, ends with a day that is not complete and begins with the first case. Rules are marked as such.
    expectParts("<p class=\"scale\"><span>", "<span>2026-05-12, not complete</span>", "over the last 7 days", "(rule R01)", in: page)
    #expect(!page.contains("<span>2026-04-13</span>"))
    let links = Set(page.matches(of: /href="(\/(?:queue|decided|approvals)[^"]*)"/).map { String($0.output.1) })
    let filters = "late=yes currency=USD days= under= until=2026-05- day=2026-05- severity=critical name=ORDER_NO_TX"
    for filter in filters.split(separator: " ") { #expect(links.contains { $0.contains(filter) }, "\(filter): \(links)") }
    for link in links { #expect(try fay.get(ConsolePage.unescaped(link[...])).status == 200, "\(link)") }
  }

  @Test func aBacklogBarLeadsToTheCasesOpenedByTheEndOfItsDay() async throws {
    let fay = try await console.browser("fay")
    let bars = try fay.get("/dashboard").body.matches(of: /href="\/queue\?until=(2026-05-\d\d)&amp;aside=yes"/).map { String($0.output.1) }
    #expect(bars.last == "2026-05-12", "\(bars)")
    let all = Set(try fay.cases("/queue?aside=yes"))
    let early = Set(try fay.cases("/queue?aside=yes&until=2026-05-11"))
    let byDay = Set(try (1...11).flatMap { try fay.cases("/queue?aside=yes&day=2026-05-\($0 < 10 ? "0" : "")\($0)") })
    let last = Set(try fay.cases("/queue?aside=yes&day=2026-05-12"))
    // Other tests decide cases at the same time.
    let remaining = try all.intersection(fay.cases("/queue?aside=yes"))
    #expect(!early.isEmpty && remaining.intersection(byDay).isSubset(of: early))
    #expect(early.isDisjoint(with: last))
  }

  @Test func filtersSelect() async throws {
    let fay = try await console.browser("fay")
    let before = Set(try fay.cases("/queue?aside=yes"))
    let late = Set(try fay.cases("/queue?aside=yes&late=yes"))
    // Each case was opened on one day, and is either younger than two days or not.
    let (young, old) = (Set(try fay.cases("/queue?aside=yes&under=2")), Set(try fay.cases("/queue?aside=yes&days=2")))
    let days = try (1...12).map { Set(try fay.cases("/queue?aside=yes&day=2026-05-\($0 < 10 ? "0" : "")\($0)")) }
    // Other tests decide cases at the same time, and undo it: such a case may be missing from one list and be there again.
    let remaining = try before.intersection(fay.cases("/queue?aside=yes"))
    let decided = try await console.query("select string_agg(distinct case_id, ' ') from payrecon.case_decisions")
    let pending = remaining.subtracting(decided.split(separator: " ").map(String.init))
    #expect(!late.isEmpty && !pending.isEmpty)
    #expect(young.isDisjoint(with: old) && pending.isSubset(of: young.union(old)))
    #expect(pending.allSatisfy { id in days.filter { $0.contains(id) }.count == 1 } && days.filter { !$0.isEmpty }.count > 1)
    #expect(try fay.cases("/queue?currency=XAF").isEmpty && !fay.cases("/queue?currency=USD").isEmpty)
    for wrong in ["day=2026-13-01", "day=x", "day=2026-05-01T00:00:00Z", "under=-1", "under=x", "until=x"] {
      #expect(try fay.get("/queue?\(wrong)").status == 400, "\(wrong)")
    }
    #expect(try fay.get("/decided?day=x").status == 400)
  }

  @Test func decidedCasesAreListedAndUndoneOnesAreNot() async throws {
    let fay = try await console.browser("fay")
    let id = try await console.ownCase()
    #expect(try fay.post("/cases/\(id)/take").status == 303)
    let form = [("action", "dismiss"), ("outcome", "false_positive"), ("reason", "a known test of ours")]
    #expect(try fay.post("/cases/\(id)/decide", form).status == 303)
    for path in ["/decided", "/decided?day=2026-05-12", "/decided?name=ORDER_NO_TX"] {
      let page = try fay.get(path)
      #expect(page.cases.contains(id) && page.body.contains("a known test of ours"), "\(path): \(page.body)")
    }
    for path in ["/decided?day=2026-05-11", "/decided?name=R07"] { #expect(try !fay.get(path).cases.contains(id), "\(path)") }
    #expect(try fay.post("/cases/\(id)/undo", [("reason", "it was not")]).status == 303)
    #expect(try !fay.get("/decided").cases.contains(id))
  }
}
