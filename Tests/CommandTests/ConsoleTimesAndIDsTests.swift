/// Times of the console in the zone of the account, and ids that are whole on every page.
@Suite(.cleansUp) struct ConsoleTimesAndIDsTests {
  @Test func anAccountChoosesItsTimeZone() async throws {
    let tim = try await console.browser("tim")
    let card = "/cases/\(ConsoleSetup.caseID("U2"))"
    try tim.get(card).expect(200, has: "2026-05-10 10:05:00 UTC")
    try tim.get("/me").expect(200, has: "<option value=\"Asia/Shanghai\">")
    #expect(try tim.post("/me", [("language", ""), ("zone", "Asia/Shanghai")]).status == 303)
    // The exact instant and the day of the timeline are local, the machine-readable instant is not.
    try tim.get(card).expect(
      200, has: "2026-05-10 18:05:00 +08:00", "datetime=\"2026-05-10T10:05:00Z\"", ">18:05:00</time>")
    // Half-hour zones and summer time.
    for (zone, text) in [
      ("Asia/Kolkata", "15:35:00 +05:30"), ("America/St_Johns", "07:35:00 -02:30"), ("Europe/Berlin", "12:05:00 +02:00"),
    ] {
      #expect(try tim.post("/me", [("zone", zone)]).status == 303)
      #expect(try tim.get(card).body.contains("2026-05-10 \(text)"), "\(zone)")
    }
    for zone in ["Asia/Peking", "../../etc/passwd", "UTC+8", "<b>", String(repeating: "A", count: 300)] {
      try tim.post("/me", [("zone", zone)]).expect(400, lacks: "<b>")
    }
    #expect(try tim.post("/me", [("zone", "")]).status == 303)
    #expect(try tim.get(card).body.contains("2026-05-10 10:05:00 UTC"))
  }

  @Test func timesAreRelativeAndDueTimesOverdue() async throws {
    let amy = try await console.browser("amy")
    let queue = try amy.get("/queue?name=ORDER_NO_TX").body
    // The clock of the setup is 2026-05-12T13:00:00Z.
    #expect(
      queue.firstMatch(of: /<time datetime="2026-05-\d\dT[^"]*" title="2026-05-[^"]* UTC" class="late">\d+ [dh] overdue<\/time>/) != nil,
      "\(queue)")
    // The runs started after the clock of the setup.
    let runs = try amy.get("/runs").body
    #expect(runs.firstMatch(of: /title="20[^"]* UTC">20[^<]*<\/time>/) != nil && !runs.contains(">in "), "\(runs)")
  }

  @Test func `a hash is whole in the text, so that a selection copies it without a script`() async throws {
    let amy = try await console.browser("amy")
    let id = ConsoleSetup.caseID("U2")
    #expect(try amy.get("/queue?severity=critical").body.contains("<a href=\"/cases/\(id)\"><span class=\"uid cut\">\(id)</span></a>"))
    let card = try amy.get("/cases/\(id)").body
    #expect(card.contains("<span class=\"uid\">PO-2</span>") && card.contains("Case \(id.prefix(12)),"), "\(card)")
    #expect(try amy.get("/").status == 303 && amy.get("/console.js").body.contains("navigator.clipboard"))
  }
}
