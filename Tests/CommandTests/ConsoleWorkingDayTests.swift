import FoundationEssentials

/// A working day in the console, from the queue to the signed bytes.
@Suite(.serialized) struct ConsoleWorkingDayTests {
  @Test func aBanNeedsTwoPeople() async throws {
    let (dora, eve, ann) = (try await console.browser("dora"), try await console.browser("eve"), try await console.browser("ann"))
    let path = "/cases/\(ConsoleSetup.caseID("U2"))"
    let ban = [("action", "ban"), ("outcome", "confirmed"), ("reason", "replay")]
    #expect(try dora.post("\(path)/decide", ban).status == 409)
    #expect(try dora.post("\(path)/take").done == "take")
    try ann.post("\(path)/take").expect(409, says: "dora has it until 20")
    #expect(try dora.post("\(path)/decide", ban).done == "proposed")
    try dora.post("\(path)/approve", [("reason", "sure")]).expect(409, says: "a second person must decide")
    #expect(try eve.post("\(path)/approve", [("reason", "")]).status == 400)
    #expect(try eve.get(path).body.contains("Approve"))
    #expect(try eve.post("\(path)/approve", [("reason", "seen")]).done == "approve")
    #expect(try ann.get(path).body.contains("<h2>Decided: ban <small>fraud confirmed</small></h2>"))
    let said = try await console.query(
      """
      select step || ' ' || decided_by || ' ' || coalesce(approved_by, '-') || ' ' || account from payrecon.case_decisions
      where subject_id = 'U2' order by at
      """)
    #expect(said == "proposed dora - dora\neffective dora eve eve")
    // A decision about a user by two people needs two people to undo.
    #expect(try eve.post("\(path)/undo", [("reason", "wrong one")]).done == "undo_proposed")
    for page in ["/queue?name=R01", "/decided", "/breaks?name=REPLAY_MULTI_USER", path] {
      try dora.get(page).expect(200, has: "<span class=\"badge undo_proposed\">in force, undo proposed</span>")
    }
    try dora.get(path).expect(
      200, has: "In force, undo proposed: ban <small>fraud confirmed", "eve asks to undo it:</p><q>wrong one</q>", "the decision stands")
    let due = "select due_at is not null and proposed_at is not null from payrecon.console_cases where subject_id = 'U2'"
    #expect(try await console.query(due) == "t")
    try dora.get("/approvals").expect(200, has: "undo of the ban", "wrong one", lacks: ">replay</td>")
    // Who proposed the decision is notified, and then who proposed the undo.
    #expect(try dora.get("/following").body.contains("undo proposed by eve"))
    #expect(try !eve.get("/following").cases.contains(ConsoleSetup.caseID("U2")))
    #expect(try eve.post("\(path)/approve", [("reason", "sure")]).status == 409)
    #expect(try dora.post("\(path)/approve", [("reason", "yes")]).status == 303)
    #expect(try eve.get("/following").body.contains("undo effective by dora"))
    #expect(try await console.count("case_undos where step = 'effective' and case_id = '\(ConsoleSetup.caseID("U2"))'") == 1)
    try await console.setup().program("audit", "verify", exits: 0)
  }

  @Test func `a page that was opened before another proposal approves nothing`() async throws {
    let (ann, dora) = (try await console.browser("ann"), try await console.browser("dora"))
    let path = "/cases/\(try await console.ownCase())"
    func proposed(_ outcome: String) throws -> String {
      _ = try ann.post("\(path)/take")
      #expect(try ann.post("\(path)/decide", [("action", "write_off"), ("outcome", outcome), ("reason", "small")]).done == "proposed")
      return try #require(dora.get(path).body.firstMatch(of: /name="proposal" value="([0-9a-f]+)"/).map { String($0.output.1) })
    }
    let first = try proposed("suspected")
    #expect(try ann.post("\(path)/withdraw", [("proposal", first), ("reason", "too early")]).done == "withdraw")
    let second = try proposed("confirmed")
    for act in ["approve", "reject"] {
      try dora.post("\(path)/\(act)", [("proposal", first), ("reason", "agreed")]).expect(409, says: "something else was proposed")
    }
    #expect(try dora.post("\(path)/approve", [("proposal", second), ("reason", "agreed")]).done == "approve")
  }

  @Test func `the account counts as the person, in the console and on the command line`() async throws {
    let bob = try await console.browser("test_bob")
    let id = try await console.ownCase()
    #expect(try bob.post("/cases/\(id)/take").status == 303)
    let proposal = [("action", "write_off"), ("outcome", "confirmed"), ("reason", "too small")]
    #expect(try bob.post("/cases/\(id)/decide", proposal).status == 303)
    // The clock of the command line must not be ahead of the console's.
    let clock = try await console.query("select payrecon.rfc3339(max(at)) from payrecon.case_decisions")
    let login = try await console.setup().login("bob")
    try await login(
      "queue", "approve", id, "--reason", "me too", "--person", "robert", "--as-of", clock, exits: 2, complains: "second person")
    let other = try await console.setup().login("cat")
    try await other(
      "queue", "approve", id, "--proposal", "0", "--reason", "seen", "--as-of", clock, exits: 2, complains: "something else was proposed")
    try await other("queue", "approve", id, "--reason", "seen", "--as-of", clock, exits: 0)
    #expect(
      try await console.query("select account from payrecon.case_decisions where case_id = '\(id)' and step = 'effective'") == "test_cat")
  }

  @Test func decisionsCanBeUndoneWithinTenMinutes() async throws {
    let (ann, fay) = (try await console.browser("ann"), try await console.browser("fay"))
    let id = try await console.ownCase()
    let path = "/cases/\(id)"
    #expect(try fay.get("/queue?name=ORDER_NO_TX&amount=2").cases.contains(id))
    #expect(try ann.post("\(path)/take").status == 303)
    // Nothing is chosen in the form, and the server refuses a missing choice. What was typed is kept.
    let fresh = try ann.get(path).body
    #expect(fresh.contains("<select name=\"outcome\" required><option value=\"\">") && !fresh.contains(" selected"))
    for missing in ["action", "outcome"] {
      let form = [("action", "accept"), ("outcome", "confirmed"), ("reason", "kept words")].map { $0.0 == missing ? ($0.0, "") : $0 }
      try ann.post("\(path)/decide", form).expect(400, has: "value=\"kept words\"", " selected>")
    }
    try ann.post("\(path)/decide", [("action", "dismiss"), ("outcome", "confirmed"), ("reason", "x")])
      .expect(400, says: "contradicts the outcome")
    let dismissal = [("action", "dismiss"), ("outcome", "false_positive"), ("reason", "a gift"), ("until", "2026-12-31")]
    #expect(try ann.post("\(path)/decide", dismissal).done == "decided")
    #expect(try await console.query("select outcome from payrecon.case_decisions where case_id = '\(id)'") == "false_positive")
    #expect(try !fay.get("/queue?name=ORDER_NO_TX&amount=2").cases.contains(id))
    // The card says what was decided, by whom, why, and what it does.
    try ann.get(path).expect(200, has: "Decided: dismiss", "<strong>ann</strong> decided", "<q>a gift</q>", "Nothing else happens")
    try fay.get("/decided").expect(200, has: "dismiss: nothing is wrong", "false alarm")
    try fay.post("\(path)/undo", [("reason", "no")]).expect(409, says: "you decided nothing")
    #expect(try ann.post("\(path)/undo", [("reason", "wrong line")]).done == "undone")
    #expect(try ann.get(path).body.contains("Take it"))
    let bad = [("action", "dismiss"), ("outcome", "false_positive"), ("reason", "x"), ("until", "soon")]
    let pairless = [("action", "forced_match"), ("outcome", "confirmed"), ("reason", "x")]
    #expect(try ann.post("\(path)/take").status == 303)
    for (form, status) in [(bad, 400), (pairless, 400), (pairless + [("order", "PN-3"), ("charge", "no such charge")], 409)] {
      #expect(try ann.post("\(path)/decide", form).status == status, "\(form)")
    }
    #expect(try ann.post("\(path)/release", [("reason", "lunch")]).done == "release")
    #expect(try ann.post("\(path)/release", [("reason", "again")]).status == 409)
  }

  /// A finding that arrives after an account took a case, and that no viewed card shows, stays open. The answer names it.
  @Test func decisionCoversTheShownFindings() async throws {
    let ann = try await console.browser("ann")
    let id = try await console.ownCase()
    let path = "/cases/\(id)"
    let accepted = [("action", "accept"), ("outcome", "confirmed"), ("reason", "known")]
    // Simulates that the break arrived a moment after the case was taken.
    let unseen = """
      update payrecon.case_leases set seen_break_ids = '{}', seen_as_of = '{}', seen_attempts = '{}' where case_id = '\(id)'
      """
    let decided = "select string_agg(cardinality(break_ids)::text, ' ' order by at) from payrecon.case_decisions where case_id = '\(id)'"
    #expect(try ann.post("\(path)/take").done == "take")
    try await console.query(unseen)
    #expect(try ann.post("\(path)/decide", accepted).done == "decided.ORDER_NO_TX")
    #expect(try await console.query(decided) == "0")
    #expect(try ann.get(path).body.contains("Take it"))
    #expect(try ann.post("\(path)/take").done == "take")
    try await console.query(unseen)
    #expect(try ann.get(path).status == 200)
    #expect(try ann.post("\(path)/decide", accepted).done == "decided")
    #expect(try await console.query(decided) == "0 1")
  }

  @Test func `paging shows every case once, despite decisions and new findings during the paging`() async throws {
    let (fay, ann) = (try await console.browser("fay"), try await console.browser("ann"))
    let all = Set((0..<ConsoleSetup.plainCount).map { ConsoleSetup.caseID("V\($0)") })
    var seen: [String] = []
    var path: String? = "/queue?app=com.acme.kids"
    var decided = ""
    for _ in 0..<9 {
      guard let current = path else { break }
      let page = try fay.get(current)
      try #require(page.status == 200)
      seen += page.cases.filter(all.contains)
      path = page.next
      guard decided.isEmpty else { continue }
      // The first cases of the page may be handed to other accounts as next cases.
      decided = try page.cases.last { try all.contains($0) && ann.post("/cases/\($0)/take").status == 303 } ?? ""
      let accepted = [("action", "accept"), ("outcome", "confirmed"), ("reason", "known")]
      #expect(try ann.post("/cases/\(decided)/decide", accepted).status == 303)
    }
    #expect(path == nil)
    #expect(seen.count == all.count && Set(seen) == all, "\(seen.count)")
    #expect(try fay.get("/queue?name=ORDER_NO_TX&amount=2&days=3").cases.isEmpty)
    // A filter without results gives another message than an empty queue.
    let low = try fay.get("/queue?severity=low")
    #expect(low.cases.isEmpty && low.body.contains("No match for this filter"))
    #expect(try fay.get("/queue?severity=Low").status == 400)
    let further = try #require(try fay.get("/queue?app=com.acme.kids").next)
    #expect(try fay.get(String(further.dropLast())).status == 400 && fay.get(further).status == 200)
    #expect(try fay.get("/queue?name=R01").cases.contains(ConsoleSetup.caseID("U2")))
  }

  /// No account gets a case of another account, however many request one at once. Who has a case gets it again.
  @Test func nextGivesDistinctCases() async throws {
    let browsers = [try await console.browser("ops"), try await console.browser("fay"), try await console.browser("eve")]
    let given = try await withThrowingTaskGroup(of: String.self) { group in
      for browser in browsers { group.addTask { try browser.post("/next").header("location") ?? "" } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(given.allSatisfy { $0.hasPrefix("/cases/") }, "\(given)")
    #expect(Set(given).count == given.count, "\(given)")
    #expect(try await console.count("case_leases where account in ('ops', 'fay', 'eve')") == 3)
    for browser in browsers {
      let again = try browser.post("/next")
      #expect(again.done == "in_hand" && given.contains(again.header("location") ?? ""))
      #expect(try browser.get("/mine").cases.contains(String(again.header("location")?.dropFirst("/cases/".count) ?? "")))
    }
    let id = String(given[0].dropFirst("/cases/".count).prefix(32))
    let holder = try await console.query("select account from payrecon.case_leases where case_id = '\(id)'")
    #expect(try browsers[1].get("/queue?holder=\(holder)").cases.contains(id))
  }

  /// The second person sees the proposal with its reason beside the buttons. An observed case is listed apart.
  @Test func proposalsAndWatchedCasesAreListed() async throws {
    let (ann, dora) = (try await console.browser("ann"), try await console.browser("dora"))
    let (proposed, watched) = (try await console.ownCase(), try await console.ownCase())
    for (id, action) in [(proposed, "write_off"), (watched, "watch")] {
      #expect(try ann.post("/cases/\(id)/take").status == 303)
      let form = [("action", action), ("outcome", "confirmed"), ("reason", "because of \(action)")]
      #expect(try ann.post("/cases/\(id)/decide", form).status == 303)
    }
    // The queue of who cannot approve does not begin with proposals, and the card says why there is no button.
    #expect(try dora.get("/queue").cases.contains(proposed) && !ann.get("/queue").cases.contains(proposed))
    #expect(try ann.get("/queue?app=com.acme.kids").cases.contains(proposed))
    let (own, other) = (try ann.get("/cases/\(proposed)").body, try await console.browser("fay").get("/cases/\(proposed)").body)
    #expect(own.contains("you proposed it, so another person must") && other.contains("this takes the role approver"))
    for page in [own, other] { #expect(!page.contains("/approve\"")) }
    let list = try dora.get("/approvals")
    #expect(list.cases.contains(proposed) && !list.cases.contains(watched) && list.body.contains("because of write_off"))
    let card = try dora.get("/cases/\(proposed)").body
    let acts = try #require(card.components(separatedBy: "<aside").last?.components(separatedBy: "</aside>").first)
    expectParts(
      "Awaiting approval", "<strong>ann</strong> proposed", "<q>because of write_off</q>", "/approve", "finance posts the loss", in: acts)
    #expect(try dora.get("/watching").cases.contains(watched) && !dora.get("/watching").cases.contains(proposed))
    // A refused approval shows the card again.
    try dora.post("/cases/\(proposed)/approve", [("reason", " ")]).expect(400, has: "<q>because of write_off</q>")
    #expect(try dora.post("/cases/\(proposed)/reject", [("reason", "too early")]).done == "reject")
    #expect(try dora.get("/cases/\(proposed)").body.contains("Not approved: write off"))
  }

  @Test func `the card of a replay begins with what happened and shows both orders, with what differs`() async throws {
    let ann = try await console.browser("ann")
    let card = try ann.get("/cases/\(ConsoleSetup.caseID("U2"))").body
    #expect(
      card.contains("<h1>U2 claimed U1&#39;s purchase 5 min later; 6.00 CNY delivered</h1>")
        || card.contains("<h1>U2 claimed U1's purchase 5 min later"), "\(card.prefix(3000))")
    let sides = try #require(card.components(separatedBy: "Both sides").last?.components(separatedBy: "</table>").first)
    expectParts(
      "PO-1", "PO-2", "Order that holds the purchase", "not stated by Apple", "<td class=\"differs\">U1</td>",
      "<td class=\"differs\">U2</td>", in: sides)
    let queue = try ann.get("/queue?name=R01").body
    let once = "Purchase used by several users <a class=\"code\" href=\"/terms#REPLAY_MULTI_USER\">REPLAY_MULTI_USER</a>"
    let rule = " <a class=\"code badge\" href=\"/terms#R01\" title=\"One purchase claimed by several users\">R01</a>"
    for page in [card, queue] { #expect(page.contains(once + rule)) }
    #expect(card.contains("<h3 class=\"day\">2026-05-10</h3>"))
    // In the order of the page, which a phone shows: the summary, the panel, the tables.
    let places = ["<dl class=\"facts\">", "<aside", "Both sides"].map { card.firstRange(of: $0)?.lowerBound }
    #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(card.contains("<p class=\"todo\">What to do: one purchase claimed by two users") && !card.contains(">Signal</th>"))
    try ann.get("/terms").expect(
      200, has: "id=\"REPLAY_MULTI_USER\"", "id=\"R01\"", "Purchase used by several users", "take the goods back")
  }

  @Test func fromTheQueueToTheSignedBytes() async throws {
    let (ann, rex) = (try await console.browser("ann"), try await console.browser("rex"))
    let id = ConsoleSetup.caseID("U2")
    let card = try ann.get("/cases/\(id)").body
    expectParts(
      "REPLAY_MULTI_USER", "order created", "our order file", "evidence, batch", "purchased", "Orders, charges and users involved", in: card
    )
    let rungs = try ann.get("/cases/\(id)/rungs")
    #expect(rungs.status == 200 && rungs.body.contains("not M1") || rungs.body.contains("refused"), "\(rungs.body)")
    let path = try #require(card.firstMatch(of: /href="(\/cases\/[0-9a-f]{32}\/evidence\/[0-9a-f]{64})"/).map { String($0.output.1) })
    try rex.get(path).expect(
      200, has: "transactionId", "com.acme.reader", "000 (2026-05-10 10:00:00 UTC)", "<span class=\"badge genuine\">genuine</span>",
      lacks: "eyJ")
    #expect(try rex.get("\(path)/raw").status == 403)
    let raw = try ann.get("\(path)/raw")
    #expect(raw.status == 200 && raw.body.hasPrefix("eyJ") && raw.header("content-disposition")?.hasPrefix("attachment") == true)
    // The evidence of one case is not shown under another.
    #expect(try ann.get(path.replacing(id, with: ConsoleSetup.caseID("V9"))).status == 404)
    #expect(try await console.count("audit_log where act = 'record_viewed' and details like '%raw%' and login = 'ann'") > 0)
    let log = try await console.log()
    #expect(!log.contains("eyJ") && !log.contains(ann.token) && !log.contains(ConsoleSetup.password), "\(log)")
  }

  @Test func everyPageShowsItsContent() async throws {
    let ann = try await console.browser("ann")
    let tried = "M1: the order names transaction 100"
    try ann.get("/search?q=PO-2").expect(200, has: "order PO-2: delivered, user U2", "Signed evidence")
    try ann.get("/search?q=PO-1").expect(200, has: "href=\"/rungs?q=PO-1\"", lacks: tried)
    try ann.get("/rungs?q=PO-1").expect(200, has: tried)
    let breaks = try ann.get("/breaks?name=REPLAY_MULTI_USER")
    let path = try #require(breaks.body.firstMatch(of: /href="(\/breaks\/[0-9a-f]{32})"/).map { String($0.output.1) })
    #expect(breaks.body.contains("href=\"/cases/\(ConsoleSetup.caseID("U2"))\"") && breaks.body.contains("decided ones included"))
    let one = try ann.get(path).body
    #expect(one.contains("keep the owner&#39;s order") || one.contains("keep the owner's order"), "\(one)")
    // The navigation marks the page and its parent.
    #expect(breaks.body.contains("\"/breaks\" aria-current=\"page\">") && one.contains("\"/breaks\" aria-current=\"true\">"))
    #expect(one.firstMatch(of: /href="\/evidence\/[0-9a-f]{64}"/) != nil)
    #expect(try ann.get("/breaks?severity=high").next != nil)
    let run = try #require(ann.get("/runs").body.firstMatch(of: /href="(\/runs\/detect[^"]+)"/).map { String($0.output.1) })
    #expect(try ann.get(run).body.contains("<h2>Counts</h2>"))
    #expect(try ann.get("/dashboard").body.contains("At stake by currency"))
    #expect(try ann.get("/breaks/\(String(repeating: "0", count: 32))").status == 404)
    try ann.get("/search?q=no-such-id").expect(200, has: "no-such-id")
    #expect(try ann.get("/nowhere").status == 404)
  }

  @Test func `gathered cases are stale after the next run that may raise findings, whatever its clock`() async throws {
    let ann = try await console.browser("ann")
    let isCurrent = """
      select detected = payrecon.cases_rest_on('\(ConsoleSetup.asOf)') from payrecon.console_gathered
      """
    let stands = "select payrecon.cases_rest_on('\(ConsoleSetup.asOf)')"
    #expect(try ann.get("/queue").status == 200)
    #expect(try await console.query(isCurrent) == "t")
    let before = try await console.query(stands)
    try await console.job("detect", exits: 1)
    // The source of the gathered cases has changed. The detection or the next viewer gathers them again.
    #expect(try await console.query(stands) != before)
    #expect(try await console.query("select detected from payrecon.console_gathered where detected = '\(before)' and (\(isCurrent))") == "")
    #expect(try ann.get("/queue").status == 200)
    #expect(try await console.query(isCurrent) == "t")
  }

  @Test func erasureIncludesTheConsole() async throws {
    let ann = try await console.browser("ann")
    let user = try await console.ownUser()
    let id = ConsoleSetup.caseID(user)
    #expect(try ann.post("/cases/\(id)/note", [("note", "\(user) called, is Mary Smith")]).status == 303)
    try await console.job("erase", "--user", user, "--reason", "asked")
    #expect(try ann.get("/cases/\(id)").status == 404)
    #expect(try await console.count("case_notes where note like '%Mary%'") == 0)
    #expect(try await console.count("case_notes where note = '(erased)'") == 1)
    #expect(try await console.count("console_cases where subject_id = '\(user)' or place like '%\(id)'") == 0)
  }
}
