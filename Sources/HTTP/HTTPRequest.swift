/// One request; the caller sets every limit.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
  }

  public var method: Method
  /// `https`, or `http` to this machine.
  public var url: String
  public var headers: [(name: String, value: String)]
  /// The body; nil sends none.
  public var body: [UInt8]?
  /// Time limit from `HTTPClient.send` to the last byte of the response, in milliseconds precision.
  public var deadline: Duration
  /// Time limit of name resolution, connection and TLS.
  public var connectTimeout: Duration
  /// Maximum length of the decoded response body in bytes.
  public var bodyLimit: Int
  /// Whether the response body keeps its content coding.
  public var keepsCoding = false

  public init(
    _ method: Method, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
    deadline: Duration, connectTimeout: Duration, bodyLimit: Int
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.deadline = deadline
    self.connectTimeout = connectTimeout
    self.bodyLimit = bodyLimit
  }
}

/// A server's response with any status, including 429 and 500.
public struct HTTPResponse: Sendable {
  public let status: Int
  public let headers: HTTPHeaders
  public let body: [UInt8]
}

/// Header fields; names are compared without case.
public struct HTTPHeaders: Sendable {
  private var fields: [(name: String, value: String)] = []

  init() {}

  /// Returns the first value of a name; nil when there is none.
  public subscript(name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

  mutating func append(_ name: String, _ value: String) { fields.append((name.lowercased(), value)) }
}
