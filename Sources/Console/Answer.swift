internal import HTTPTypes
internal import Hummingbird

/// HTTP responses. Their headers let a browser run, frame and cache nothing but the console's own files.
enum Answer {
  static func html(
    _ page: Page, status: HTTPResponse.Status = .ok, cookies: [String] = [], fields: [(String, String)] = []
  ) throws -> Response {
    response(status, [("Content-Type", "text/html; charset=utf-8")] + cookies.map { ("Set-Cookie", $0) } + fields, try page.text())
  }

  static func redirect(_ path: String, cookies: [String] = []) -> Response {
    response(.seeOther, [("Location", path)] + cookies.map { ("Set-Cookie", $0) }, "")
  }

  static func fixed(_ text: String, _ type: String) -> Response { response(.ok, [("Content-Type", type)], text) }

  static func json(_ text: String, status: HTTPResponse.Status = .ok, fields: [(String, String)] = []) -> Response {
    response(status, [("Content-Type", "application/json; charset=utf-8")] + fields, text)
  }

  /// Returns bytes that a browser saves as a file and never displays.
  static func download(_ bytes: [UInt8], name: String) -> Response {
    response(
      .ok, [("Content-Type", "application/octet-stream"), ("Content-Disposition", "attachment; filename=\"\(name)\"")],
      ByteBuffer(bytes: bytes))
  }

  private static let rules = [
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  private static func response(_ status: HTTPResponse.Status, _ fields: [(String, String)], _ text: String) -> Response {
    response(status, fields, ByteBuffer(string: text))
  }

  private static func response(_ status: HTTPResponse.Status, _ fields: [(String, String)], _ body: ByteBuffer) -> Response {
    var headers = HTTPFields()
    for (name, value) in fields + rules {
      if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
    }
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}
