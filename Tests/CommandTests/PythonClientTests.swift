/// Apple's own Python client against the program's simulated App Store.
@Suite struct PythonClientTests {
  private static let python = PythonEnvironment(
    name: "client", packages: ["app-store-server-library==3.1.2"], module: "appstoreserverlibrary")

  @Test(.enabled("Apple's client cannot be installed here: pip reaches no package index") { try await python.install() })
  func applesClientCompletesEveryEndpoint() async throws {
    let client = "\(TestServer.repository)/Tests/AppStoreSimulatorTests/python-client/run.py"
    let run = try await Self.python.program.run(["\(Self.python.folder)/bin/python", client, Program.path])
    #expect(run.status == 0 && !run.isOverdue, "\(run.text.suffix(2000)) \(run.complaint.suffix(4000))")
    print(run.text, terminator: "")
  }
}
