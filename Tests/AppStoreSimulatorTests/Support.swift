import Cryptography

enum Sample {
  static let gold = "com.example.reader.gold.monthly"
  static let silver = "com.example.reader.silver.monthly"
  static let comics = "com.example.reader.comics.monthly"
  static let yearly = "com.example.reader.silver.yearly"
  static let weekly = "com.example.reader.bronze.weekly"
  static let coins = "com.example.reader.coins.100"
  static let lifetime = "com.example.reader.lifetime"
}

func moment(_ text: String) throws -> Moment { try #require(Moment(text)) }

/// Returns a store with one customer, `anna`.
func store(
  _ environment: StoreEnvironment = .production, at start: String = "2026-11-02T00:00:00Z",
  grace: GraceSetting = .sixteenDays
) throws -> StoreState {
  var made = StoreState(environment: environment, app: SimulatedApp(grace: grace), seed: 1, now: try moment(start))
  try made.addCustomer("anna")
  return made
}

extension StoreState {
  /// The notifications as `TYPE` or `TYPE/SUBTYPE`.
  var notified: [String] {
    notifications.map { notification in notification.subtype.map { "\(notification.type)/\($0)" } ?? notification.type }
  }
}

func payload(_ signed: JSONValue?) throws -> JSONValue {
  let parts = try #require(signed?.text).split(separator: ".")
  try #require(parts.count == 3)
  return try #require(Base64.decodeURL(Array(parts[1].utf8)[...]).flatMap(JSONValue.parse))
}

extension AppStoreSimulator {
  /// Sends a request without the network. Returns the body of the answer as JSON.
  func get(_ path: String, _ query: [(name: String, value: String)] = [], status: Int = 200) throws -> JSONValue {
    let response = respond(to: StoreRequest(method: "GET", path: path, query: query))
    try #require(response.status == status, "\(String(decoding: response.body, as: UTF8.self))")
    return try #require(JSONValue.parse(response.body))
  }

  func post(_ path: String, _ body: String, _ query: [(name: String, value: String)] = []) throws -> JSONValue {
    let response = respond(to: StoreRequest(method: "POST", path: path, query: query, body: Array(body.utf8)))
    return try #require(JSONValue.parse(response.body))
  }
}

/// Runs a test with a simulator, whose stores have one customer, `anna`. Stops the simulator afterwards.
func withSimulator(
  _ configuration: AppStoreSimulator.Configuration = .init(), _ body: (AppStoreSimulator) async throws -> Void
) async throws {
  let simulator = try await AppStoreSimulator.start(configuration)
  do {
    for environment in [StoreEnvironment.production, .sandbox] { _ = try simulator.change(environment) { try $0.addCustomer("anna") } }
    try await body(simulator)
  } catch {
    await simulator.stop()
    throw error
  }
  await simulator.stop()
}
