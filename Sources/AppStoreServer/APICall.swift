internal import Domain
internal import HTTP

/// One request to one App Store, without host and token.
struct APICall: Sendable {
  /// Maximum length of an identifier in a path or a query, in bytes.
  static let identifierBytesMax = 255

  let endpoint: APIEndpoint
  let environment: APIEnvironment
  let method: HTTPRequest.Method
  /// Segments after `/inApps`, not escaped.
  let path: [String]
  let query: [(name: String, value: String)]
  let body: [UInt8]?

  init(
    _ endpoint: APIEndpoint, in environment: APIEnvironment, _ method: HTTPRequest.Method = .get, _ path: [String] = [],
    query: [(name: String, value: String)] = [], body: [UInt8]? = nil
  ) {
    self.endpoint = endpoint
    self.environment = environment
    self.method = method
    self.path = path
    self.query = query
    self.body = body
  }

  /// Path and query, escaped; nil when a segment is not allowed in a path.
  var target: String? {
    var text = "/inApps"
    for segment in path {
      // libcurl resolves `.` and `..`, and an empty segment names another endpoint.
      guard segment.utf8.count <= Self.identifierBytesMax, segment.contains(where: { $0 != "." }) else { return nil }
      text += "/" + PercentEncoding.of(segment)
    }
    for (index, item) in query.enumerated() {
      text += (index == 0 ? "?" : "&") + item.name + "=" + PercentEncoding.of(item.value)
    }
    return text
  }
}
