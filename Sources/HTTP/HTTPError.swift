public import Wording

/// The reason why there is no response; it never contains the request's path, query, headers or body.
public enum HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The connection failed, with libcurl's code and description.
  case transport(code: Int, detail: String)
  case timedOut(TimeoutPhase)
  /// The response is larger than the request allows.
  case tooLarge(limit: Int)
  case cancelled
  /// The address is not allowed; with the reason.
  case refusedURL(String)
  /// A header is invalid; only its name is reported.
  case refusedHeader(name: String)
  /// The queue for connections is full.
  case tooManyWaiting(limit: Int)

  public var description: String { phrase.english }

  /// The reason in the language of a reader.
  public var phrase: Phrase {
    switch self {
    case .transport(let code, let detail): Phrase("http_fault.failed", ["why": .plain(detail), "code": .plain("\(code)")])
    case .timedOut(let phase): Phrase("http_fault.slow", ["phase": .name("http_phase", phase.rawValue)])
    case .tooLarge(let limit): Phrase("http_fault.large", ["max": .plain("\(limit)")])
    case .cancelled: "http_fault.cancelled"
    case .refusedURL(let reason): Phrase("http_fault.refused", ["why": .plain(reason)])
    case .refusedHeader(let name): Phrase("http_fault.header", ["name": .plain(name)])
    case .tooManyWaiting(let limit): Phrase("http_fault.waiting", ["count": .plain("\(limit)")])
    }
  }
}

/// The phase in which the deadline passed.
public enum TimeoutPhase: String, Sendable { case queued, connecting, waiting, receiving }
