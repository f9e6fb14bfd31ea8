import FoundationEssentials
import TestSupport
import Testing

/// Apple's own Python client against the built program's App Store.
@Suite struct PythonClientTests {
  @Test(.enabled("Apple's client cannot be installed here: pip reaches no package index") { try await Self.install() })
  func applesClientCompletesEveryEndpoint() async throws {
    let run = try await Self.program.run([
      "sh", "\(TestServer.repository)/Tests/AppStoreSimulatorTests/python-client/run.sh", Program.path, "simulate",
      "appstore", "--port", "PORT", "--seed", "7",
    ])
    #expect(run.status == 0 && !run.isOverdue, "\(run.text.suffix(2000)) \(run.complaint.suffix(4000))")
    print(run.text, terminator: "")
  }

  /// One environment for all runs of an account, as `run.sh` finds it.
  private static let environment = "/tmp/payrecon-python-client-\(Program.variable("USER") ?? "tests")"

  private static var program: Program {
    var program = Program()
    program.environment["PAYRECON_VENV"] = environment
    // How pip reaches its index is the machine's business.
    for (name, value) in ProcessInfo.processInfo.environment
    where name == "HOME" || name.hasPrefix("PIP_") || name.uppercased().hasSuffix("_PROXY") {
      program.environment[name] = value
    }
    return program
  }

  /// Makes the environment with the client in it; false when that cannot be done.
  private static func install() async throws -> Bool {
    let script = """
      set -e
      "$0/bin/python" -c 'import appstoreserverlibrary' 2>/dev/null && exit 0
      python3 -m venv "$0"
      "$0/bin/pip" install --quiet --disable-pip-version-check 'app-store-server-library==3.1.2'
      """
    let made = try await program.run(["sh", "-c", script, environment])
    if made.status != 0 { print("Apple's Python client was not installed: \(made.complaint.suffix(1000))") }
    return made.status == 0
  }
}
