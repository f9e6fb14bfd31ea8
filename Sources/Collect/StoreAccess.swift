public import AppStoreServer
internal import Cryptography
internal import Domain
internal import HTTP
public import JobCore
internal import Logging

/// Clients of the App Store Server API for the apps that have keys.
public struct StoreAccess: Sendable {
  /// One app's client with the environments to query.
  package struct App: Sendable {
    var settings: AppSettings
    package var client: AppStoreServerClient
  }

  package let apps: [App]
  /// Apps on StoreKit 1, which have a shared secret.
  let receiptApps: [ReceiptApp]
  /// Errors of apps whose key or secret cannot be read.
  private let unreadable: [JobError]

  /// Whether any app can be queried.
  package var hasKeys: Bool { !apps.isEmpty }

  /// Number of connections to Apple, shared by all apps.
  static let connections = 8
  /// Maximum size of a key file in bytes.
  package static let keyBytesMax = 64 << 10

  /// Reads the keys that the settings name. Requests keep to the budget that all processes on the database share.
  ///
  /// - Parameter firstPause: pause before the first repetition of a failed request.
  /// - Throws: `JobError` naming the app and the file, never a key, if no app can be asked about.
  public init(
    context: JobContext, addresses: APIAddresses, firstPause: Duration = APILimits.firstPauseDefault,
    clock: ServerClock = .system
  ) throws {
    let http = HTTPClient(connections: Self.connections)
    let limiter = RateLimiter(clock: clock, shared: DatabaseBudget(context: context).shared)
    var limits = APILimits()
    limits.firstPause = firstPause
    var unreadable: [JobError] = []
    func readable<Result>(_ read: (AppSettings) throws -> Result?) throws -> [Result] {
      try context.settings.apps.compactMap { app in
        do { return try read(app) } catch let error as JobError {
          context.log.error("an app was left", metadata: ["app.bundle_id": "\(app.bundleID)", "reason": "\(error)"])
          unreadable.append(error)
          return nil
        }
      }
    }
    receiptApps = try readable {
      try Self.receiptApp($0, http: http, addresses: addresses, firstPause: firstPause, clock: clock)
    }
    apps = try readable { app in
      guard let credentials = try Self.credentials(app) else { return nil }
      return App(
        settings: app,
        client: AppStoreServerClient(
          credentials, bundleID: app.bundleID, http: http, limiter: limiter, addresses: addresses, limits: limits, clock: clock))
    }
    self.unreadable = unreadable
    if apps.isEmpty, receiptApps.isEmpty { try throwFirstError() }
  }

  /// Throws the first error of a job that asked about all other apps: one of `errors`, or that of an app whose key or secret cannot be
  /// read.
  func throwFirstError(_ errors: [JobError] = []) throws(JobError) {
    if let error = errors.first ?? unreadable.first { throw error }
  }

  /// Returns the credentials of an app; nil when it has no key.
  private static func credentials(_ app: AppSettings) throws -> APICredentials? {
    guard let api = app.api, let keyFile = api.keyFile else { return nil }
    guard let issuerID = api.issuerID, let keyID = api.keyID else {
      throw JobError("refusal.ask_keys", ["app": app.bundleID], status: .usage)
    }
    return APICredentials(
      issuerID: issuerID, keyID: keyID, privateKey: try key(keyFile, of: "app \"\(app.bundleID)\"", kind: "In-App Purchase"))
  }

  /// Reads a private key.
  ///
  /// - Parameters:
  ///   - owner: owner of the key, for messages.
  ///   - kind: App Store Connect's name for this type of key.
  /// - Throws: `JobError` naming owner and file, never the key.
  static func key(_ file: String, of owner: String, kind: String) throws -> ES256PrivateKey {
    guard let bytes = try? LocalFile.contents(file, bytesMax: keyBytesMax) else {
      throw JobError("refusal.key_read", ["file": file, "owner": owner], hint: "Check that it is there and that this account may read it.")
    }
    do {
      return try ES256PrivateKey(pem: bytes)
    } catch {
      throw JobError(
        "refusal.key_use", ["file": file, "owner": owner], hint: "Download the \(kind) key (.p8) from App Store Connect again.")
    }
  }
}

/// Counts failures in a row, because a single one says nothing about the next id.
struct FailureStreak: Sendable {
  /// Number of failures in a row after which a list is left for the next run.
  private static let failuresMax = 8

  private var count = 0
  /// Whether to stop querying: Apple is down, or no request may be sent now.
  private(set) var isOver = false

  /// - Parameter fault: nil for an answer about the id.
  mutating func add(_ fault: APIFault?) {
    // A rate limit holds for every id.
    let isLimited = if case .retryAt = fault?.retry { true } else { false }
    add(isFailure: fault != nil, endsRun: isLimited || fault?.endsRun == true)
  }

  /// - Parameters:
  ///   - isFailure: false for an answer about the id.
  ///   - endsRun: whether the next request would fail in the same way.
  mutating func add(isFailure: Bool, endsRun: Bool) {
    count = isFailure ? count + 1 : 0
    if count >= Self.failuresMax || endsRun { isOver = true }
  }

  /// Queries Apple about several items, at most `inFlightMax` concurrently, until the streak is over.
  ///
  /// - Returns: the answers, and the items that were not queried.
  mutating func ask<Item: Sendable, Answer: Sendable>(
    _ items: some Collection<Item>, inFlightMax: Int, _ ask: @escaping @Sendable (Item) async -> Answer,
    adding add: (inout FailureStreak, Answer) -> Void
  ) async -> (answers: [Answer], unasked: ArraySlice<Item>) {
    await withTaskGroup(of: Answer.self) { group in
      var answers: [Answer] = []
      var rest = Array(items)[...]
      for item in rest.prefix(inFlightMax) { group.addTask { await ask(item) } }
      rest = rest.dropFirst(inFlightMax)
      while let answer = await group.next() {
        answers.append(answer)
        add(&self, answer)
        if !isOver, let item = rest.popFirst() { group.addTask { await ask(item) } }
      }
      return (answers, rest)
    }
  }
}

extension APIFault {
  /// Whether the next request would fail in the same way: no budget, or settings that Apple refuses.
  var endsRun: Bool {
    if case .configurationAlarm = retry { return true }
    return cause == .budgetSpent || cause == .cancelled || isBudgetUnreachable
  }
}

extension StoreAccess {
  /// The credential required to query Apple about an app.
  package enum Means: String, Sendable {
    case key = "API key (apps.api.key_file)"
    case sharedSecret = "shared secret (apps.api.shared_secret_file)"
  }

  /// Returns a message for each app that has none of these credentials.
  package func unasked(of apps: [AppSettings], by means: [Means]) -> [String] {
    let asked = Set(means.flatMap { $0 == .key ? self.apps.map(\.settings.bundleID) : receiptApps.map(\.settings.bundleID) })
    let missing = means.map(\.rawValue).joined(separator: " and no ")
    return apps.map(\.bundleID).filter { !asked.contains($0) }.sorted().map { "\($0) was not asked about: it has no \(missing)" }
  }
}
