/// The reason why there is no response; it never contains the request's path, query, headers or body.
public enum HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The connection failed, with libcurl's code and description.
  case transport(code: Int, detail: String)
  case timedOut(TimeoutPhase)
  /// The response is larger than the request allows.
  case tooLarge(limit: Int)
  /// The task was cancelled.
  case cancelled
  /// The address is not allowed; with the reason.
  case refusedURL(String)
  /// A header is invalid; only its name is reported.
  case refusedHeader(name: String)
  /// The queue for connections is full.
  case tooManyWaiting(limit: Int)

  public var description: String {
    switch self {
    case .transport(let code, let detail): "the HTTP request failed: \(detail) (curl \(code))"
    case .timedOut(let phase): "the HTTP request took too long: \(phase.rawValue)"
    case .tooLarge(let limit): "the HTTP response is larger than \(limit) bytes"
    case .cancelled: "the HTTP request was cancelled"
    case .refusedURL(let reason): "cannot send the HTTP request: \(reason)"
    case .refusedHeader(let name): "cannot send the HTTP header \"\(name)\": it holds characters that end a header"
    case .tooManyWaiting(let limit): "cannot send the HTTP request: \(limit) others wait already"
    }
  }
}

/// The phase in which the deadline passed.
public enum TimeoutPhase: String, Sendable {
  case queued = "waiting for a free connection"
  case connecting = "connecting"
  case waiting = "waiting for the response"
  case receiving = "receiving the response"
}
