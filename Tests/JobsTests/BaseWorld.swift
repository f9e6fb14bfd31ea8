import FoundationEssentials

/// A world that is made once. Each test works on a copy, which takes a fraction of the time of its jobs.
struct BaseWorld: Sendable {
  private let made: Task<(connection: ConnectionSettings, settings: JobSettings), any Error>

  init(_ make: @escaping @Sendable () async throws -> Scenario) {
    made = Task {
      // The sessions end with the scenario, because a database with connections cannot be copied.
      let scenario = try await CleanUp.shared(make)
      try? FileManager.default.removeItem(atPath: scenario.directory)
      return (scenario.connection, scenario.settings)
    }
  }

  func copy() async throws -> Scenario {
    let world = try await made.value
    var scenario = try await Scenario(copying: world.connection)
    scenario.settings = world.settings
    return scenario
  }
}
