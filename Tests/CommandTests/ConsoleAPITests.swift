import FoundationEssentials

/// Programs that act as a user: tokens, and every answer of the OpenAPI file.
@Suite(.serialized) struct ConsoleAPITests {
  private static let python = PythonEnvironment(
    name: "openapi", packages: ["jsonschema==4.26.0", "openapi-spec-validator==0.9.0"], module: "jsonschema, openapi_spec_validator")

  private func ask(_ path: String, _ token: String, post body: String? = nil) async throws -> ConsolePage {
    let browser = Browser(port: try await console.port())
    return try browser.send(body == nil ? "GET" : "POST", path, ["Authorization: Bearer \(token)"], body)
  }

  @Test func answersFollowTheOpenAPIFile() async throws {
    guard try await Self.python.install() else { return print("SKIPPED: the OpenAPI file: no package index, for \(Self.python.packages)") }
    var program = Self.python.program
    program.environment["CONSOLE_URL"] = "http://127.0.0.1:\(try await console.port())"
    let people = [("ANALYST", "ann"), ("APPROVER", "dora"), ("APPROVER_AGAIN", "dora"), ("READER", "rex"), ("INBOX", "ops")]
    for (name, person) in people { program.environment["TOKEN_\(name)"] = try await console.browser(person).makeToken() }
    program.environment["CASES"] = "\(try await console.ownCase()) \(try await console.ownCase())"
    program.environment["FOREIGN"] = ConsoleSetup.caseID("U2")
    program.environment["BULK"] = "\(try await console.ownCase()) \(try await console.ownCase())"
    program.environment["ORDER"] = "PO-2"
    try await program.run(["\(Self.python.folder)/bin/python", "\(TestServer.repository)/Tests/console_browser/api_check.py"], exits: 0)
  }

  @Test func `the page of the API shows every operation, parameter, answer and field of the file`() async throws {
    let ann = try await console.browser("ann")
    #expect(try ann.get("/tokens").body.contains("<a href=\"/api\">") && ann.get("/me").body.contains("<a href=\"/api\">"))
    let page = try ann.get("/api").body
    let file = try JSONDecoder().decode(OpenAPI.self, from: Data(try ann.get("/api/v1/openapi.json").body.utf8))
    let operations = file.paths.flatMap { path, methods in methods.map { (path, $0.key, $0.value) } }
    #expect(operations.count > 10 && page.matches(of: /<section class="block operation"/).count == operations.count)
    for (path, method, operation) in operations {
      let section =
        page.firstRange(of: "id=\"op-\(operation.operationId)\"").map { page[$0.lowerBound...].split(separator: "</section>")[0] } ?? ""
      let names = (operation.parameters ?? []).map { "<code>\($0.name)</code>" } + operation.responses.keys.map { "<code>\($0)</code>" }
      #expect(section.contains("<code>\(method.uppercased()) \(path)</code>") && section.contains("<pre>curl -H "), "\(path)")
      #expect(names.filter { !section.contains($0) } == [], "\(path)")
    }
    #expect(try ann.get("/api", headers: ["Accept-Language: ru"]).body.contains("<h3>Пример</h3>"))
  }

  private struct OpenAPI: Decodable {
    struct Parameter: Decodable { var name: String }
    struct Empty: Decodable {}
    struct Operation: Decodable {
      var operationId: String
      var parameters: [Parameter]?
      var responses: [String: Empty]
    }

    var paths: [String: [String: Operation]]
  }

  @Test func `a value outside a closed list is refused, including the empty value`() async throws {
    let token = try await console.browser("ann").makeToken("fields")
    for query in ["severity=", "severity=grave", "severity=high&severity=", "name=ORDER_NO_TXX"] {
      #expect(try await ask("/api/v1/cases?\(query)", token).status == 400, "\(query)")
      #expect(try await ask("/api/v1/breaks?\(query)", token).status == 400, "\(query)")
    }
    #expect(try await ask("/api/v1/cases?severity=high&name=order_no_tx", token).status == 200)
    let path = "/api/v1/cases/\(try await console.ownCase())/decide"
    for fields in [
      #""action":"""#, #""action":"shrug""#, #""action":"watch","outcome":"""#, #""action":"watch","unasked":"no""#,
      #""action":"watch","unasked":"""#,
    ] {
      try await ask(path, token, post: "{\(fields),\"reason\":\"x\"}").expect(400, has: "is one of")
    }
  }

  @Test func aTokenIsShownOnceAndEnds() async throws {
    let ned = try await console.browser("ned")
    let token = try ned.makeToken("<b>nightly</b>")
    let bare = String(token.dropFirst("payrecon_".count))
    #expect(try await ask("/api/v1/me", token).body == #"{"account":"ned","role":"analyst","inboxes":[]}"#)
    // Only the hash of the token is stored, and no page or log shows the token again.
    let list = try ned.get("/tokens").body
    #expect(list.contains("&lt;b&gt;nightly") && !list.contains(bare) && !list.contains("<b>nightly"))
    #expect(try await !console.log().contains(bare))
    #expect(try await console.count("console_sessions where console_sessions::text like '%\(bare)%'") == 0)
    // A token is not a browser session, and a session is not a token. So a page of another site cannot act with either.
    #expect(try Browser(port: ned.port, token: bare).post("/next").status == 401)
    #expect(try Browser(port: ned.port).get("/queue", headers: ["Authorization: Bearer \(token)"]).status == 303)
    #expect(try ned.get("/api/v1/me").status == 401)
    #expect(try await ask("/api/v1/me", "payrecon_\(ned.token)").status == 401)
    let id = try #require(list.firstMatch(of: /\/tokens\/([0-9a-f]{16})\/end/)).output.1
    #expect(try await console.browser("amy").post("/tokens/\(id)/end").status == 404)
    #expect(try ned.post("/tokens/\(id)/end").status == 303)
    #expect(try await ask("/api/v1/cases/next", token, post: "").status == 401)
    #expect(try await console.acts("act like 'token%' and login = 'ned'") == "token_made token_ended")
  }

  @Test func tokensHaveLimits() async throws {
    let setup = try await console.setup()
    let tia = try await console.browser("tia")
    for (name, days) in [("", "30"), ("x", "0"), ("x", "366"), ("x", "-1"), ("x", "y"), (String(repeating: "x", count: 61), "1")] {
      #expect(try tia.post("/tokens", [("name", name), ("days", days)]).status == 400, "\(name) \(days)")
    }
    let first = try tia.makeToken()
    for _ in 1..<10 { _ = try tia.makeToken() }
    #expect(try tia.post("/tokens", [("name", "x"), ("days", "1")]).status == 409)
    #expect(try tia.post("/tokens", [("name", "x"), ("days", "1")], csrf: "x").status == 403)
    // A token outlives the idle half hour, cannot create other tokens, and ends with its account.
    try await console.query("update payrecon.console_sessions set seen_at = now() - interval '2 hours' where account = 'tia'")
    #expect(try tia.get("/queue").status == 303)
    #expect(try await ask("/api/v1/me", first).status == 200)
    var settings = setup.connection
    settings.role = "payrecon_review"
    let session = try await Session.open(settings)
    let secret = SHA256.hex(Array("payrecon token \(first.dropFirst("payrecon_".count))".utf8))
    let another = "select payrecon.console_make_token('\(String(repeating: "a", count: 64))', 'x', 1, '', 100)"
    #expect(try await session.refusal(of: "select set_config('payrecon.session', '\(secret)', true)", another) == "42501")
    await session.close()
    #expect(try await setup.program("account", "disable", "tia").status == 0)
    #expect(try await ask("/api/v1/me", first).status == 401)
  }
}
