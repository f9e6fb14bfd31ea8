import FoundationEssentials

/// The tutorials run as written.
@Suite(.cleansUp) struct TutorialTests {
  @Test func yourPlatformInAnHour() async throws {
    let setup = try await Setup()
    var page = try Tutorial("YourPlatformInAnHour", setup)
    var ran = 0
    for block in page.blocks {
      if block.language == "yaml" {
        try page.write(block)
        continue
      }
      for line in block.lines {
        ran += 1
        let run = try await page.run(line)
        if line.contains("--preview"), !line.contains("show"), ran < 7 {
          #expect(run.text.contains("Rows: 40 can be read, 0 would be parked."), "\(run.text)")
          // The tutorial's mapping is the proposed one.
          #expect(page.blocks.first { $0.language == "yaml" }?.text == Tutorial.proposal(run), "\(run.text)")
        }
        if line.contains("settings show") { #expect(run.text.contains("inputs.orders.columns.order_id: order_no"), "\(run.text)") }
        if line == "payrecon doctor" { #expect(run.text.contains("to do schedule:") && !run.text.contains("to do orders:"), "\(run.text)") }
      }
    }
    #expect(ran == 15)
    #expect(try await setup.count("orders") == 40)
    #expect(try await setup.count("parked_items") == 0)
    let matches = try await page.setup.printed("export", "matches")
    #expect(matches.count == 29 && matches.allSatisfy { $0["rung"] == "M1" }, "\(matches)")
    let breaks = try await page.setup.printed("export", "breaks")
    let counts = Dictionary(grouping: breaks) { $0["class"] ?? "" }.mapValues(\.count)
    #expect(counts == ["PAID_NOT_DELIVERED": 10, "ORDER_NO_TX": 1, "TX_NO_ORDER": 1], "\(counts)")
    #expect(breaks.contains { $0["class"] == "TX_NO_ORDER" && $0["transaction_id"] == "200000000000999" })
    #expect(breaks.contains { $0["class"] == "ORDER_NO_TX" && $0["order_id"] == "N2026112000006" })
  }

  @Test(arguments: ["YourPlatformInAnHour", "FirstNightFromADatabase"])
  func `a user who repeats a tutorial, or goes on with another one, begins with an empty database`(_ name: String) async throws {
    let page = try Tutorial(name, try await Setup(hasDatabase: false))
    #expect(page.blocks.first?.lines.contains("export PAYRECON_STATE_DIR=$PWD/state") == true)
  }

  // MARK: Databases

  private static let page = "FirstNightFromADatabase"

  /// Makes the settings of the page's first step, and prepares Apple's side.
  private static func begin(_ setup: Setup, _ environment: [String: String]) async throws -> Tutorial {
    var all = environment
    all["PAYRECON_SOURCE"] = TestServer.repository
    var page = try Tutorial(Self.page, setup, environment: all)
    try await page.run(
      "payrecon init --guide --bundle-id com.acme.reader --apple-id 1500000001 --time-zone Asia/Shanghai --reconcile-from 2026-11-20")
    for line in try #require(page.blocks.first).lines { try await page.run(line) }
    return page
  }

  private static func expectNight(_ page: Tutorial) async throws {
    let matches = try await page.setup.printed("export", "matches").cells("order_id transaction_id").sorted()
    #expect(matches == ["N1 200000000000901", "N2 200000000000902", "N3 200000000000903"])
    #expect(try await page.setup.printed("export", "breaks").allSatisfy { $0["status"] == "resolved" })
  }

  /// Writes the files and runs the commands of blocks, and expects the proposed mapping to be that of the page.
  private static func follow(_ blocks: ArraySlice<Tutorial.Block>, of page: inout Tutorial, port: String = "3306") async throws {
    let mapping = try #require(page.blocks.first { $0.language == "yaml" })
    var isMapped = false
    for block in blocks {
      if !block.language.isEmpty {
        // Further settings complete the mapping, which the page shows once.
        if block.language == "yaml", block.text != mapping.text, !isMapped { try page.write(mapping) }
        isMapped = isMapped || block.language == "yaml"
        try page.write(block, replacing: "'3306'", with: "'\(port)'")
        continue
      }
      for line in block.lines {
        let run = try await page.run(line)
        if line.contains("--preview") { #expect(Tutorial.proposal(run) == mapping.text, "\(run.text)") }
        if line.contains("--from") {
          #expect(run.text == "orders: input 4 = accepted 4 + repeated 0 + ignored 0 + parked 0\n", "\(run.text)")
        }
      }
    }
  }

  @Test func firstNightFromPostgreSQL() async throws {
    let setup = try await Setup()
    let shop = try await TestServer.shared.emptyDatabase()
    var page = try await Self.begin(setup, ["SHOP_URL": shop.conninfo])
    let end = try #require(page.blocks.firstIndex { $0.file == "shop-mysql.sql" })
    try await Self.follow(page.blocks[1..<end], of: &page)
    try await Self.expectNight(page)
  }

  @Test(.enabled(if: Program.finds("mariadbd") && Program.finds("mariadb-install-db"), "mariadb-server is not installed"))
  func firstNightFromMariaDB() async throws {
    let setup = try await Setup()
    let port = "\(20_000 + Int.random(in: 0..<10_000))"
    try await setup.program.run(["bash", "-c", mariaDBScript, "mariadb", "\(setup.directory)/maria", port], exits: 0)
    var page = try await Self.begin(setup, [:])
    try setup.write("home/.my.cnf", "[client]\nsocket=\(setup.directory)/maria/socket\n")
    let begin = try #require(page.blocks.firstIndex { $0.file == "shop-mysql.sql" })
    try await Self.follow(page.blocks[begin...], of: &page, port: port)
    try await Self.expectNight(page)
    // Characters outside Latin 1 arrive as they are.
    try await page.run(
      "mariadb -u root --default-character-set=utf8mb4 -e \"update shop.orders set uid = 7, order_no = '甲-4', gmt_modified = '2026-11-20 12:00:00' where order_no = 'N4'\""
    )
    try await page.run("payrecon ingest orders --relation shop.orders --name shop --as-of 2026-11-21T08:00:00Z")
    #expect(try await setup.count("orders where order_id = '甲-4'") == 1)
    _ = try await setup.program.run(["bash", "-c", "kill $(cat \(setup.directory)/maria/pid)"])
  }
}

/// Script that starts a MariaDB server in a folder, on a port.
private let mariaDBScript = """
  set -e
  install -d -o mysql "$1"
  mariadb-install-db --datadir="$1/data" --user=mysql --auth-root-authentication-method=normal >/dev/null
  mariadbd --no-defaults --datadir="$1/data" --user=mysql --socket="$1/socket" --port="$2" --bind-address=127.0.0.1 \\
    --pid-file="$1/pid" --skip-log-bin >"$1/log" 2>&1 &
  for _ in $(seq 300); do mariadb-admin --no-defaults --socket="$1/socket" -u root ping >/dev/null 2>&1 && break; sleep 0.1; done
  """
