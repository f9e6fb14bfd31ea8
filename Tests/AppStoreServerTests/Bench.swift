import Cryptography
import Foundation
import PythonServer
import Synchronization

struct Scripted: Encodable {
  var status = 200
  var headers: [String: String] = [:]
  var body = ""
  /// Whether the connection is closed in the middle of the body.
  var isCut = false

  static func ok(_ body: String) -> Scripted { Scripted(body: body) }
  static func fault(_ code: Int, headers: [String: String] = [:]) -> Scripted {
    Scripted(status: code / 10000, headers: headers, body: #"{"errorCode":\#(code),"errorMessage":"words"}"#)
  }
}

struct Recorded: Decodable {
  var method: String
  var target: String
  var headers: [String: String]
  var body: String
}

/// A clock that advances only when a caller sleeps or a test advances it.
final class ManualClock: Sendable {
  private let state: Mutex<(now: Timestamp, slept: [Int64])>

  init(milliseconds: Int64 = 1_767_225_000_000) { state = Mutex((Timestamp(milliseconds: milliseconds), [])) }

  var now: Timestamp { state.withLock { $0.now } }
  /// Durations of all sleeps, in microseconds.
  var slept: [Int64] { state.withLock { $0.slept } }

  func advance(seconds: Int64) { state.withLock { $0.now = $0.now.advanced(bySeconds: seconds) } }

  var clock: ServerClock {
    ServerClock(
      now: { self.now },
      sleep: { span in
        try Task.checkCancellation()
        let (seconds, attoseconds) = span.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        self.state.withLock {
          $0.now.microseconds += microseconds
          $0.slept.append(microseconds)
        }
      })
  }
}

/// A client of one app whose two App Stores answer from a script.
struct Bench {
  let client: AppStoreServerClient
  let addresses: APIAddresses
  let time: ManualClock
  private let name = UUID().uuidString
  private let http = HTTPClient(connections: 2)
  private let server: PythonServer

  /// The server of all tests.
  private static let server = Result { try PythonServer("scripted_server.py") }

  init(limits: APILimits = APILimits(), time: ManualClock = ManualClock(), shared: SharedBudget? = nil) throws {
    server = try Self.server.get()
    self.time = time
    addresses = APIAddresses(variables: [
      "PAYRECON_APPSTORE_URL": "\(server.url)/\(name)-production/",
      "PAYRECON_APPSTORE_SANDBOX_URL": "\(server.url)/\(name)-sandbox",
    ])
    client = AppStoreServerClient(
      try TestKeys.credentials(), bundleID: "com.example", http: http,
      limiter: RateLimiter(percent: 100, clock: time.clock, shared: shared ?? ScriptedBudget(time).shared), addresses: addresses,
      limits: limits, clock: time.clock)
  }

  /// Production gives these answers in turn.
  init(limits: APILimits = APILimits(), _ answers: [Scripted]) async throws {
    try self.init(limits: limits)
    try await script(.production, answers)
  }

  func script(_ environment: APIEnvironment = .production, _ answers: Scripted...) async throws {
    try await script(environment, answers)
  }

  func script(_ environment: APIEnvironment, _ answers: [Scripted]) async throws {
    let body = try JSONEncoder().encode(answers)
    _ = try await control(.put, "script/\(name)-\(environment.rawValue)", [UInt8](body))
  }

  func log(_ environment: APIEnvironment = .production) async throws -> [Recorded] {
    let body = try await control(.get, "log/\(name)-\(environment.rawValue)", nil)
    return try JSONDecoder().decode([Recorded].self, from: Data(body))
  }

  private func control(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]?) async throws -> [UInt8] {
    try await http.send(
      HTTPRequest(method, "\(server.url)/\(path)", body: body, deadline: .seconds(20), connectTimeout: .seconds(5), bodyLimit: 1 << 24)
    ).body
  }
}

extension APILimits {
  /// The usual limits without repetitions.
  static var single: APILimits {
    var limits = APILimits()
    limits.attemptsMax = 1
    return limits
  }
}

extension Timestamp {
  static let farAway = Timestamp(microseconds: .max)
}

func key(_ endpoint: APIEndpoint, _ environment: APIEnvironment = .production, _ bundleID: String = "com.example") -> RateKey {
  RateKey(bundleID: bundleID, environment: environment, endpoint: endpoint)
}

/// Keys that OpenSSL generates for this run.
enum TestKeys {
  static let p256 = Result { try make(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]) }

  static func credentials() throws -> APICredentials {
    APICredentials(
      issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "2X9R4HXF34",
      privateKey: try ES256PrivateKey(pem: p256.get()))
  }

  /// A pipe of `popen` is inherited by no other process. One of `Process` may be, by a server that another test starts, and then never ends.
  static func make(_ arguments: [String]) throws -> [UInt8] {
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    guard let output = unsafe popen("openssl \(words) 2>/dev/null", "re") else { throw PythonServer.Failure() }
    var bytes: [UInt8] = []
    while case let byte = unsafe fgetc(output), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    guard unsafe pclose(output) == 0 else { throw PythonServer.Failure() }
    return bytes
  }
}

func fault<Content>(_ call: () async throws -> Content) async -> APIFault? {
  do {
    _ = try await call()
    return nil
  } catch { return error as? APIFault }
}

func base64URL(_ text: Substring) -> [UInt8] { Base64.decodeURL(Array(text.utf8)[...]) ?? [] }
