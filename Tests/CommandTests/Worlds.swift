import FoundationEssentials
import Simulation

/// Worlds that several tests read.
actor Worlds {
  static let shared = Worlds()
  private var made: [Int: Task<String, any Error>] = [:]
  private var nights: [Int: Task<Night, any Error>] = [:]

  /// Returns the folder of a small world with every planted kind of trouble.
  func small() async throws -> String { try await directory(orders: 500) }

  /// Returns the folder of a world with this many orders; generated once.
  func directory(orders: Int) async throws -> String {
    if let task = made[orders] { return try await task.value }
    let task = Task {
      let path = try await CleanUp.shared { try Setup.makeFolder() }
      CleanUp.atExit { try? FileManager.default.removeItem(atPath: path) }
      _ = try await World.write(seed: 11, orders: orders, directory: path)
      // Tests also run at later clocks, so old input must count as fresh.
      let settings = "\(path)/payrecon.yaml"
      let text = try Setup.text(settings)
      let inputs = "inputs: {orders: {max_age: 3650d}, apple: {max_age: 3650d}}\n"
      try (text + inputs).write(toFile: settings, atomically: true, encoding: .utf8)
      return path
    }
    made[orders] = task
    return try await task.value
  }

  /// An environment after an undisturbed night, and its outcome. Tests copy the environment and leave it as it is.
  struct Night: Sendable {
    var setup: Setup
    var outcome: Outcome
  }

  /// Returns the folder of the small world, a new environment of it, and the outcome of an undisturbed night there.
  func smallSetup() async throws -> (world: String, setup: Setup, expected: Outcome) {
    (try await small(), try await Setup(world: small()), try await night().outcome)
  }

  /// Returns an undisturbed night of a world with this many orders; run once.
  func night(orders: Int = 500) async throws -> Night {
    if let task = nights[orders] { return try await task.value }
    let task = Task {
      let world = try await directory(orders: orders)
      let setup = try await CleanUp.shared { try await Setup(world: world) }
      let night = try await setup.nightly("\(world)/inbox")
      try #require(night.status == 1, "\(night.text)\(night.complaint)")
      return Night(setup: setup, outcome: try await setup.outcome())
    }
    nights[orders] = task
    return try await task.value
  }
}
