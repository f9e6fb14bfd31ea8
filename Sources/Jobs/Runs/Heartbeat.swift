internal import Cryptography
internal import HTTP
internal import Logging

/// Reports the start, success and failure of jobs to an external monitor, which alerts if a report is missing.
///
/// Calls URL/start, URL and URL/fail with `?rid=`, a UUID derived from the run's name, as healthchecks.io accepts them.
actor Heartbeat {
  enum Event: String {
    case start = "/start"
    case success = ""
    case fail = "/fail"
  }

  /// Largest number of calls per job and process, so that a long catch-up does not flood the monitor.
  static let callsMax = 40
  private static let deadline = Duration.seconds(10)
  private static let bodyBytesMax = 2000

  private let client: HTTPClient
  private let log: Logger
  private var calls: [String: Int] = [:]

  init(log: Logger) {
    self.log = log
    client = HTTPClient(connections: 2)
  }

  /// Sends one event. A failure is only logged.
  ///
  /// - Parameter run: name of the run, equal for its start and end.
  func send(_ event: Event, url: String?, job: String, run: String, text: String) async {
    guard let url else { return }
    let count = calls[job, default: 0] + 1
    calls[job] = count
    guard count <= Self.callsMax else {
      if count == Self.callsMax + 1 {
        log.warning("no further heartbeats of this job are sent", metadata: ["job.name": "\(job)"])
      }
      return
    }
    let request = HTTPRequest(
      .post, Self.address(url, event: event, run: run), headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: Array(text.utf8.prefix(Self.bodyBytesMax)), deadline: Self.deadline, connectTimeout: .seconds(5),
      bodyLimit: 65_536)
    do {
      let response = try await client.send(request)
      guard !(200..<300).contains(response.status) else { return }
      log.warning(
        "heartbeat was not taken", metadata: ["job.name": "\(job)", "http.status": "\(response.status)"])
    } catch {
      // The address is secret and never logged.
      log.warning("heartbeat was not sent", metadata: ["job.name": "\(job)", "error": "\(error)"])
    }
  }

  static func address(_ url: String, event: Event, run: String) -> String {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count == 2 ? "?\(parts[1])&" : "?"
    return "\(parts[0])\(event.rawValue)\(query)rid=\(uuid(of: run))"
  }

  /// Returns a UUID of version 8 that is a function of the run's name.
  ///
  /// - Source: RFC 9562 section 5.8.
  static func uuid(of run: String) -> String {
    var bytes = Array(SHA256.digest(Array(run.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let hex = Array(Hexadecimal.text(bytes))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
  }
}
