/// Access to the console: one attack per line.
@Suite(.serialized) struct ConsoleAccessTests {
  // All tests share one server and its throttle.
  private static let pages = [
    "/", "/queue", "/mine", "/approvals", "/watching", "/decided?name=R01&day=2026-05-12", "/terms", "/bulk", "/following",
    "/search?q=PO-1", "/customer?q=U1", "/rungs?q=PO-1", "/dashboard", "/breaks", "/runs", "/people", "/keys", "/api", "/rules",
    "/settings", "/periods", "/cases/\(ConsoleSetup.caseID("U3"))",
    "/cases/\(ConsoleSetup.caseID("U3"))/rungs", "/evidence/\(String(repeating: "a", count: 64))/raw",
  ]

  @Test func pagesNeedASession() async throws {
    let port = try await console.port()
    let live = try await console.browser("zoe").token
    let tokens = ["", "x", String(repeating: "0", count: 64), String(live.dropLast()) + "é", live.uppercased() + "0", "' or 1=1"]
    for token in tokens {
      for path in Self.pages {
        let page = try Browser(port: port, token: token).get(path)
        #expect(page.status == 303 && page.header("location") == "/login" && page.body.isEmpty, "\(token) \(path) \(page.status)")
      }
      #expect(try Browser(port: port, token: token).post("/cases/\(ConsoleSetup.caseID("U3"))/take").status == 401, "\(token)")
    }
  }

  @Test func pagesAreSelfContainedAndNotCached() async throws {
    let root = try await console.browser("root")
    for path in Self.pages.dropLast() + ["/login"] where path != "/" {
      let page = try root.get(path)
      #expect(page.status == 200, "\(path): \(page.body)")
      let policy = page.header("content-security-policy") ?? ""
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
      #expect(page.header("x-content-type-options") == "nosniff" && page.header("cache-control") == "no-store", "\(path)")
      #expect(page.body.firstMatch(of: /<script>| style=|<style| on[a-z]+=|https?:\/\//) == nil, "\(path)")
    }
    let cookie = try Browser(port: try await console.port()).get("/login").header("set-cookie") ?? ""
    #expect(cookie.contains("; HttpOnly; SameSite=Strict"), "\(cookie)")
  }

  @Test func failedLogInsLookAlikeAndAreThrottled() async throws {
    let browser = Browser(port: try await console.port())
    let wrong = try browser.attempt("tom", "no such password")
    let unknown = try browser.attempt("nobody", "no such password")
    #expect(wrong.status == 401 && unknown.status == 401 && wrong.body == unknown.body)
    // The forwarded address differs every time. It is ignored because the settings name no proxy.
    for index in 0..<4 {
      #expect(try browser.attempt("tom", "no", headers: ["X-Forwarded-For: 10.0.0.\(index)"]).status == 401)
    }
    #expect(try browser.attempt("tom").status == 429)
    #expect(try browser.attempt("tom", ConsoleSetup.password, headers: ["X-Forwarded-For: 10.9.9.9"]).status == 429)
    // Another user with the same address can log in.
    #expect(try browser.attempt("fay").status == 303)
    let names = ["tom", "nobody"].map { "'\(SHA256.hex(Array($0.utf8)))'" }.joined(separator: ", ")
    #expect(try await console.count("audit_log where act = 'session_refused' and subject in (\(names))") == 6)
    #expect(try await !console.query("select string_agg(details || subject, '') from payrecon.audit_log").contains("nobody"))
  }

  /// Failed log-ins lock an account. An administrator or a new password unlocks it.
  @Test func aLockedAccountIsUnlocked() async throws {
    let setup = try await console.setup()
    let (stranger, root) = (Browser(port: try await console.port()), try await console.browser("root"))
    func lock() throws {
      for _ in 0..<5 { _ = try stranger.attempt("wim", "no password of wim") }
      #expect(try stranger.attempt("wim").status == 429)
    }
    try lock()
    #expect(try root.get("/people").body.contains("/people/wim/unlock"))
    #expect(try await console.browser("zoe").post("/people/wim/unlock").status == 403)
    #expect(try root.post("/people/wim/unlock").status == 303)
    #expect(try stranger.attempt("wim").status == 303)
    try lock()
    #expect(try await setup.program("account", "unlock", "wim").status == 0)
    #expect(try stranger.attempt("wim").status == 303)
    try lock()
    let password = Program.Input.bytes(Array("\(ConsoleSetup.password)\n".utf8))
    try await setup.program("account", "password", "wim", input: password, exits: 0)
    #expect(try stranger.attempt("wim").status == 303)
    #expect(try await console.count("audit_log where act = 'account_unlocked' and subject = 'wim'") == 2)
    #expect(try await setup.program("account", "unlock", "nobody").status == 2)
    // A name in other letter case is the same account.
    try await setup.program(
      "account", "add", "lim", "--role", "analyst", "--inbox", "nosuch", input: password, exits: 64, complains: "no break class", "nosuch",
      "fraud")
    try await setup.program("account", "add", "Wim", "--role", "approver", input: password, exits: 64, complains: "in other letter case")
  }

  @Test func formsOfAnotherSessionOrSiteAreRefused() async throws {
    let zoe = try await console.browser("zoe")
    let id = ConsoleSetup.caseID("U3")
    let before = try await refusals()
    let foreign = SHA256.hex(Array("payrecon form \(try await console.browser("eve").token)".utf8))
    for csrf in ["", "x", foreign] {
      #expect(try zoe.post("/cases/\(id)/take", csrf: csrf).status == 403, "\(csrf)")
    }
    #expect(try zoe.post("/cases/\(id)/take", headers: ["Sec-Fetch-Site: cross-site"]).status == 403)
    #expect(try zoe.send("POST", "/cases/\(id)/take", [], "").status == 403)
    #expect(try await refusals() == before + 5)
    #expect(try await console.count("case_leases where case_id = '\(id)' and account = 'zoe'") == 0)
    #expect(try [404, 405].contains(zoe.get("/cases/\(id)/take").status))
  }

  /// Returns the number of refused acts by accounts that no other suite uses.
  private func refusals() async throws -> Int {
    try await console.count("audit_log where act = 'act_refused' and actor in ('zoe', 'rob', 'oli') and subject <> '/people/:name/:act'")
  }

  @Test func rolesAndInboxesHold() async throws {
    let (rob, oli, zoe) = (try await console.browser("rob"), try await console.browser("oli"), try await console.browser("zoe"))
    // Two users claim one purchase, which makes it a fraud case.
    let (fraud, plain) = (ConsoleSetup.caseID("U2"), try await console.ownCase())
    let before = try await refusals()
    #expect(try rob.get("/cases/\(fraud)").status == 200)
    #expect(try rob.post("/cases/\(fraud)/take").status == 403)
    #expect(try rob.post("/cases/\(fraud)/note", [("note", "x")]).status == 403)
    #expect(try rob.post("/next").status == 403)
    #expect(try zoe.post("/cases/\(fraud)/approve", [("reason", "x")]).status == 403)
    for act in ["snooze", "wake", "assign", "follow", "unfollow"] {
      let form = [("until", "2026-06-01"), ("reason", "x"), ("assignee", "rob")]
      #expect(try rob.post("/cases/\(fraud)/\(act)", form).status == 403, "\(act)")
      #expect(try oli.post("/cases/\(fraud)/\(act)", form).status == 404, "\(act)")
    }
    let many = [("case", fraud), ("action", "accept"), ("outcome", "confirmed"), ("reason", "x"), ("confirmed", "yes")]
    #expect(try rob.get("/bulk").status == 403)
    #expect(try rob.post("/bulk", many).status == 403)
    #expect(try oli.post("/bulk", many).status == 404)
    #expect(try zoe.get("/people").status == 403)
    #expect(try zoe.post("/people/rob/end").status == 403)
    // A case outside the account's inboxes looks like a missing case.
    let hidden = try oli.get("/cases/\(fraud)")
    let missing = try oli.get("/cases/\(String(repeating: "0", count: 32))")
    #expect(hidden.status == 404 && hidden.body == missing.body)
    #expect(try oli.post("/cases/\(fraud)/take").status == 404)
    for path in [
      "/search?q=PO-1", "/customer?q=U1", "/rungs?q=PO-1", "/breaks", "/runs", "/rules", "/settings", "/periods",
      "/evidence/\(String(repeating: "a", count: 64))",
    ] {
      #expect(try oli.get(path).status == 403, "\(path)")
    }
    #expect(try oli.get("/cases/\(plain)").status == 200)
    #expect(try !oli.get("/queue").cases.contains(fraud))
    #expect(try await refusals() == before + 31)
    #expect(try await console.count("case_leases where case_id = '\(fraud)' and account in ('zoe', 'oli')") == 0)
    #expect(try await console.count("case_marks where case_id = '\(fraud)' and account in ('rob', 'oli')") == 0)
  }

  /// The database refuses by itself, whichever program calls it.
  @Test func theDatabaseChecksTheSessionAtEveryAct() async throws {
    let secret = SHA256.hex(Array("payrecon session \(try await console.browser("rob").token)".utf8))
    var settings = try await console.setup().connection
    settings.role = "payrecon_review"
    let session = try await Session.open(settings)
    let take = """
      insert into payrecon.case_events (case_id, action, person, reason, at)
      values ('\(ConsoleSetup.caseID("U1"))', 'taken', 'rob', '', now())
      """
    for (shown, code) in [(secret, "42501"), (String(repeating: "0", count: 64), "28000")] {
      #expect(try await session.refusal(of: "select set_config('payrecon.session', '\(shown)', true)", take) == code)
    }
    for table in ["console_accounts", "console_sessions", "console_refusals", "console_key"] {
      #expect(try await session.refusal(of: "select from payrecon.\(table)") == "42501", "\(table)")
    }
    await session.close()
  }

  @Test func sessionsEnd() async throws {
    let setup = try await console.setup()
    let port = try await console.port()
    func logIn(_ name: String) async throws -> Browser { try await Browser(port: port).logIn(name) }
    let (lea, ida, old, pat, gus) = (
      try await logIn("lea"), try await logIn("ida"), try await logIn("old"), try await logIn("pat"), try await logIn("gus")
    )
    for browser in [lea, ida, old, pat, gus] { #expect(try browser.get("/queue").status == 200) }
    #expect(try lea.post("/logout").status == 303)
    try await console.query("update payrecon.console_sessions set seen_at = now() - interval '31 minutes' where account = 'ida'")
    try await console.query("update payrecon.console_sessions set expires_at = now() - interval '1 second' where account = 'old'")
    #expect(try await setup.program("account", "disable", "pat").status == 0)
    #expect(try await console.browser("root").post("/people/gus/end").status == 303)
    for browser in [lea, ida, old, pat, gus] {
      #expect(try browser.get("/queue").status == 303)
      #expect(try browser.post("/next").status == 401)
    }
    #expect(try Browser(port: port).attempt("pat").status == 401)
    let again = try await logIn("lea")
    try await setup.program("account", "password", "lea", input: .bytes(Array("another password\n".utf8)), exits: 0)
    #expect(try again.get("/queue").status == 303)
    #expect(try Browser(port: port).attempt("lea", "another password").status == 303)
    try await setup.program.run(
      [Program.path, "account", "add", "kim", "--role", "reader"], input: .bytes(Array("short\n".utf8)), exits: 64)
  }

  @Test func typedValuesAreChecked() async throws {
    let zoe = try await console.browser("zoe")
    let id = ConsoleSetup.caseID("U3")
    let manyFields = (0..<300).map { "f\($0)=x" }.joined(separator: "&")
    for path in [
      "/queue?name=%00", "/queue?name=%zz", "/queue?name=%ff", "/queue?days=x", "/queue?amount=-1", "/search?q=%", "/queue?\(manyFields)",
    ] {
      #expect(try zoe.get(path).status == 400, "\(path)")
    }
    for (note, status) in [(String(repeating: "x", count: 70_000), 413), (String(repeating: "x", count: 4001), 400), (" ", 400)] {
      #expect(try zoe.post("/cases/\(id)/note", [("note", note)]).status == status, "\(note.count)")
    }
    for blank in [" ", "\n\t", "\u{A0}", "\u{200B}"] {
      let decision = [("action", "dismiss"), ("reason", blank)]
      let entry = [("list", "allow"), ("kind", "user"), ("id", blank), ("owner", "x"), ("reason", "x"), ("until", "2026-06-01")]
      for (path, form) in [("/cases/\(id)/decide", decision), ("/cases/\(id)/undo", decision), ("/lists", entry)] {
        #expect(try zoe.post(path, form).status == 400, "\(path) \(blank.utf8.count)")
      }
    }
    try zoe.post("/cases/\(id)/decide", [("action", "dismiss"), ("outcome", "maybe"), ("reason", "x")]).expect(400, has: "false_positive")
    for path in ["/nope", "/nope/\(id)"] { try zoe.get(path).expect(404, has: "<main") }
    let nothing = try zoe.get("/api/v1/nope")
    #expect(nothing.status == 404 && nothing.body.hasPrefix("{\"error\""), "\(nothing.body)")
    #expect(try zoe.post("/cases/\(id)/nothing").status == 404)
    let snoozes = ["", "soon", "2020-01-01", "2027-01-01", "2026-06-01'"].map { ($0, "x") } + [("2026-06-01", " ")]
    for (until, reason) in snoozes {
      #expect(try zoe.post("/cases/\(id)/snooze", [("until", until), ("reason", reason)]).status == 400, "\(until)")
    }
    for name in ["nobody", "rob", "payrecon_review", "<script>alert(1)</script>", "'; drop table payrecon.orders; --"] {
      #expect(try zoe.post("/cases/\(id)/assign", [("assignee", name)]).status == 400, "\(name)")
    }
    let alike = [("action", "accept"), ("outcome", "confirmed"), ("reason", "x")]
    let all = (0..<201).map { ("case", String(String(repeating: "0", count: 29) + "\(100 + $0)")) }
    for (cases, status) in [(all, 400), ([], 400), ([("case", "%00")], 404)] {
      #expect(try zoe.post("/bulk", alike + cases).status == status, "\(cases.count)")
    }
    #expect(try zoe.get("/batches/\(String(repeating: "0", count: 32))").status == 404)
  }
}
