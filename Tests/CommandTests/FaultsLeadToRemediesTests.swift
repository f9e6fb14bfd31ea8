import FoundationEssentials
import Glibc

/// For every fault, the message, `doctor` and the table of README lead to a remedy, and the remedy works.
@Suite(.cleansUp) struct FaultsLeadToRemediesTests {
  /// A fault, the texts that lead to its remedy, and the steps of the remedy.
  struct Fault: NamedCase {
    var name: String
    /// Command line to start; nil runs a night.
    var words: [String]?
    var status: Int32
    /// A part of the command's message.
    var message: String
    /// Beginning of a line of doctor.
    var doctor: String
    /// Beginning of the row in README's table, and a part of its last cell.
    var row: String
    var remedy: String
    var happen: @Sendable (inout Setup) async throws -> Void
    var cure: @Sendable (inout Setup) async throws -> Void
    /// Verifies that the fault is repaired; by default, a night runs.
    var works: @Sendable (Setup) async throws -> Void = { setup in
      try await setup.patiently(FaultsLeadToRemediesTests.night, asOf: FaultsLeadToRemediesTests.asOf, exits: 0, 1)
    }
  }

  static let asOf = "2026-05-12T00:00:00Z"
  static let night = ["nightly", "--out", "reports/night"]
  private static let future = "2028-01-01T00:00:00Z"
  private static let settings = Setup.settings() + "inbox: {directory: inbox}\nreports: {directory: reports}\n"

  /// - Parameter price: price of the only order; Apple charged 6000.
  static func setup(price: Int = 6000) async throws -> Setup {
    let setup = try await Setup()
    try setup.write("payrecon.yaml", settings)
    try setup.writeInbox(price: price)
    return setup
  }

  /// Returns the cells of the row in README's on-call table with this beginning.
  private static func row(_ beginning: String) throws -> [String] {
    let lines = try Setup.lines("\(TestServer.repository)/README.md")
    let table = lines.drop { $0 != "## At three in the morning" }
    let row = try #require(table.first { $0.hasPrefix("| \(beginning)") }, "README has no row \(beginning)")
    return row.split(separator: "|").map(String.init)
  }

  private static let faults: [Fault] = [
    Fault(
      name: "database gone", status: 75, message: "could not connect to the database", doctor: "fault database: ",
      row: "exit 75", remedy: "start it again",
      happen: { $0.program.environment["PAYRECON_DATABASE_URL"] = "host=\($0.directory)/nowhere dbname=payrecon" },
      cure: { $0.program.environment["PAYRECON_DATABASE_URL"] = $0.connection.conninfo }),
    Fault(
      name: "inbox missing", status: 3, message: "could not read inbox \"inbox\": No such file or directory",
      doctor: "fault inbox: could not read inbox", row: "exit 3, a file, a folder or the inbox is named", remedy: "make the folder",
      happen: { try FileManager.default.moveItem(atPath: "\($0.directory)/inbox", toPath: "\($0.directory)/away") },
      cure: { try FileManager.default.moveItem(atPath: "\($0.directory)/away", toPath: "\($0.directory)/inbox") }),
    Fault(
      name: "key wrong", words: ["collect", "notifications"], status: 2, message: "could not use key file \"key.p8\"",
      doctor: "fault API key of com.acme.reader: ", row: "exit 2, a key file or a report is named", remedy: "`payrecon doctor`",
      happen: {
        let api = "api: {issuer_id: 57246542-96fe-1a63-e053-0824d011072a, key_id: 2X9R4HXF34, key_file: key.p8}"
        let zone = "time_zone: Asia/Shanghai"
        try $0.write("payrecon.yaml", settings.replacing(zone, with: "\(zone), \(api)"))
        try $0.write("key.p8", "no key\n")
      },
      cure: {
        let words = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.p8"]
        try await $0.program.run(words, exits: 0)
        unsafe chmod("\($0.directory)/key.p8", 0o600)
      },
      works: { try await $0.program("doctor", prints: "ok    API key of com.acme.reader: ") }),
    Fault(
      name: "unknown settings key", status: 64, message: "\"brakes\"", doctor: "fault settings: ", row: "exit 64 at once",
      remedy: "`payrecon settings show`", happen: { try $0.write("payrecon.yaml", settings + "brakes: {grace: 24h}\n") },
      cure: { try $0.write("payrecon.yaml", settings) }),
    Fault(
      name: "half a file", status: 3, message: "orders.csv", doctor: "fault last night: ",
      row: "exit 3, a file, a folder or the inbox is named", remedy: "rename it",
      happen: {
        let path = "\($0.directory)/inbox/orders.csv"
        #expect(unsafe rename(path, "\($0.directory)/inbox/.orders.csv.new") == 0)
        try $0.write("inbox/orders.csv", Array(try Setup.bytes("\($0.directory)/inbox/.orders.csv.new").dropLast(20)))
      },
      cure: { #expect(unsafe rename("\($0.directory)/inbox/.orders.csv.new", "\($0.directory)/inbox/orders.csv") == 0) }),
    Fault(
      name: "clock off", words: ["nightly", "--out", "reports/now"], status: 3, message: "nothing was decided",
      doctor: "fault decisions: ", row: "exit 3, \"nothing was decided\"", remedy: "decide as of then or later",
      happen: { setup in
        try await setup.patiently(["nightly", "--future", "--out", "reports/ahead"], asOf: future, exits: 0, 1)
      }, cure: { _ in },
      works: { setup in
        try await setup.patiently(
          ["nightly", "--future", "--out", "reports/later"], asOf: "2028-01-02T00:00:00Z", exits: 0, 1, lacks: "nothing was decided")
      }),
  ]

  @Test(arguments: faults) func faultsLeadToTheirRemedy(_ fault: Fault) async throws {
    let cells = try Self.row(fault.row)
    #expect(cells.last?.contains(fault.remedy) == true, "\(cells)")
    var setup = try await Self.setup()
    try await fault.happen(&setup)
    let ready = setup
    let seen = try await ready.patiently(fault.words ?? Self.night, asOf: fault.words == nil ? Self.asOf : nil, exits: fault.status)
    #expect((seen.text + seen.complaint).contains(fault.message), "\(seen.text)\(seen.complaint)")
    try await Self.expectDoctor(fault.doctor, ready)
    try await fault.cure(&setup)
    try await fault.works(setup)
  }

  @Test func quotedSymptomsAreMessages() throws {
    let lines = try Setup.lines("\(TestServer.repository)/README.md")
    let rows = lines.drop { $0 != "## At three in the morning" }.dropFirst().prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }
    let quoted = rows.flatMap { $0.split(separator: "|")[0].matches(of: /"([^"]+)"/).map { String($0.output.1) } }
    #expect(quoted.count >= 6, "\(quoted)")
    var said = ""
    for (folder, ending) in [("Sources", ".swift"), ("Sources", "en.txt"), ("sql", ".sql")] {
      let root = "\(TestServer.repository)/\(folder)"
      for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(ending) {
        said += try Setup.text("\(root)/\(path)")
      }
    }
    #expect(quoted.filter { !said.contains($0) } == [], "README quotes what the program does not say")
  }

  /// Verifies that a line of doctor has this beginning and a remedy.
  private static func expectDoctor(_ beginning: String, _ setup: Setup) async throws {
    let lines = try await setup.program("doctor").text.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasPrefix(beginning) }, "\(lines.joined(separator: "\n"))")
    #expect(lines.dropFirst(place + 1).first?.hasPrefix("      do: ") == true, "\(lines[place])")
  }

  /// A report that exceeds the disk ends with a message and no partial file. With free space, the report is that of an undisturbed
  /// night. A small disk requires a mount, which not every account may create.
  @Test func diskFull() async throws {
    #expect(try Self.row("exit 2, a key file or a report is named").last?.contains("`payrecon doctor`") == true)
    // An order with another price than the charge, so that the report has a break.
    let setup = try await Self.setup(price: 5000)
    let folder = "\(setup.directory)/reports"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard try await setup.program.run(["mount", "-t", "tmpfs", "-o", "size=8k", "none", folder]).status == 0 else {
      return print("skipped: this account may not mount a small disk")
    }
    try await setup.patiently(
      Self.night, asOf: Self.asOf, exits: 2,
      complains: "could not write the report \"reports/night/", "no space is left on the disk", "hint: ")
    // No partial file is left. The decisions are stored, and the ledger knows the run's end.
    #expect(try Setup.files(in: "\(folder)/night").isEmpty)
    #expect(try await setup.rows("matches").count == 1)
    #expect(try await setup.rows("runs").cells("verdict") == ["failed"])
    try await Self.expectDoctor("fault disk: 0 MiB free at \"reports\"", setup)
    #expect(try await setup.program.run(["mount", "-o", "remount,size=2g", folder]).status == 0)
    let undisturbed = try await Self.setup(price: 5000)
    for each in [setup, undisturbed] { try await each.patiently(Self.night, asOf: Self.asOf, exits: 1) }
    #expect(try Setup.files(in: "\(folder)/night")["manifest.json"] != nil)
    let expected = try await undisturbed.outcome(report: "reports/night")
    #expect(try await setup.outcome(report: "reports/night").differences(from: expected) == [])
    try await setup.program.run(["umount", folder])
  }

  /// VerdictAndExitStatusTests holds the lock.
  @Test func lockHeld() throws { #expect(try Self.row("exit 4").last?.contains("`payrecon runs list`") == true) }
}
