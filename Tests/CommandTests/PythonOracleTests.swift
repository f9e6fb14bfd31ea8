/// The built program against an oracle in Python whose author read neither the first oracle nor the SQL.
///
/// Tests/oracle2/run.py runs more worlds, and reduces a failing one to its difference.
@Suite struct PythonOracleTests {
  private static let python = PythonEnvironment(name: "oracle2", packages: ["cryptography==48.0.0"], module: "cryptography")
  private static let worlds = 16

  @Test(.enabled("the oracle's library cannot be installed here") { try await python.install() })
  func `the cases whose results the documents define, one after another`() async throws { try await Self.run("--cases") }

  @Test(.enabled("the oracle's library cannot be installed here") { try await python.install() })
  func randomWorlds() async throws { try await Self.run("--seed", "1", "--worlds", "\(Self.worlds)") }

  private static func run(_ words: String...) async throws {
    var program = python.program
    program.environment["PAYRECON_BINARY"] = Program.path
    program.environment["PAYRECON_SQL_DIR"] = "\(TestServer.repository)/sql"
    let run = try await program.run(["\(python.folder)/bin/python", "\(TestServer.repository)/Tests/oracle2/run.py"] + words)
    #expect(run.status == 0 && !run.isOverdue, "\(run.text.suffix(8000)) \(run.complaint.suffix(2000))")
  }
}
