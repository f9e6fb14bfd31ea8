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
      text += "/" + Self.escaped(segment)
    }
    for (index, item) in query.enumerated() {
      text += (index == 0 ? "?" : "&") + item.name + "=" + Self.escaped(item.value)
    }
    return text
  }

  /// Returns the text with percent-encoding.
  ///
  /// - Source: RFC 3986, section 2.3 ("unreserved").
  static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
      default: output += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
