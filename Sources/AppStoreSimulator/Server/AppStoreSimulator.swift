internal import SimulatedSigning
internal import Synchronization
internal import SystemCalls

/// A simulated App Store for tests: a server on the loopback interface with its own data.
///
/// Production answers below `/production` and at the root: `/inApps/…`, `/verifyReceipt`, and App Store Connect's `/v1/salesReports` and
/// `/v1/financeReports`. The sandbox answers below `/sandbox`. Tests change the stores by calls of this type or by requests to
/// `/control/*`.
public final class AppStoreSimulator: Sendable {
  public struct Configuration: Sendable {
    public var seed: UInt64
    public var app: SimulatedApp
    /// Initial time of the stores' clock.
    public var start: Moment
    /// Keys whose tokens are accepted; empty accepts every request.
    public var keys: [AppKey]
    /// Receives the notifications; nil delivers each at once.
    public var receiver: Receiver?
    /// Milliseconds since 1970 on the clients' clock, for tokens and rate limits.
    public var wallClock: @Sendable () -> Int64

    public init(
      seed: UInt64 = 1, app: SimulatedApp = SimulatedApp(),
      start: Moment = Moment(milliseconds: 1_793_577_600_000), keys: [AppKey] = [], receiver: Receiver? = nil,
      wallClock: @escaping @Sendable () -> Int64 = AppStoreSimulator.realTime
    ) {
      self.seed = seed
      self.app = app
      self.start = start
      self.keys = keys
      self.receiver = receiver
      self.wallClock = wallClock
    }
  }

  /// Takes a notification, whose body is signed on demand. Returns whether it arrived; a delivery that did not arrive timed out.
  public typealias Receiver = @Sendable (_ notification: StoreNotification, _ body: () -> [UInt8]) -> Bool

  let core: SimulatorCore
  private let receiver: Receiver?
  private let server = Mutex<RunningServer?>(nil)

  private init(_ configuration: Configuration) {
    core = SimulatorCore(configuration)
    receiver = configuration.receiver
  }

  /// Starts a simulator on 127.0.0.1.
  ///
  /// - Parameter port: 0 selects a free port.
  /// - Throws: `StoreError` when it cannot listen.
  public static func start(_ configuration: Configuration = Configuration(), port: Int = 0) async throws -> AppStoreSimulator {
    let simulator = AppStoreSimulator(configuration)
    let server = try await RunningServer.start(port: port) { request in
      if request.path.hasPrefix("/control/") { return await Control(simulator: simulator).respond(to: request) }
      return simulator.respond(to: request)
    }
    simulator.server.withLock { $0 = server }
    return simulator
  }

  public var port: Int { server.withLock { $0?.port ?? 0 } }

  /// Stops the server and waits until its connections are closed.
  public func stop() async { await server.withLock(\.self)?.stop() }

  public func wait() async { await server.withLock(\.self)?.wait() }

  /// Returns the base URL of the server API; `/inApps/…` is appended to it.
  public func url(_ environment: StoreEnvironment) -> String {
    "http://127.0.0.1:\(port)/\(environment.rawValue.lowercased())"
  }

  /// Root certificate of the signing authority in DER.
  public var rootDER: [UInt8] { core.world.withLock { $0.authority.rootDER } }

  // MARK: The stores

  public func change<Result: Sendable>(
    _ environment: StoreEnvironment, _ body: @Sendable (inout StoreState) throws -> Result
  ) rethrows -> Result { try core.world.withLock { try $0.with(environment, body) } }

  /// Answers one request without the network.
  public func respond(to request: StoreRequest) -> StoreResponse { core.respond(to: request) }

  /// Returns the text of a receipt with all of a customer's purchases.
  public func receipt(of customer: String, _ environment: StoreEnvironment) -> String {
    change(environment) { [core] in core.receipts.issue(for: customer, in: $0) }
  }

  public func body(of notification: StoreNotification, _ environment: StoreEnvironment) -> [UInt8] {
    let signer = core.world.withLock { world in
      Signer(authority: world.authority, app: world.with(environment) { $0.app }, environment: environment)
    }
    return JSONValue.members(("signedPayload", signer.sign(notification))).bytes
  }

  // MARK: Faults

  public func script(_ fault: Fault) { core.world.withLock { $0.script.faults.append(fault) } }

  /// Removes the faults that have not occurred yet.
  public func clearFaults() { core.world.withLock { $0.script.faults = [] } }

  /// Sets the results of the next delivery attempts; the receiver cannot change them.
  public func scriptDeliveries(_ results: [String], _ environment: StoreEnvironment) {
    change(environment) { $0.scriptedResults += results }
  }

  /// Sets the calls that an endpoint accepts per window; nil restores Apple's quota.
  public func limit(_ endpoint: Endpoint, to calls: Int?) {
    core.world.withLock { $0.limiter.quotas[endpoint] = calls }
  }

  /// Counts the calls of every endpoint in windows of this length instead of Apple's hour.
  public func countCalls(per window: Duration) {
    core.world.withLock { $0.limiter.windowMilliseconds = max(1, Int64(window / .milliseconds(1))) }
  }

  /// Accepts the tokens of another key. Once a key was added, requests without a token are refused.
  public func add(_ key: AppKey) { core.world.withLock { $0.keys.append(key) } }

  /// Reads or changes the reports of App Store Connect, which has the address of production.
  public func changeReports<Result: Sendable>(_ body: @Sendable (inout ReportStore) throws -> Result) rethrows -> Result {
    try core.world.withLock { try body(&$0.reports) }
  }

  /// Calls by `Environment endpoint`, and refusals of the rate limits by `Environment endpoint refused`.
  public var counters: [String: Int] { core.world.withLock { $0.counters } }

  public func resetCounters() { core.world.withLock { $0.counters = [:] } }

  // MARK: Time

  /// The stores' clock.
  public var now: Moment { core.world.withLock { max($0.production.now, $0.sandbox.now) } }

  /// Moves both stores' clocks step by step, and delivers the notifications of each step.
  public func advance(to target: Moment) async {
    while true {
      await deliver()
      guard let next = nextInstant, next <= target else { break }
      move(to: next)
    }
    move(to: target)
    await deliver()
  }

  private var nextInstant: Moment? {
    core.world.withLock { world in
      let both = [world.production, world.sandbox]
      return both.compactMap(\.nextEvent).min()
    }
  }

  private func move(to moment: Moment) {
    core.world.withLock {
      $0.production.advance(to: moment)
      $0.sandbox.advance(to: moment)
    }
  }

  /// Delivers the notifications that were not delivered yet, in the order of creation.
  public func deliver() async {
    for environment in StoreEnvironment.allCases {
      let due = core.world.withLock { $0.with(environment) { $0.takeUndelivered() } }
      for place in due {
        let notification = change(environment) { $0.notifications[place] }
        let scripted = change(environment) { $0.nextScriptedResult() }
        let hasArrived = scripted != nil || receiver?(notification) { body(of: notification, environment) } ?? true
        change(environment) { $0.record(scripted ?? (hasArrived ? "SUCCESS" : "TIMED_OUT"), of: place) }
      }
    }
  }

  /// Returns milliseconds since 1970 on the system clock.
  @Sendable public static func realTime() -> Int64 { Machine.microseconds / 1000 }
}
