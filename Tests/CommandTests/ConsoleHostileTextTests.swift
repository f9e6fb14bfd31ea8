/// Every field of every form with hostile text. It is refused and recorded in the audit chain, or stored as typed.
@Suite(.serialized) struct ConsoleHostileTextTests {
  private static let attacks = [
    "../..%2fetc/passwd", "'; drop table payrecon.orders; --", "\"><script>alert(1)</script><img src=x onerror=alert(1)>",
    "a\r\nSet-Cookie: x=y\r\n\r\n", "=cmd|' /C calc'!A0", "{{{drawing}}}{{csrf}}",
    // A quotation mark with a combining accent is one character.
    "x\"\u{301} onfocus=alert(1) y",
  ]

  /// Returns whether a page contains an attack as markup.
  private static func isOpen(_ page: String) -> Bool {
    page.contains("<script>alert") || page.contains("<img")
      || page.firstMatch(of: /"\u{301} onfocus/.matchingSemantics(.unicodeScalar)) != nil
  }

  /// Returns the form addresses with harmless values.
  private static func forms(_ id: String) -> [(path: String, fields: [(String, String)])] {
    // A past day snoozes nothing.
    let day = "2020-01-01"
    let decision = [("action", "accept"), ("outcome", "confirmed"), ("reason", "x"), ("until", day)]
    return [
      ("/cases/\(id)/note", [("note", "x")]), ("/cases/\(id)/release", [("reason", "x")]),
      ("/cases/\(id)/decide", decision + [("order", ""), ("charge", ""), ("break", "")]),
      ("/cases/\(id)/approve", [("reason", "x")]), ("/cases/\(id)/reject", [("reason", "x")]),
      ("/cases/\(id)/withdraw", [("reason", "x")]), ("/cases/\(id)/undo", [("reason", "x")]),
      ("/cases/\(id)/snooze", [("until", day), ("reason", "")]), ("/cases/\(id)/assign", [("assignee", "nobody")]),
      ("/bulk", decision + [("case", String(repeating: "0", count: 32))]),
      ("/batches/\(String(repeating: "0", count: 32))/undo", [("reason", "x")]),
      ("/lists", [("list", "tester"), ("kind", "user"), ("id", "mal-1"), ("until", day), ("reason", "x"), ("family", ""), ("rule", "")]),
      ("/lists/\(String(repeating: "0", count: 32))/end", [("reason", "x")]),
      (
        "/views",
        [("view", "mine"), ("shared", "")]
          + ["name", "severity", "app", "storefront", "holder", "assignee", "days", "amount"].map { ($0, "") }
      ),
      ("/views/end", [("view", "nothing")]), ("/tokens", [("name", "x"), ("days", "0")]),
      ("/tokens/x/end", [("reason", "x")]), ("/people/rex/end", [("reason", "x")]),
      ("/rules/R01/try", [("nights", "0"), ("window", "x"), ("reason", "x")]),
      ("/rules/R01/propose", [("trial", "x"), ("state", "live"), ("reason", "x")]),
      ("/rules/R01/approve", [("change", "x"), ("reason", "x")]), ("/search", [("q", "x")]),
      ("/cases/\(id)/approve", [("reason", "x"), ("apple", "x"), ("unasked", "yes")]),
    ]
  }

  @Test func everyFieldEscapesItsText() async throws {
    let (mal, id) = (try await console.browser("mal"), try await console.ownCase())
    // Other tests create accounts on the same server, so only this actor's accounts count.
    let facts = """
      select count(*) || ' ' || (select count(*) from payrecon.audit_log where actor = 'mal' and act ~ '^account_') from payrecon.orders
      """
    let before = try await console.query(facts)
    var (refused, done): (Int, [String: Int]) = (0, [:])
    for (path, fields) in Self.forms(id) {
      for (index, field) in fields.enumerated() {
        for attack in Self.attacks {
          var form = fields
          form[index].1 = attack
          let answer = try mal.post(path, form)
          let what = "\(path) \(field.0) \(attack): \(answer.status)"
          #expect([200, 303, 400, 403, 404, 409].contains(answer.status), "\(what)")
          #expect(!Self.isOpen(answer.body), "\(what)")
          #expect(answer.headers.allSatisfy { $0.name != "set-cookie" || $0.value.hasPrefix("payrecon_") }, "\(what)")
          #expect(answer.header("location")?.hasPrefix("/") != false, "\(what)")
          if answer.status >= 400 { refused += 1 } else { done[path, default: 0] += 1 }
        }
      }
    }
    #expect(try await console.count("audit_log where act = 'act_refused' and actor = 'mal'") == refused)
    #expect(refused > 200)
    // Accepted text is stored as typed, and nothing else happened.
    #expect(try await console.query(facts) == before)
    func count(_ table: String) async throws -> Int { try await console.count("\(table) where account = 'mal'") }
    #expect(try await count("case_notes") == Self.attacks.count && done["/cases/\(id)/note"] == Self.attacks.count)
    for table in ["case_decisions", "case_undos", "case_leases", "case_events"] { #expect(try await count(table) == 0, "\(table)") }
    #expect(try await count("case_marks") == done["/cases/\(id)/snooze", default: 0] + done["/cases/\(id)/assign", default: 0])
    #expect(try await count("list_entries") == done["/lists", default: 0])
    #expect(try await console.count("case_notes where account = 'mal' and note like '%drop table payrecon.orders%'") == 1)
    let card = try mal.get("/cases/\(id)").body
    #expect(try !Self.isOpen(mal.get("/lists").body + mal.get("/queue").body + card))
    #expect(card.contains("&lt;script&gt;alert(1)") && card.contains("{{csrf}}"))
  }

  /// Addresses in which # marks the hostile part.
  private static let places = [
    "/cases/#", "/cases/#/rungs", "/cases/#/evidence/#", "/cases/#/evidence/#/raw", "/cases/#/attachments/#", "/evidence/#",
    "/evidence/#/raw", "/breaks/#", "/runs/#", "/batches/#", "/rows/#", "/rows/ageing?cell=#", "/rows/ageing?cell=x&as_of=#", "/rules/#",
    "/trials/#", "/lists?id=#", "/lists?list=#", "/breaks?name=#", "/breaks?severity=#", "/breaks?app=#", "/breaks?after=#",
    "/runs?after=#",
    "/queue?name=#", "/queue?assignee=#", "/queue?days=#", "/queue?amount=#", "/queue?after=#", "/queue?severity=#", "/queue?app=#",
    "/queue?storefront=#", "/queue?holder=#", "/bulk?name=#", "/search?q=#", "/rungs?q=#",
    "/api/v1/cases/#", "/api/v1/search?q=#", "/api/v1/evidence/#",
  ]

  @Test func everyAddressEscapesItsText() async throws {
    let mel = try await console.browser("mel")
    var refused = 0
    for place in Self.places {
      for attack in Self.attacks + ["%00", "%", "%zz"] {
        let path = place.replacing("#", with: Browser.encoded(attack))
        let answer = try mel.get(path)
        let what = "\(path): \(answer.status)"
        #expect([200, 400, 401, 403, 404, 409].contains(answer.status), "\(what) \(answer.body)")
        #expect(!Self.isOpen(answer.body), "\(what)")
        // Values of closed lists and page positions come from the pages themselves, so any other value is an error.
        let isClosed = ["name", "severity", "after"].contains { path.hasPrefix("/queue?\($0)=") }
        let isOpenText = ["app", "storefront", "holder"].contains { path.hasPrefix("/queue?\($0)=") }
        let isMissing = ["/cases/", "/runs/"].contains { path.hasPrefix($0) }
        #expect((!isClosed || answer.status == 400) && (!isOpenText || answer.status == 200), "\(what)")
        #expect(!isMissing || [400, 404].contains(answer.status), "\(what)")
        #expect(answer.header("set-cookie") == nil && answer.header("location") == nil, "\(what)")
        if answer.status >= 400, answer.status != 401 { refused += 1 }
      }
    }
    #expect(try await console.count("audit_log where act = 'act_refused' and actor = 'mel'") == refused)
    #expect(refused > 100)
    #expect(try await console.count("audit_log where actor = 'mel' and act not in ('act_refused', 'record_viewed', 'session_opened')") == 0)
  }

  /// An oversized body from a known account is refused, recorded in the chain, and changes nothing. Slow bodies block nobody.
  @Test func largeAndSlowBodiesChangeNothing() async throws {
    let port = try await console.port()
    try await ConsoleSetup.add("max", "admin", "", try await console.setup())
    let max = try await console.browser("max")
    let slow = try ["/next", "/bulk", "/lists", "/tokens", "/views", "/login"].map { path in
      let connection = try #require(RawConnection(port: port))
      connection.send(
        "POST \(path) HTTP/1.1\r\nHost: console\r\nCookie: payrecon_session=\(max.token)\r\nContent-Length: 1000\r\n\r\ncsrf=")
      return connection
    }
    let much = String(repeating: "x", count: 70_000)
    let paths = Set(Self.forms(try await console.ownCase()).map(\.path)).subtracting(["/search"]).sorted() + ["/next", "/login", "/logout"]
    for path in paths { #expect(try max.post(path, [("reason", much)]).status == 413, "\(path)") }
    #expect(try await console.count("audit_log where act = 'act_refused' and actor = 'max' and details like '%413%'") == paths.count)
    #expect(try max.get("/queue").status == 200)
    // The slow connections are closed with at most a status about the missing body.
    for connection in slow { #expect([0, 400, 408].contains(connection.status())) }
    #expect(try await console.count("audit_log where actor = 'max' and act not in ('act_refused', 'record_viewed', 'session_opened')") == 0)
  }

  @Test func readersCannotActThroughForms() async throws {
    let mia = try await console.browser("mia")
    let own = ["/views", "/views/end", "/tokens", "/tokens/x/end", "/search"]
    let forms = Self.forms(try await console.ownCase()).filter { !own.contains($0.path) }
    for (path, fields) in forms { #expect(try mia.post(path, fields).status == 403, "\(path)") }
    #expect(try await console.count("audit_log where act = 'act_refused' and actor = 'mia' and details like '%403%'") == forms.count)
    #expect(try await console.count("audit_log where actor = 'mia' and act not in ('act_refused', 'record_viewed', 'session_opened')") == 0)
  }

  /// Behind TLS, cookies are sent over TLS only. Only the last forwarded address counts, and only from a configured proxy.
  @Test func onlyConfiguredProxiesAreTrusted() async throws {
    var other = try await console.setup()
    other.directory = try Setup.makeFolder()
    other.program.directory = other.directory
    let server = try await ConsoleSetup.serve(other, "--console --tls --proxy 127.0.0.1 --as-of \(ConsoleSetup.asOf)")
    let (trusted, plain) = (Browser(port: server.port), Browser(port: try await console.port()))
    #expect(try trusted.get("/login").header("set-cookie")?.contains("; Secure") == true)
    #expect(try plain.get("/login").header("set-cookie")?.contains("Secure") == false)
    let cookies = try trusted.attempt("pia").headers.filter { $0.name == "set-cookie" }
    #expect(cookies.count == 3 && cookies.allSatisfy { $0.value.contains("; Secure") && $0.value.contains("; HttpOnly") })
    let seen = "select details from payrecon.audit_log where act = 'session_opened' and actor = 'pim' order by number desc limit 1"
    for (headers, address) in [
      (["X-Forwarded-For: 10.1.1.1"], "10.1.1.1"), (["X-Forwarded-For: 10.1.1.1, 10.2.2.2"], "10.2.2.2"),
      (["X-Forwarded-For: 10.1.1.1", "X-Forwarded-For: 10.3.3.3"], "10.3.3.3"), (["X-Forwarded-For: 2001:db8::7"], "2001:db8::7"),
      (["X-Forwarded-For: <script>"], "127.0.0.1"), (["X-Forwarded-For: "], "127.0.0.1"),
      (["X-Forwarded-For: \(String(repeating: "1", count: 60))"], "127.0.0.1"), (["Forwarded: for=10.4.4.4"], "127.0.0.1"),
    ] {
      #expect(try trusted.attempt("pim", ConsoleSetup.password, headers: headers).status == 303)
      #expect(try await console.query(seen).contains("\"\(address)\""), "\(headers)")
    }
    #expect(try plain.attempt("pim", ConsoleSetup.password, headers: ["X-Forwarded-For: 10.5.5.5"]).status == 303)
    #expect(try await console.query(seen).contains("\"127.0.0.1\""))
  }
}
