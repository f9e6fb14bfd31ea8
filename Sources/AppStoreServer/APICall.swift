internal import Domain
internal import HTTP

/// One request, without host and token.
struct APICall: Sendable {
  /// Maximum length of an identifier in a path or a query, in bytes.
  static let identifierBytesMax = 255

  let endpoint: APIEndpoint
  var method = HTTPRequest.Method.get
  /// Segments after `/inApps`, not escaped.
  var path: [String]
  var query: [(name: String, value: String)] = []
  var body: [UInt8]?

  init(
    _ endpoint: APIEndpoint, _ method: HTTPRequest.Method = .get, _ path: [String],
    query: [(name: String, value: String)] = [], body: [UInt8]? = nil
  ) {
    self.endpoint = endpoint
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
