import FoundationEssentials

/// A proxy states the user's name over its socket, and over no other connection.
@Suite(.serialized) struct ConsoleProxyTests {
  private static let field = "X-Remote-User"

  private struct ProxySetup {
    var setup: Setup
    var port: Int
    var socket: String

    /// Sends a request as the proxy does.
    func ask(_ named: [String], _ method: String, _ path: String, token: String = "", _ form: [(String, String)] = []) throws -> ConsolePage
    {
      let browser = Browser(port: port, token: token, socket: socket)
      let headers = named.map { "\(ConsoleProxyTests.field): \($0)" } + ["X-Forwarded-For: 10.7.7.7"]
      return try method == "GET" ? browser.get(path, headers: headers) : browser.post(path, form, headers: headers)
    }

    /// Returns the session of a user whom the proxy names.
    func session(_ name: String) throws -> String { try #require(try ask([name], "GET", "/queue").cookie("payrecon_session"), "\(name)") }
  }

  private func open() async throws -> ProxySetup {
    var setup = try await console.setup()
    setup.directory = try Setup.makeFolder()
    setup.program.directory = setup.directory
    try setup.write("proxy.key", try await setup.program("account", "proxy-key", exits: 0).text)
    // A reader of the key could act as any user. So `serve` refuses a readable key, and `doctor` reports a fault.
    try await setup.program(
      "serve", "--console", "--socket", "serve.sock", "--proxy-header", Self.field, "--proxy-key", "proxy.key", exits: 64,
      complains: "by others than its owner")
    let fault = "fault proxy key of the console: \"proxy.key\" can be read, mode 644, by others than its owner"
    #expect(try await setup.program("doctor", "--proxy-key", "proxy.key").text.contains(fault))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(setup.directory)/proxy.key")
    #expect(try await setup.program("doctor", "--proxy-key", "proxy.key").text.contains("ok    proxy key of the console"))
    let words =
      "--console --as-of \(ConsoleSetup.asOf) --socket serve.sock --socket-group daemon --proxy-header \(Self.field) --proxy-key proxy.key"
    let server = try await ConsoleSetup.serve(setup, words)
    let proxy = ProxySetup(setup: setup, port: server.port, socket: "\(setup.directory)/serve.sock")
    for _ in 0..<1000 where RawConnection(socket: proxy.socket) == nil { try await Task.sleep(for: .milliseconds(10)) }
    return proxy
  }

  @Test func proxyIsTrustedOverItsSocketOnly() async throws {
    let proxy = try await open()
    #expect(try await proxy.setup.program("account", "disable", "gone").status == 0)
    let file = try FileManager.default.attributesOfItem(atPath: proxy.socket)
    #expect(file[.posixPermissions] as? Int == 0o660 && file[.groupOwnerAccountName] as? String == "daemon", "\(file)")
    // No name, several names, an unknown account, a disabled account.
    for (named, status) in [([], 401), ([""], 401), (["pro", "prue"], 401), (["stranger"], 403), (["gone"], 403), (["pro, prue"], 403)] {
      #expect(try proxy.ask(named, "GET", "/queue").status == status, "\(named)")
      #expect(try proxy.ask(named, "POST", "/next").status == 401, "\(named)")
    }
    let page = try proxy.ask(["pro"], "GET", "/queue")
    #expect(page.status == 200 && page.body.contains("pro, approver"))
    #expect(page.header("set-cookie")?.contains("; HttpOnly; SameSite=Strict") == true)
    let opened = "select subject || ' ' || details from payrecon.audit_log where act = 'session_opened' and actor = 'pro'"
    #expect(try await console.query(opened) == #"pro {"address":"10.7.7.7","by":"proxy"}"#)
    try await twoPeople(proxy)
    try await sessionsHold(proxy)
    try await tcpBelievesNobody(proxy)
    // Without its key the proxy opens no session, and neither does any other client.
    #expect(try await proxy.setup.program("account", "proxy-key", "--end").status == 0)
    #expect(try proxy.ask(["pry"], "GET", "/queue").status == 403)
    let forged = "select payrecon.console_open_by_proxy('prue', 'x', '\(String(repeating: "a", count: 64))', '')"
    #expect(try await console.query(forged) == "refused")
  }

  /// Verifies that two names from the proxy count as two people.
  private func twoPeople(_ proxy: ProxySetup) async throws {
    let (pro, prue, id) = (try proxy.session("pro"), try proxy.session("prue"), try await console.ownCase())
    let path = "/cases/\(id)"
    #expect(try proxy.ask(["pro"], "POST", "\(path)/take", token: pro).done == "take")
    let proposal = [("action", "write_off"), ("outcome", "confirmed"), ("reason", "small")]
    #expect(try proxy.ask(["pro"], "POST", "\(path)/decide", token: pro, proposal).done == "proposed")
    #expect(try proxy.ask(["pro"], "POST", "\(path)/approve", token: pro, [("reason", "x")]).status == 409)
    #expect(try proxy.ask(["pry"], "POST", "\(path)/approve", token: try proxy.session("pry"), [("reason", "x")]).status == 403)
    #expect(try proxy.ask(["prue"], "POST", "\(path)/approve", token: prue, [("reason", "seen")]).done == "approve")
    let said = "select decided_by || ' ' || account from payrecon.case_decisions where step = 'effective' and case_id = '\(id)'"
    #expect(try await console.query(said) == "pro prue")
  }

  private func sessionsHold(_ proxy: ProxySetup) async throws {
    let (pro, path) = (try proxy.session("pro"), "/cases/\(try await console.ownCase())/take")
    // A session belongs to one account, regardless of the sender. A form belongs to one session.
    #expect(try proxy.ask(["prue"], "POST", path, token: pro).status == 401)
    let other = try proxy.ask(["prue"], "GET", "/queue", token: pro)
    #expect(other.body.contains("prue, approver") && other.cookie("payrecon_session") != nil)
    let browser = Browser(port: proxy.port, token: pro, socket: proxy.socket)
    #expect(try browser.post(path, csrf: "x", headers: ["\(Self.field): pro"]).status == 403)
    #expect(try browser.post(path, headers: ["\(Self.field): pro", "Sec-Fetch-Site: cross-site"]).status == 403)
    #expect(try browser.get("/queue").status == 401)
    // A session opened over the socket is invalid over TCP, with and without the name.
    for headers in [[], ["\(Self.field): pro"]] {
      let tcp = Browser(port: proxy.port, token: pro)
      #expect(try tcp.get("/queue", headers: headers).header("location") == "/login")
      #expect(try tcp.post(path, headers: headers).status == 401)
      #expect(try tcp.post("/cases/\(try await console.ownCase())/attachments", headers: headers).status == 401)
    }
    #expect(try proxy.ask(["pro"], "POST", "/login", [("account", "prue"), ("password", ConsoleSetup.password)]).status == 401)
    #expect(try proxy.ask(["pro"], "POST", "/logout", token: pro).body.contains("log out there, too"))
    #expect(try proxy.ask(["pro"], "POST", path, token: pro).status == 401)
  }

  private func tcpBelievesNobody(_ proxy: ProxySetup) async throws {
    let spoof = ["\(Self.field): prue"]
    #expect(try Browser(port: proxy.port).get("/queue", headers: spoof).header("location") == "/login")
    #expect(try Browser(port: proxy.port).post("/next", headers: spoof).status == 401)
    let pry = try await Browser(port: proxy.port).logIn("pry", headers: spoof)
    #expect(try pry.get("/queue", headers: spoof).body.contains("pry, reader"))
    #expect(try pry.post("/next", headers: spoof).status == 403)
    let log = try Setup.text("\(proxy.setup.directory)/serve.err")
    #expect(log.contains("named an account, which counts for nothing") && log.contains("\"count\":\"5\""), "\(log)")
    #expect(try await console.count("audit_log where actor = 'prue' and act in ('case_taken', 'session_refused')") == 0)
  }
}
