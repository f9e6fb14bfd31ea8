/// One request; every limit is said at the call.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  public var method: Method
  /// `https`, or `http` to this machine itself.
  public var url: String
  public var headers: [(name: String, value: String)]
  /// nil sends none.
  public var body: [UInt8]?
  /// For all of it, from `HTTPClient.send` to the last byte of the response; rounded to milliseconds.
  public var deadline: Duration
  /// For name, connection and TLS.
  public var connectTimeout: Duration
  /// Bytes that the decoded body of the response may have.
  public var bodyLimit: Int
  /// Whether the response's body comes as it was sent, without undoing its content coding.
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

/// What a server answered, whatever its status: 429 and 500 are answers too.
public struct HTTPResponse: Sendable {
  public let status: Int
  public let headers: HTTPHeaders
  public let body: [UInt8]
  /// Such as `1.1` or `2`.
  public let httpVersion: String
}

/// Header fields in the order in which they came; names are compared without case.
public struct HTTPHeaders: Sendable, Sequence {
  private var fields: [(name: String, value: String)] = []

  init() {}

  /// The first value of a name; nil when there is none.
  public subscript(name: String) -> String? { all(name).first }

  /// All values of a name.
  public func all(_ name: String) -> [String] {
    let wanted = name.lowercased()
    return fields.filter { $0.name == wanted }.map(\.value)
  }

  /// Names come in lower case.
  public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }

  mutating func append(_ name: String, _ value: String) { fields.append((name.lowercased(), value)) }
}
