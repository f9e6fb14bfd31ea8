/// Why there is no response; path, query, headers and body of the request are never part of it.
public enum HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The connection could not be made, or broke: libcurl's number and words.
  case transport(code: Int, detail: String)
  case timedOut(TimeoutPhase)
  /// The response has more bytes than the request allows.
  case tooLarge(limit: Int)
  /// The task was cancelled.
  case cancelled
  /// The address must not be called; says why.
  case refusedURL(String)
  /// A header cannot be sent as it is; only its name is told.
  case refusedHeader(name: String)
  /// As many requests wait for a connection as may.
  case tooManyWaiting(limit: Int)

  public var description: String {
    switch self {
    case .transport(let code, let detail): "the HTTP request failed: \(detail) (curl \(code))"
    case .timedOut(let phase): "the HTTP request took too long: \(phase.rawValue)"
    case .tooLarge(let limit): "the HTTP response is larger than \(limit) bytes"
    case .cancelled: "the HTTP request was cancelled"
    case .refusedURL(let reason): "cannot send the HTTP request: \(reason)"
    case .refusedHeader(let name):
      "cannot send the HTTP header \"\(name)\": it holds characters that end a header"
    case .tooManyWaiting(let limit): "cannot send the HTTP request: \(limit) others wait already"
    }
  }
}

/// What was going on when the time was up.
public enum TimeoutPhase: String, Sendable {
  case queued = "waiting for a free connection"
  case connecting = "connecting"
  case waiting = "waiting for the response"
  case receiving = "receiving the response"
}
