/// Changes of rules on the command line and in the console.
@Suite(.cleansUp) struct RuleChangeCommandTests {
  private static func setup() async throws -> Setup {
    let setup = try await Setup()
    let orders = [(1, "op-7"), (2, "op-9"), (3, "op-9")].map { Setup.order("PO-\($0)", user: "U\($0)") + ",\($1)" }
    try setup.write("inbox/orders.csv", Setup.table(Setup.orderHeader + ",operator_id", orders))
    try setup.write("inbox/apple.ndjson", ApplePurchase("100", at: "2026-05-10T10:00:00Z").jws + "\n")
    try await setup.program("nightly", "--as-of", "2026-05-12T12:00:00Z", exits: 0, 1)
    return setup
  }

  @Test func trialIsApprovedByTwoPeople() async throws {
    let setup = try await Self.setup()
    func run(_ program: Program, _ words: [String]) async throws -> Execution {
      try await program.run([Program.path, "rules"] + words + ["--as-of", "2026-05-13T13:00:00Z"])
    }
    let tried = try await run(setup.program, ["try", "R21", "--set", "orders_min=2", "--format", "csv"])
    #expect(tried.status == 0 && tried.text.contains("1 nights, 2 signals (new 0, gone 1), 2 cases: confirmed 0"), "\(tried.text)")
    let id = try #require(CSVRows.decode(try await run(setup.program, ["trials", "R21"]).output).first?["trial_id"])
    let ann = try await setup.login("ann")
    let asked = try await run(ann, ["try", "R21", "--set", "orders_min=3"])
    #expect(asked.text.contains(" waits for payrecon rules try --due"), "a reviewer only asks: \(asked.text)\(asked.complaint)")
    #expect(try await run(setup.program, ["try", "--due"]).text == "rules: 1 trials ended\n")
    let proposed = try await run(ann, ["propose", "r21", "--state", "live", "--trial", String(id.prefix(6)), "--reason", "one is a gift"])
    #expect(proposed.text == "rules: proposed, a second person must approve\n", "\(proposed.complaint)")
    #expect(try await run(ann, ["approve", "R21", "--reason", "sure"]).complaint.contains("a second person must decide"))
    let approved = try await run(try await setup.login("bob"), ["approve", "R21", "--reason", "seen"])
    #expect(approved.text == "rules: approved\n", "\(approved.complaint)")
    let before = try await setup.program("rules", "--as-of", "2026-05-13T12:00:00Z")
    let after = try await setup.program("rules", "--as-of", "2026-05-13T14:00:00Z")
    func set(_ execution: Execution) -> [String?] {
      let row = CSVRows.decode(execution.output).first { $0["rule"] == "R21" }
      return [row?["version"], row?["parameters"], row?["set_by"]]
    }
    #expect(set(before) == ["1", "grace=86400s, orders_min=1", "shipped"])
    #expect(set(after) == ["2", "grace=86400s, orders_min=2", "desk"])
    #expect(try await run(setup.program, ["try"]).status == 64)
    #expect(try await run(setup.program, ["try", "R21", "--set", "orders_min"]).status == 64)
  }

  /// Verifies that a past case is linked until its decision is undone.
  private static func checkSimilarCases(_ ann: Browser) throws {
    let path = "/cases/\(ConsoleSetup.caseID("U2"))"
    func isListed() throws -> Bool {
      try ann.get("/cases/\(ConsoleSetup.caseID("U3"))").body.contains("href=\"\(path)\"")
    }
    #expect(try !isListed())
    #expect(try ann.post("\(path)/take").status == 303)
    try ann.post("\(path)/decide", [("action", "dismiss"), ("outcome", "false_positive"), ("reason", "paid in the shop")]).expect(303)
    #expect(try isListed())
    #expect(try ann.post("\(path)/undo", [("reason", "not so")]).status == 303)
    #expect(try !isListed())
  }

  @Test func changesInTheConsole() async throws {
    let setup = try await Self.setup()
    for (name, role, inbox) in [
      ("ann", "analyst", ""), ("dora", "approver", "fraud"), ("rex", "reader", ""), ("ops", "analyst", "operations"),
    ] {
      try await ConsoleSetup.add(name, role, inbox, setup)
    }
    let server = try await ConsoleSetup.serve(setup, "--console --as-of 2026-05-13T13:00:00Z")
    let (ann, dora, rex) = (try await server.browser("ann"), try await server.browser("dora"), try await server.browser("rex"))
    try Self.checkSimilarCases(ann)
    #expect(try await server.browser("ops").get("/rules").status == 403)
    #expect(try ann.post("/rules/R21/try", [("set_orders_min", "2"), ("set_grace", "86400s"), ("nights", "30")]).status == 303)
    #expect(try rex.post("/rules/R21/try", [("set_orders_min", "3")]).status == 403)
    #expect(try ann.post("/rules/R21/try", [("set_orders_min", "<b>")]).status == 400)
    #expect(try ann.get("/rules/R21").body.contains("waiting"))
    #expect(try await setup.program("rules", "try", "--due", "--as-of", "2026-05-13T13:00:00Z").status == 0)
    let page = try ann.get("/rules/R21").body
    let id = try #require(page.firstMatch(of: /option value="([0-9a-f]{32})"/).map { String($0.output.1) }, "\(page)")
    let trial = try rex.get("/trials/\(id)")
    #expect(trial.status == 200 && trial.body.contains("2026-05-12T12:00:00Z"), "\(trial.body)")
    #expect(try ann.post("/rules/R21/propose", [("state", "live"), ("reason", "x")]).status == 400, "no trial")
    #expect(try ann.post("/rules/R21/propose", [("state", "live"), ("trial", id), ("reason", "a gift & more")]).status == 303)
    #expect(try ann.post("/rules/R21/approve", [("reason", "sure")]).status == 409)
    #expect(try rex.post("/rules/R21/approve", [("reason", "sure")]).status == 403)
    #expect(try dora.get("/rules/R21").body.contains("a gift &amp; more"))
    let change = try #require(dora.get("/rules/R21").body.firstMatch(of: /name="change" value="([0-9a-f]+)"/)?.output.1)
    #expect(try dora.post("/rules/R21/approve", [("change", "0"), ("reason", "seen")]).status == 409)
    #expect(try dora.post("/rules/R21/approve", [("change", String(change)), ("reason", "seen")]).status == 303)
    #expect(try rex.get("/rules").body.contains("grace=86400s, orders_min=2"))
    #expect(try ann.get("/rules/R99").status == 404)
    #expect(try ann.post("/rules/R21/fly", [("reason", "x")]).status == 404)
    let settings = try ann.get("/settings").body
    #expect(settings.contains("breaks.grace") && settings.contains("orders_min=1 → live, version 2"), "\(settings)")
    #expect(try dora.get("/settings").status == 403)
    let acts = try await setup.query(
      "select string_agg(act || ' ' || actor, ', ' order by number) from payrecon.audit_log where act ~ '^rule_'")
    #expect(acts == "rule_trial_asked ann, rule_tried rules, rule_proposed ann, rule_approved dora")
  }
}
