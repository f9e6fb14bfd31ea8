import FoundationEssentials
import Glibc

/// A newcomer's view: the console over the generated world, opened by `jobs/quickstart --console`, in a browser.
@Suite(.serialized) struct ConsoleBrowserTests {
  private static let orders = "1000"
  static let python = PythonEnvironment(
    name: "browser", packages: ["selenium==4.51.0"], bare: ["axe-playwright-python==0.1.8"],
    module: "selenium.webdriver, axe_playwright_python")
  private static let programs = ["/usr/bin/chromium", "/usr/bin/chromedriver"]
  static var hasBrowser: Bool { programs.allSatisfy { Program.exists($0) } }

  /// The console shared by all tests, opened by the first one.
  private actor Shared {
    static let shared = Shared()
    private var setup: Setup?
    private var opened: Console?

    func console() async throws -> Console {
      if let opened { return opened }
      let setup: Setup
      if let made = self.setup { setup = made } else { setup = try await CleanUp.shared { try await Setup() } }
      self.setup = setup
      let console = try await ConsoleBrowserTests.open(setup)
      opened = console
      return console
    }

    /// Stops the console. The next test opens it again.
    func stop() async throws {
      try await opened?.stop()
      opened = nil
    }
  }

  private struct Console {
    var setup: Setup
    var said: String
    var url: String
    var process: pid_t
    var execution: Task<Execution, any Error>

    var port: Int { Int(url.split(separator: ":").last ?? "") ?? 0 }

    /// Returns the printed password of an account, or an empty text.
    func password(of account: String) -> String {
      for line in said.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        if words.count == 3, words[0] == account { return words[1] }
      }
      return ""
    }

    func stop() async throws {
      kill(process, SIGTERM)
      #expect(try await execution.value.status == 0)
    }
  }

  private static func open(_ setup: Setup) async throws -> Console {
    var program = setup.program
    // The world has its own settings and roots. The programs are those of the tests.
    for name in ["PAYRECON_CONFIG", "PAYRECON_APPLE_ROOTS"] { program.environment[name] = nil }
    program.environment["PAYRECON_BIN"] = Program.folder(of: Program.path)
    program.environment["PAYRECON_CONSOLE_PORT"] = "0"
    let words = ["\(TestServer.repository)/jobs/quickstart", "--console", orders, "\(setup.directory)/quickstart"]
    let opening = program
    try? FileManager.default.removeItem(atPath: "\(setup.directory)/said")
    let execution = Task {
      // The shell becomes the script and the script becomes the server, so that all share one process id.
      try await opening.run(["sh", "-c", "echo $$ > said; exec bash \"$@\" >> said", "sh"] + words)
    }
    for _ in 0..<12_000 {
      let said = (try? Setup.bytes("\(setup.directory)/said")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      if let url = said.firstMatch(of: /listening on (http:\/\/127\.0\.0\.1:\d+)\/\n/)?.output.1 {
        let process = try #require(said.split(separator: "\n").first.flatMap { pid_t($0) })
        CleanUp.atExit { kill(process, SIGTERM) }
        return Console(setup: setup, said: said, url: String(url), process: process, execution: execution)
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Program.SpawnFailure(description: "the console was not opened: \(try await execution.value.complaint)")
  }

  @Test func theQuickstartOpensTheConsole() async throws {
    let first = try await Shared.shared.console()
    let (ann, dora) = (first.password(of: "ann"), first.password(of: "dora"))
    try #require(ann.count == 18 && dora.count == 18 && ann != dora, "\(first.said)")
    for (account, password) in [("ann", ann), ("dora", dora)] {
      let browser = try await Browser(port: first.port).logIn(account, password)
      #expect(try !browser.get("/queue").cases.isEmpty, "\(account)")
      guard account == "ann" else { continue }
      try Self.decideNext(browser)
    }
    try await Self.expectWholeProduct(first)
    try await Shared.shared.stop()
    // No stored file contains the passwords. The next start generates others.
    try await first.setup.program.run(["grep", "-rlE", "\(ann)|\(dora)", "--exclude=said", first.setup.directory], text: "")
    let second = try await Shared.shared.console()
    #expect(try Browser(port: second.port).attempt("ann", ann).status == 401)
    // The clock advances, so earlier decisions are in the past.
    try Self.decideNext(try await Browser(port: second.port).logIn("ann", second.password(of: "ann")))
  }

  /// Verifies that the demo has a tie-out, finance reports, renewals and a partly worked queue, and that doctor finds no fault.
  private static func expectWholeProduct(_ console: Console) async throws {
    let folder = "\(console.setup.directory)/quickstart"
    for kind in ["tieout", "coverage", "refunds", "deferred", "renewals"] {
      let page = try Setup.text("\(folder)/finance/\(kind)/\(kind).html")
      #expect(page.contains("<svg class=\"plot\"") || kind == "renewals", "\(kind)")
    }
    let dora = try await Browser(port: console.port).logIn("dora", console.password(of: "dora"))
    #expect(try dora.get("/dashboard").body.contains("/rows/coverage?cell=2026-P12"))
    #expect(try dora.get("/approvals").body.contains("href=\"/cases/"))
    let checked = try #require(console.said.firstMatch(of: /payrecon (doctor --future --as-of \S+)\n/)).output.1
    try await console.setup.program.run(["sh", "-c", ". '\(folder)/env'; exec payrecon \(checked)"], exits: 0)
  }

  private static func decideNext(_ browser: Browser) throws {
    let place = try #require(try browser.post("/next").header("location"))
    let accepted = [("action", "accept"), ("outcome", "confirmed"), ("reason", "known")]
    #expect(try browser.post("\(place)/decide", accepted).done == "decided")
  }

  @Test(.enabled(if: hasBrowser, "install Debian's chromium and chromium-driver"))
  func `a day of console work in a real browser by keyboard`() async throws { try await play("walk.py", endsWith: "walk: done\n") }

  /// Mixed cases, decided from their cards alone. The cards show every fact that `decisions.csv` lists, without scrolling.
  @Test(.enabled(if: hasBrowser, "install Debian's chromium and chromium-driver"))
  func anAnalystDecidesFromTheCards() async throws { try await play("decide.py", endsWith: "classes and rules\n") }

  /// Four orders fit one charge. What each field contributes stands on the first screen together with the decision.
  @Test(.enabled(if: hasBrowser, "install Debian's chromium and chromium-driver"))
  func candidatesFitOnTheFirstScreen() async throws {
    let setup = try await Setup()
    let orders = (1...4).map { Setup.order("PO-\($0)", at: "2026-05-10T10:0\($0):00Z") + ",D\($0)" }
    try await setup.ingest("orders", Setup.table(Setup.orderHeader + ",device_id", orders), asOf: ConsoleSetup.asOf)
    let evidence = ApplePurchase("470001000000001", at: "2026-05-10T10:06:00Z").jws
    let upload = "{\"evidence\": \"\(evidence)\", \"source\": \"client\", \"user_id\": \"U1\", \"device_id\": \"D1\"}\n"
    try await setup.ingest("apple", upload, asOf: ConsoleSetup.asOf)
    try await setup.decide(asOf: ConsoleSetup.asOf, mayMissInput: true)
    try await ConsoleSetup.add("ann", "analyst", "", setup)
    let server = try await ConsoleSetup.serve(setup)
    let ann = try await server.browser("ann")
    let id = try #require(try ann.get("/queue?name=AMBIGUOUS_MATCH").cases.first)
    try await Self.play(
      "candidates.py", ["/cases/\(id)"], endsWith: "candidates: done\n", url: "http://127.0.0.1:\(server.port)",
      passwords: ["ANN_PASSWORD": ConsoleSetup.password])
  }

  /// Runs a Python script of `Tests/console_browser` over the shared console.
  private func play(_ script: String, endsWith end: String) async throws {
    let console = try await Shared.shared.console()
    let passwords = ["ANN_PASSWORD": console.password(of: "ann"), "DORA_PASSWORD": console.password(of: "dora")]
    try await Self.play(script, endsWith: end, url: console.url, passwords: passwords)
  }

  private static func play(
    _ script: String, _ words: [String] = [], endsWith end: String, url: String, passwords: [String: String]
  ) async throws {
    guard try await python.install() else {
      print("SKIPPED: \(script): no package index, for \(python.packages + python.bare)")
      return
    }
    var program = python.program
    program.environment.merge(passwords) { $1 }
    program.environment["CONSOLE_URL"] = url
    program.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    let shots = Program.variable("PAYRECON_TEST_ARTIFACTS") ?? "\(TestServer.repository)/.build/test-artifacts"
    let path = "\(TestServer.repository)/Tests/console_browser/\(script)"
    let played = try await program.run(["\(python.folder)/bin/python", path, "\(shots)/console"] + words, exits: 0)
    #expect(played.text.hasSuffix(end), "\(played.text.suffix(2000)) \(played.complaint.suffix(6000))")
  }
}
