import Glibc
import Postgres
import TestSupport
import Testing

/// The program's private server, stopped or killed in the middle of a night.
@Suite(.serialized, .cleansUp) struct PrivateServerTests {
  /// The way in which the server ends.
  enum Departure: String, Sendable, CaseIterable {
    /// By `payrecon database stop`, as at a shutdown.
    case stopped
    /// By SIGKILL to the server itself, as the kernel does when memory runs out.
    case killed
  }

  @Test(arguments: Departure.allCases) func nightResumesAfterTheServerEnds(_ departure: Departure) async throws {
    let world = try await Worlds.shared.small()
    let expected = try await Worlds.shared.night().outcome
    let setup = try await Setup.withCluster(world: world)
    #expect(try await setup.program("init").status == 0)
    // All users share the single login of the server.
    try await setup.program("doctor", prints: "note  four eyes: cannot be enforced, all share the login ")

    let blocker = try await setup.block("matches")
    async let night = setup.nightly("\(world)/inbox")
    #expect(try await setup.waitForLock(on: "matches"))
    switch departure {
    case .stopped: #expect(try await setup.program("database", "stop").status == 0)
    case .killed: kill(try await setup.postmaster(), SIGKILL)
    }
    let execution = try await night
    await blocker.close()
    #expect(execution.status == 75, "\(execution.complaint)")
    #expect(execution.complaint.contains("the connection to the database was lost"), "\(execution.complaint)")

    // The next night starts the server and continues.
    try await setup.nightly("\(world)/inbox", exits: 1)
    #expect(try await setup.outcome().differences(from: expected) == [])
  }

  /// After its server was killed, a console reports that, starts the server again and continues.
  @Test func theConsoleStartsItsServerAgain() async throws {
    let setup = try await Setup.withCluster()
    #expect(try await setup.program("init").status == 0)
    let server = try await NotificationServerProcess.start(setup, "--console")
    let browser = Browser(port: server.port)
    #expect(try browser.get("/health").status == 200)
    kill(try await setup.postmaster(), SIGKILL)
    var statuses: [Int] = []
    for _ in 0..<300 where statuses.last != 200 || !statuses.contains(503) {
      statuses.append(try browser.get("/health").status)
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(statuses.contains(503) && statuses.last == 200, "\(statuses)")
    #expect(try browser.attempt("nobody", "no password of mine").status == 401)
    // A server stopped by command stays stopped, and health agrees with the pages.
    #expect(try await setup.program("database", "stop").status == 0)
    try await Task.sleep(for: .milliseconds(1200))
    #expect(try browser.get("/health").status == 503)
    #expect(try browser.attempt("nobody", "no password of mine").status == 503)
    kill(server.process, SIGTERM)
    _ = try await server.execution.value
  }
}
