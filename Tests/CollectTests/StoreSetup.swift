import Cryptography
import Foundation

/// A database and a simulated App Store with one app that has an API key.
struct StoreSetup {
  static let coins = "com.example.reader.coins.100"
  static let gold = "com.example.reader.gold.monthly"
  static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

  private(set) var scenario: Scenario
  let store: AppStoreSimulator

  /// Returns the same store with changed settings.
  func changed(_ change: (inout JobSettings) -> Void) -> StoreSetup {
    var setup = self
    change(&setup.scenario.settings)
    return setup
  }

  /// - Parameters:
  ///   - purchases: purchases in production, a minute apart.
  ///   - customers: number of their customers.
  init(purchases: Int = 0, customers: Int = 1) async throws {
    var scenario = try await Scenario()
    let (keyFile, key) = try Self.key(in: scenario)
    store = try await AppStoreSimulator.start(AppStoreSimulator.Configuration(keys: [key]))
    CleanUp.afterTest { [store] in await store.stop() }
    try scenario.write("roots/root.der", store.rootDER)
    scenario.settings.apps = [Self.app(keyFile)]
    self.scenario = scenario
    guard purchases > 0 else { return }
    try store.change(.production) { try $0.populate(purchases: purchases, customers: customers, spacing: .minutes(1)) }
    await store.advance(to: store.now)
  }

  /// Returns an order of the simulated app without a price.
  static func order(
    _ id: String, names transaction: String? = nil, product: String = coins, at: String, _ change: (inout TestOrder) -> Void = { _ in }
  ) -> TestOrder {
    TestOrder(id, user: "U-\(id)", at: at, names: transaction) {
      ($0.bundleID, $0.productID, $0.priceMilliunits, $0.currency) = ("com.example.reader", product, nil, nil)
      change(&$0)
    }
  }

  static func app(_ keyFile: String) -> AppSettings {
    var app = AppSettings(bundleID: "com.example.reader")
    app.appleID = 1_600_000_001
    var api = APISettings()
    (api.issuerID, api.keyID, api.keyFile) = (issuer, "KEY1", keyFile)
    app.api = api
    return app
  }

  /// Creates a private key file in the scenario's folder. Returns its path and the public key.
  static func key(in scenario: Scenario, id: String = "KEY1") throws -> (file: String, key: AppKey) {
    let file = "\(scenario.directory)/key.p8"
    try makeKey(at: file)
    let key = try ES256PrivateKey(pem: [UInt8](Data(contentsOf: URL(filePath: file))))
    return (file, AppKey(id: id, issuer: issuer, key: try #require(key.publicKey)))
  }

  /// Writes a new P-256 key in the format of App Store Connect.
  static func makeKey(at path: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// Adds a customer who buys coins, a minute apart. Returns the transaction ids.
  @discardableResult
  func buyCoins(
    _ count: Int = 1, for customer: String = "anna", in environment: StoreEnvironment = .production, statesAppTransaction: Bool = true
  ) throws -> [String] {
    try store.change(environment) { store in
      try store.addCustomer(customer, statesAppTransaction: statesAppTransaction)
      return try (0..<count).map { number in
        if number > 0 { store.advance(to: store.now + .minutes(1)) }
        return try store.buy(Self.coins, for: customer)
      }
    }
  }

  /// A clock one second after the stores' clock, so that it includes all their events.
  var asOf: String { Timestamp(milliseconds: store.now.milliseconds + 1000).rfc3339 }

  var addresses: APIAddresses { Self.addresses(of: store) }

  static func addresses(of store: AppStoreSimulator) -> APIAddresses {
    var addresses = APIAddresses()
    addresses.production = store.url(.production)
    addresses.sandbox = store.url(.sandbox)
    return addresses
  }

  func access() throws -> StoreAccess {
    // A store with scripted failures needs no pause before a retry.
    try StoreAccess(context: try scenario.context(asOf: asOf), addresses: addresses, firstPause: .milliseconds(5))
  }

  func collect(_ kind: CollectKind) async throws -> CollectJob.Outcome {
    try await CollectJob(context: try scenario.context(asOf: asOf), access: try access()).run(kind)
  }

  func genuine(_ kind: String) async throws -> Int {
    try await scenario.rows(.evidence, asOf: asOf).filter { $0["kind"] == kind && $0["verdict"] == "genuine" }.count
  }
}
