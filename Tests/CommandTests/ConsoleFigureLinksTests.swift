import Foundation

/// The links from the figures of a report page to their rows in the console, and to the signed bytes.
@Suite(.serialized) struct ConsoleFigureLinksTests {
  /// Returns the report page written with other settings.
  private func page(_ name: String, console address: String?) async throws -> String {
    let setup = try await console.setup()
    let settings = try setup.write("\(name).yaml", Setup.settings() + (address.map { "reports: {console: \"\($0)\"}\n" } ?? ""))
    var program = setup.program
    program.environment["PAYRECON_CONFIG"] = settings
    try await program("report", "all", "--as-of", ConsoleSetup.asOf, "--out", name, exits: 0)
    return try Setup.text("\(setup.directory)/\(name)/report.html")
  }

  /// Returns the table's value in the column that an address names, or nil for an address of several figures.
  private func value(_ table: String, _ cell: String) async throws -> String? {
    let parts = cell.split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("%2F", with: "/").replacing("%25", with: "%")
    }
    let names =
      switch table {
      case "daily": ["scope", "bundle_id", "environment", "currency"]
      case "ageing": ["class", "currency"]
      default: ["kind", "file_name", "sha256"]
      }
    let rows = CSVRows.decode(try Setup.bytes("\(try await console.setup().directory)/linked/\(table).csv"))
    let row = rows.first { (row: [String: String]) -> Bool in
      for (name, part) in zip(names, parts) {
        let cell = row[name] ?? ""
        if part != (cell.isEmpty ? "-" : cell) { return false }
      }
      return true
    }
    return parts.count > names.count ? row?[parts[names.count]] : nil
  }

  @Test func everyFigureLeadsToItsRows() async throws {
    let (ann, port) = (try await console.browser("ann"), try await console.port())
    let address = "http://127.0.0.1:\(port)"
    let plain = try await page("plain", console: nil)
    #expect(!plain.contains("href=\"http") && plain.contains("title=\"payrecon rows daily"))
    let linked = try await page("linked", console: address + "/")
    // Every element with a `payrecon rows` command links to those rows, in its first line and in its second.
    let commands = linked.matches(of: /<(?:td|small)[^>]*title="payrecon rows [^"]*">(<a href="([^"]*)">)?/)
    #expect(commands.count > 30 && commands.allSatisfy { $0.output.2?.hasPrefix("\(address)/rows/") == true })
    let links = Set(commands.compactMap { $0.output.2.map(ConsolePage.unescaped) }).sorted()
    for link in links {
      let path = String(link.dropFirst(address.count))
      let parts = try #require(path.wholeMatch(of: /\/rows\/(\w+)\?cell=([^&]+)&as_of=.*/)).output
      let answer = try ann.get(path)
      let value = try #require(try await value(String(parts.1), parts.2.removingPercentEncoding ?? ""), "\(path)")
      let sum = answer.body.firstMatch(of: /rows?, which add up to (-?[0-9.]+);/).map { String($0.output.1) }
      #expect(answer.status == 200 && sum == value, "\(path): \(answer.status) \(sum ?? "") not \(value)")
    }
    // Ids link to the search page too.
    for wanted in ["/search?q=PO-3", "/search?q=U3", "/search?q=100"] {
      #expect(linked.contains("href=\"\(address)\(wanted)\""), "\(wanted)")
      #expect(try ann.get(wanted).status == 200, "\(wanted)")
    }
    let broken = try #require(linked.firstMatch(of: /href="http:\/\/127\.0\.0\.1:\d+(\/breaks\/[0-9a-f]{32})"/)).output.1
    #expect(try ann.get(String(broken)).status == 200)
  }

  @Test func figuresLeadToTheSignedBytes() async throws {
    let ann = try await console.browser("ann")
    let clock = "as_of=\(ConsoleSetup.asOf.replacing(":", with: "%3A"))"
    let rows = try ann.get("/rows/daily?cell=to_date/com.acme.reader/Production/CNY/tx_count&\(clock)").body
    #expect(rows.contains("1 row, which add up to 1;"))
    let charge = try #require(rows.firstMatch(of: /data-label="Charge"[^>]*><a href="([^"]+)">/)).output.1
    let known = try ann.get(ConsolePage.unescaped(charge)).body
    let evidence = try #require(known.firstMatch(of: /href="(\/evidence\/[0-9a-f]{64})"/)).output.1
    #expect(try ann.get(String(evidence)).body.contains("transactionId"))
    #expect(try ann.get("\(evidence)/raw").body.hasPrefix("eyJ"))
    // A run links to the figures as of its clock.
    let run = try #require(try ann.get("/runs").body.firstMatch(of: /href="(\/runs\/[^"]+)"/)).output.1
    #expect(try ann.get(String(run)).body.contains("/rows/ageing?as_of="))
    // A table without an address lists its figures. Many rows are paged, each row once.
    #expect(try ann.get("/rows/ageing?\(clock)").body.contains("ORDER_NO_TX/USD/closing_count"))
    let all = "/rows/daily?cell=to_date/com.acme.kids/Production/USD&\(clock)"
    let orders = try ann.pages(all).flatMap { $0.body.matches(of: /<td[^>]*data-label="Value">([^<]*)<\/td>/) }
    let count = try #require(try ann.get(all).body.firstMatch(of: /(\d+) rows, which/)).output.1
    #expect(Int(count) ?? 0 > 200 && orders.count == Int(count), "\(orders.count) of \(count)")
    #expect(try await console.count("audit_log where act = 'record_viewed' and subject = 'rows' and login = 'ann'") > 3)
  }

  @Test func unknownFiguresAreRefused() async throws {
    let (ann, ops) = (try await console.browser("ann"), try await console.browser("ops"))
    for (path, status) in [
      ("/rows/daily?cell=to_date/nobody/Production/CNY/tx_count", 400), ("/rows/daily?cell=day/a/b/c/tz", 400),
      ("/rows/daily?cell=%3Cscript%3Ealert(1)%3C/script%3E", 400), ("/rows/daily?cell=\(String(repeating: "x", count: 601))", 400),
      ("/rows/daily?as_of=2099-01-01T00:00:00Z", 400), ("/rows/daily?as_of=now", 400), ("/rows/nothing", 404),
      ("/rows/..%2f..%2fqueue%2flist", 404), ("/rows/tieout?cell=nothing", 400), ("/rows/daily?cell=to_date&after=-1", 400),
    ] {
      let page = try ann.get(path)
      #expect(page.status == status && !page.body.contains("<script>"), "\(path): \(page.status) \(page.body)")
    }
    #expect(try ops.get("/rows/daily").status == 403)
    #expect(try Browser(port: ann.port).get("/rows/daily").status == 303)
  }

  /// A browser sends no cookie with a link from a report. After the log-in, the user reaches the linked rows.
  @Test func aLinkOfAReportSurvivesTheLogIn() async throws {
    let port = try await console.port()
    let (place, stranger) = ("/rows/daily?cell=to_date&as_of=2026-05-12", Browser(port: port))
    let between = try stranger.get(place, headers: ["Sec-Fetch-Site: cross-site"])
    #expect(between.status == 200 && between.header("set-cookie") == nil)
    let refresh = try #require(between.body.firstMatch(of: /http-equiv="refresh" content="0; url=([^"]+)"/)).output.1
    #expect(ConsolePage.unescaped(refresh) == place)
    let asked = try stranger.get(place, headers: ["Sec-Fetch-Site: same-origin"])
    let wanted = try #require(asked.cookie("payrecon_wanted"))
    #expect(asked.status == 303 && asked.header("location") == "/login")
    func logIn(_ wanted: String) throws -> ConsolePage {
      let form = try stranger.get("/login")
      let before = try #require(form.cookie("payrecon_login"))
      return try stranger.post(
        "/login", [("account", "ann"), ("password", ConsoleSetup.password)], csrf: form.csrf,
        headers: ["Cookie: payrecon_login=\(before); payrecon_wanted=\(wanted)"])
    }
    #expect(try logIn(wanted).header("location") == place)
    // The redirect never leads to another host and never adds another header.
    for evil in ["%2F%2Fevil.example", "https%3A%2F%2Fevil.example", "%2F%5Cevil.example", "%2Fqueue%0D%0ASet-Cookie%3A%20a%3Db", "%2", ""]
    {
      #expect(try logIn(evil).header("location") == "/queue", "\(evil)")
    }
  }

  @Test func otherMethodsAreRefusedByName() async throws {
    let ann = try await console.browser("ann")
    for (method, path, allowed) in [
      ("DELETE", "/queue", "GET"), ("PUT", "/cases/\(ConsoleSetup.caseID("U3"))/take", "POST"), ("POST", "/dashboard", "GET"),
      ("GET", "/next", "POST"), ("PATCH", "/login", "GET, POST"), ("POST", "/style.css", "GET"),
    ] {
      let page = try ann.send(method, path, ["Content-Length: 0"], nil)
      #expect(page.status == 405 && page.header("allow") == allowed, "\(method) \(path): \(page.status) \(page.header("allow") ?? "")")
    }
  }
}
