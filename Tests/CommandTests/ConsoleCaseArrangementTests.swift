import FoundationEssentials

/// Arrangements of cases besides decisions: snoozed, assigned, followed, decided in bulk.
@Suite(.serialized) struct ConsoleCaseArrangementTests {
  @Test func `a snoozed case leaves the queue until its day, or until a new finding joins it`() async throws {
    let (ann, gil) = (try await console.browser("ann"), try await console.browser("gil"))
    let id = try await console.ownCase()
    let path = "/cases/\(id)"
    let day = [("until", "2026-05-20"), ("reason", "asked the customer")]
    #expect(try gil.post("\(path)/take").status == 303)
    try ann.post("\(path)/snooze", day).expect(409, says: "somebody else has it")
    #expect(try gil.post("\(path)/snooze", day).done == "snooze")
    #expect(try await console.count("case_leases where case_id = '\(id)'") == 0)
    #expect(try !ann.cases("/queue?app=com.acme.kids").contains(id))
    #expect(try ann.cases("/queue?app=com.acme.kids&aside=yes").contains(id))
    #expect(try ann.get(path).body.contains("title=\"2026-05-20 00:00:00 UTC\">2026-05-20 00:00:00</time>"))
    // The command line agrees.
    let setup = try await console.setup()
    let clock = try await console.query("select payrecon.rfc3339(max(at)) from payrecon.case_marks")
    try await setup.program("queue", "list", "--as-of", clock, prints: "\(id),open,", "2026-05-20T00:00:00Z")
    let snoozed = "select count(*) from payrecon.snoozed_at"
    #expect(try await console.query("\(snoozed)('2026-05-19T23:59:59Z') where case_id = '\(id)'") == "1")
    #expect(try await console.query("\(snoozed)('2026-05-20T00:00:00Z') where case_id = '\(id)'") == "0")
    #expect(try ann.post("\(path)/wake").done == "wake")
    #expect(try ann.cases("/queue?app=com.acme.kids").contains(id))
    #expect(try ann.post("\(path)/wake").status == 409)
    // A break that is newer than the snooze brings the case back.
    #expect(try ann.post("\(path)/snooze", day).done == "snooze")
    try await console.query("update payrecon.case_marks set item_ids = '{}' where case_id = '\(id)' and topic = 'snooze'")
    #expect(try await console.query("\(snoozed)('2026-05-13T00:00:00Z') where case_id = '\(id)'") == "0")
    try await console.query("delete from payrecon.console_gathered")
    #expect(try ann.cases("/queue?app=com.acme.kids").contains(id))
    #expect(try await console.acts("subject = '\(id)' and act like 'case_%'") == "case_taken case_snoozed case_woken case_snoozed")
  }

  @Test func assignedCaseIsTheNextOne() async throws {
    let (ann, kit, lou) = (try await console.browser("ann"), try await console.browser("kit"), try await console.browser("lou"))
    let id = try await console.ownCase()
    #expect(try ann.get("/cases/\(id)").body.contains("<option>kit</option>"))
    #expect(try ann.post("/cases/\(id)/assign", [("assignee", "kit")]).done == "assign")
    #expect(try ann.cases("/queue?assignee=kit") == [id])
    // The navigation counts it for kit, and the act of ann until kit has seen it.
    func counted(_ list: String) throws -> Bool { try kit.get("/lists").body.contains("\(list) <b class=\"count\">1</b>") }
    #expect(try counted("Mine") && counted("Notifications"))
    #expect(try kit.get("/following").cases == [id])
    #expect(try counted("Mine") && !counted("Notifications"))
    let next = try lou.post("/next").header("location") ?? ""
    #expect(next.hasPrefix("/cases/") && !next.contains(id), "\(next)")
    #expect(try kit.post("/next").header("location") == "/cases/\(id)")
    #expect(try ann.post("/cases/\(id)/assign").done == "assign")
    #expect(try ann.post("/cases/\(id)/assign").status == 409)
    // An account sees only the cases of its inboxes and cannot be assigned others.
    try ann.post("/cases/\(ConsoleSetup.caseID("U2"))/assign", [("assignee", "ops")]).expect(400, says: "nobody who could work on it")
  }

  @Test func followedCasesShowTheirLastAct() async throws {
    let (ann, gil) = (try await console.browser("ann"), try await console.browser("gil"))
    let id = try await console.ownCase()
    #expect(try ann.post("/cases/\(id)/follow").done == "follow")
    #expect(try ann.post("/cases/\(id)/follow").status == 409)
    #expect(try gil.post("/cases/\(id)/note", [("note", "called")]).status == 303)
    #expect(try ann.get("/following").body.contains("note by gil"))
    #expect(try !gil.get("/following").cases.contains(id))
    #expect(try ann.post("/cases/\(id)/unfollow").done == "unfollow")
    #expect(try !ann.get("/following").cases.contains(id))
  }

  @Test func `a note that names an account, and an assignment, notify it`() async throws {
    let (ann, gil) = (try await console.browser("ann"), try await console.browser("gil"))
    let (mentioned, assigned) = (try await console.ownCase(), try await console.ownCase())
    let note = "please look, @GIL. Not for @gilbert, @rex or x@example.com"
    #expect(try ann.post("/cases/\(mentioned)/note", [("note", note)]).status == 303)
    #expect(try ann.post("/cases/\(assigned)/assign", [("assignee", "gil")]).done == "assign")
    let page = try gil.get("/following")
    #expect(page.cases.contains(mentioned) && page.cases.contains(assigned), "\(page.body)")
    expectParts("note by ann", "assignment by ann", "mentioned", "assigned", in: page.body)
    #expect(try !ann.get("/following").cases.contains(mentioned))
    let names = "select array_to_string(mentions, ' ') from payrecon.case_notes where case_id = '\(mentioned)'"
    #expect(try await console.query(names) == "gil")
  }

  /// The preview changes nothing. A confirmed bulk decision is one batch and can be undone as one.
  @Test func casesAreDecidedInBulk() async throws {
    let (ann, gil) = (try await console.browser("ann"), try await console.browser("gil"))
    var ids: [String] = []
    for _ in 0..<5 { ids.append(try await console.ownCase()) }
    #expect(try gil.post("/cases/\(ids[0])/take").status == 303)
    let offered = try ann.get("/bulk?app=com.acme.kids").chosen
    #expect(offered.contains(ids[1]) && !offered.contains(ids[0]))
    // None is chosen at first; the page offers to choose all.
    let (unchosen, all) = (try ann.get("/bulk?app=com.acme.kids").body, try ann.get("/bulk?app=com.acme.kids&all=yes").body)
    // Other tests add cases between the requests, so each page is compared with itself.
    func boxCount(_ page: String) -> Int { page.components(separatedBy: "type=\"checkbox\" name=\"case\"").count - 1 }
    #expect(!unchosen.contains(" checked") && unchosen.contains("Select all \(boxCount(unchosen))"))
    #expect(boxCount(all) > 4 && all.components(separatedBy: " checked>").count == boxCount(all) + 1)
    let unsaid = try ann.post("/bulk", [("action", ""), ("outcome", "confirmed"), ("reason", "one cause"), ("case", ids[1])])
    #expect(unsaid.status == 400 && unsaid.body.contains("value=\"one cause\"") && unsaid.body.contains("value=\"\(ids[1])\" checked"))
    let form = [("action", "accept"), ("outcome", "confirmed"), ("reason", "one cause")] + ids.map { ("case", $0) }
    let preview = try ann.post("/bulk", form)
    #expect(preview.status == 200 && preview.body.contains("4 would be decided, 1 left") && preview.cases == [ids[0]])
    let decided = "select count(*) from payrecon.case_decisions where case_id in ('\(ids.joined(separator: "','"))')"
    #expect(try await console.query(decided) == "0")
    let done = try ann.post("/bulk", form + [("confirmed", "yes")])
    let place = try #require(done.header("location"))
    #expect(place.wholeMatch(of: /\/batches\/[0-9a-f]{32}/) != nil, "\(place)")
    #expect(try await console.query(decided) == "4")
    #expect(try ann.get(place).cases.sorted() == ids.dropFirst().sorted())
    let batch = String(place.dropFirst("/batches/".count))
    #expect(try await console.count("audit_log where details like '%\(batch)%'") == 4)
    // Only the account that decided the batch can undo it.
    #expect(try gil.post("\(place)/undo", [("reason", "no")]).status == 409)
    #expect(try ann.post("\(place)/undo", [("reason", "the wrong cause")]).header("location") == place)
    #expect(try await console.count("case_undos where reason = 'the wrong cause'") == 4)
    #expect(try ann.post("/bulk", form.map { $0.0 == "action" ? ("action", "forced_match") : $0 }).status == 400)
    // A batch whose cases all have another assignee is empty.
    let none = [("action", "accept"), ("outcome", "confirmed"), ("reason", "x"), ("case", ids[0]), ("confirmed", "yes")]
    #expect(try ann.post("/bulk", none).status == 409)
  }

  @Test func reloadedPageHasNoMessage() async throws {
    let ann = try await console.browser("ann")
    let path = "/cases/\(try await console.ownCase())"
    #expect(try ann.post("\(path)/take").header("location") == path)
    let cookie = "Cookie: payrecon_session=\(ann.token); payrecon_done=take"
    let first = try Browser(port: ann.port).get(path, headers: [cookie])
    #expect(first.message == "Assigned to you for 30 minutes." && first.header("set-cookie")?.contains("Max-Age=0") == true)
    #expect(try ann.get(path).message.isEmpty)
    #expect(try Browser(port: ann.port).get(path, headers: [cookie + "x"]).message.isEmpty)
  }

  @Test func commandLineArrangesAlike() async throws {
    let setup = try await console.setup()
    let id = try await console.ownCase()
    // The clock is not ahead of the console's.
    #expect(try await console.browser("ann").get("/queue").status == 200)
    let clock = try await console.query("select payrecon.rfc3339(max(at)) from payrecon.audit_log where act = 'record_viewed'")
    func queue(_ words: String...) async throws -> Execution {
      try await setup.program.run([Program.path, "queue"] + words + ["--as-of", clock])
    }
    #expect(try await queue("snooze", id, "--until", "2026-05-14T00:00:00Z", "--reason", "wait").status == 0)
    #expect(try await queue("wake", id).text == "queue: it waits again\n")
    #expect(try await queue("assign", id, "amy").text == "queue: it is for amy\n")
    #expect(try await queue("assign", id, "rex").status == 64)
    #expect(try await queue("assign", id).status == 0)
    #expect(try await queue("follow", id).status == 0)
    #expect(try await queue("follow", id, "--end").status == 0)
    let ids = [try await console.ownCase(), try await console.ownCase()]
    let words = ["decide"] + ids + ["--action", "accept", "--reason", "known"]
    let preview = [Program.path, "queue"] + words + ["--dry-run", "--as-of", clock]
    try await setup.program.run(preview, text: "queue: would be decided 2, left 0\n")
    let done = try await setup.program.run([Program.path, "queue"] + words + ["--as-of", clock])
    let batch = try #require(done.text.firstMatch(of: /queue: decided 2, left 0, batch ([0-9a-f]{32})\n/)).output.1
    let undone = try await queue("undo", "--batch", String(batch), "--reason", "not so")
    #expect(undone.text == "queue: undone 2, proposed 0, left 0\n", "\(undone.complaint)")
    #expect(try await queue("undo", "--batch", String(repeating: "0", count: 32), "--reason", "x").status == 64)
  }
}
