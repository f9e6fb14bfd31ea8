import Cryptography
import HTTP
import Synchronization

/// A test environment whose app uses StoreKit 1.
struct ReceiptSetup {
  static let secret = "0123456789abcdef0123456789abcdef"
  private let setup: StoreSetup
  let scenario: Scenario
  var store: AppStoreSimulator { setup.store }
  var asOf: String { setup.asOf }

  init() async throws {
    setup = try await StoreSetup()
    var scenario = setup.scenario
    scenario.settings.apps[0].api?.sharedSecretFile = "\(scenario.directory)/secret"
    self.scenario = scenario
    try write(secret: Self.secret)
  }

  func write(secret: String) throws { try scenario.write("secret", secret) }

  var addresses: APIAddresses { setup.addresses }

  func client(_ addresses: APIAddresses, clock: ServerClock = .system) throws -> VerifyReceiptClient {
    VerifyReceiptClient(
      http: HTTPClient(connections: 1), addresses: addresses,
      sharedSecret: try #require(SharedSecret(Array(Self.secret.utf8))), clock: clock)
  }

  func buy(_ product: String, _ environment: StoreEnvironment, for customer: String = "anna") throws -> String {
    try store.change(environment) { store in
      _ = try store.addCustomer(customer)
      return try store.buy(product, for: customer)
    }
  }

  /// Buys coins, stores the receipt, and ingests an order that names both. Returns the transaction and the receipt.
  @discardableResult
  func claim(_ order: String, _ environment: StoreEnvironment = .production, by customer: String = "anna") async throws -> (
    id: String, receipt: String
  ) {
    let id = try buy(StoreSetup.coins, environment, for: customer)
    let receipt = store.receipt(of: customer, environment)
    try await self.order(order, names: id, evidence: try await keep(receipt))
    return (id, receipt)
  }

  func retryParked() async throws {
    _ = try await ParkedItemsJob(context: try scenario.context(asOf: asOf)).retry(ids: [])
  }

  func collect(_ kind: CollectKind = .receipts) async throws -> CollectJob.Outcome {
    let context = try scenario.context(asOf: asOf)
    let access = try StoreAccess(context: context, addresses: addresses, clock: Pauses().clock)
    return try await CollectJob(context: context, access: access).run(kind)
  }

  func order(_ id: String, names transaction: String, evidence: String) async throws {
    let order = StoreSetup.order(id, names: transaction, at: asOf) { ($0.evidenceSHA256, $0.deviceID) = (evidence, "D-\(id)") }
    try await scenario.orders([order], asOf: asOf)
  }

  /// Stores a receipt as verified on arrival, because only the simulator can read its receipts.
  ///
  /// - Parameters:
  ///   - chain: original transaction id whose signed rows the receipt contains.
  /// - Returns: the hash of the receipt.
  @discardableResult
  func keep(_ receipt: String, chain: String? = nil) async throws -> String {
    let hash = SHA256.hex(Array(receipt.utf8))
    let session = try await Session.open(scenario.connection)
    try await session.executeAlone(
      """
      with batch as (
          insert into payrecon.batches
              (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
          values ('apple', 'receipt', '', 'client', 'test', 'done', true, '\(asOf)')
          returning batch_id
      )
      insert into payrecon.evidence
          (sha256, kind, verdict, reason, bundle_id, environment, source, body, batch_id, signed_at, received_at)
      select '\\x\(hash)'::bytea, 'receipt', 'genuine', '""', 'com.example.reader', '', 'client',
          convert_to('\(receipt)', 'UTF8'), batch_id, '\(asOf)', '\(asOf)'
      from batch
      """)
    if let chain {
      try await session.executeAlone(
        """
        insert into payrecon.evidence_links (sha256, parent_sha256)
        select evidence_sha256, '\\x\(hash)'::bytea from payrecon.transactions where original_transaction_id = '\(chain)'
        """)
    }
    await session.close()
    return hash
  }

  func answers() async throws -> [[String: String]] {
    try await scenario.rows(.evidence, asOf: asOf).filter { $0["kind"] == EvidenceKind.verifyReceipt.rawValue }
  }

  func charges() async throws -> Int { try await scenario.rows(.charges, asOf: asOf).count }

  /// Returns the receipt state kept between runs.
  func progress() async throws -> [String] {
    try await scenario.answers("select cursor from payrecon.collections where job = 'receipts' order by subject")
  }
}

/// Records pauses instead of sleeping.
final class Pauses: Sendable {
  private let state = Mutex<[Duration]>([])
  var spans: [Duration] { state.withLock { $0 } }
  var clock: ServerClock {
    ServerClock(now: ServerClock.system.now, sleep: { span in self.state.withLock { $0.append(span) } })
  }
}
