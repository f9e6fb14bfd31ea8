public import Domain
internal import HTTPTypes
internal import Hummingbird
public import JobCore
public import Logging
internal import NIOCore
internal import Web

/// The review console: pages for whoever has an account, over what the command line does.
public struct ConsoleServer: Sendable {
  /// Largest form that is read.
  static let formBytesMax = 64 << 10
  static let cookie = "payrecon_session"
  static let loginCookie = "payrecon_login"

  let context: JobContext
  /// Whether browsers come over TLS, so that cookies are sent over nothing else.
  let isSecure: Bool
  let now: @Sendable () -> Timestamp
  let log: Logger

  /// - Parameter now: the clock of acts.
  public init(context: JobContext, isSecure: Bool, log: Logger, now: @escaping @Sendable () -> Timestamp) {
    self.context = context
    self.isSecure = isSecure
    self.log = log
    self.now = now
  }

  var door: Door { Door(context: context) }

  /// Serves until the process is told to stop.
  ///
  /// - Parameter isListening: told the port once it does.
  public func run(host: String, port: Int, isListening: @escaping @Sendable (Int) -> Void) async throws {
    let router = Router(context: PeerContext.self)
    router.get("/health") { _, _ in Response(status: .ok) }
    router.get("/style.css") { _, _ in
      Self.sealed(Response(
        status: .ok, headers: [.contentType: "text/css; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: Page.style))))
    }
    for path in ["/", "/login", "/queue", "/next", "/search", "/cases/:id"] {
      router.get(RouterPath(path)) { request, context in await self.answer(request, context) }
    }
    for path in ["/login", "/logout", "/cases/:id/:act"] {
      router.post(RouterPath(path)) { request, context in await self.answer(request, context) }
    }
    try await WebService.run(router, host: host, port: port, log: log, isListening: isListening)
  }

  private func answer(_ request: Request, _ peer: PeerContext) async -> Response {
    do {
      let form = try await Self.form(request)
      let token = Self.cookie(Self.cookie, request)
      if request.uri.path == "/login" { return try await login(request, form, peer) }
      guard let visit = try await door.visit(token, at: now()) else { return Self.redirect("/login") }
      do {
        return try await page(request, form, peer, visit, token)
      } catch {
        return try refusal(ConsoleFault(error), visit)
      }
    } catch {
      return (try? refusal(ConsoleFault(error), nil)) ?? Response(status: .internalServerError)
    }
  }

  private func refusal(_ fault: ConsoleFault, _ visit: Visit?) throws -> Response {
    try Self.html(Page(title: "Not done", visit: visit, fields: ["message": fault.message]), status: fault.status)
  }

  private func page(
    _ request: Request, _ form: Form, _ peer: PeerContext, _ visit: Visit, _ token: String
  ) async throws -> Response {
    guard let query = Form(request.uri.query ?? "") else { throw ConsoleFault(status: .badRequest, message: "The address is not well formed.") }
    let desk = ConsoleDesk(visit: visit)
    let id = peer.parameters.get("id") ?? ""
    guard request.method == .post else {
      switch request.uri.path {
      case "/", "/queue": return try Self.html(try await desk.queue(query))
      case "/search": return try Self.html(try await desk.search(query["q"]))
      case "/next": return Self.redirect(try await desk.takeNext().map { "/cases/\($0)" } ?? "/queue")
      default: return try Self.html(try await desk.show(id))
      }
    }
    guard form["csrf"] == visit.csrf else {
      throw ConsoleFault(status: .forbidden, message: "The form is not of this session; go back and load the page again.")
    }
    if request.uri.path == "/logout" {
      try await door.close(token, of: visit)
      return Self.redirect("/login", cookie: setCookie(Self.cookie, "", age: 0))
    }
    try await desk.act(peer.parameters.get("act") ?? "", on: id, form)
    return Self.redirect("/cases/\(id)")
  }

  private func login(_ request: Request, _ form: Form, _ peer: PeerContext) async throws -> Response {
    guard request.method == .post else {
      let token = SessionToken.make()
      let page = Page(title: "Log in", visit: nil, fields: ["is_login": true, "csrf": SessionToken.csrf(token)])
      return try Self.html(page, cookie: setCookie(Self.loginCookie, token, age: Self.loginSeconds))
    }
    let before = Self.cookie(Self.loginCookie, request)
    guard SessionToken.isOne(before), form["csrf"] == SessionToken.csrf(before) else {
      throw ConsoleFault(status: .forbidden, message: "The form is too old; load the page again.")
    }
    let token = SessionToken.make()
    let outcome = try await door.open(
      account: form["account"], password: form["password"], token: token, address: peer.address, at: now())
    switch outcome {
    case .opened: return Self.redirect("/queue", cookie: setCookie(Self.cookie, token, age: Self.sessionSeconds))
    case .refused: throw ConsoleFault(status: .unauthorized, message: "Account and password do not fit.")
    case .throttled: throw ConsoleFault(status: .tooManyRequests, message: "Too many attempts; wait a quarter of an hour.")
    }
  }

  private static let loginSeconds = 3600
  private static let sessionSeconds = 43_200

  private func setCookie(_ name: String, _ value: String, age: Int) -> String {
    "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(age)" + (isSecure ? "; Secure" : "")
  }
}

/// What comes in and goes out.
extension ConsoleServer {
  static func cookie(_ name: String, _ request: Request) -> String { request.cookies[name]?.value ?? "" }

  /// - Throws: `ConsoleFault` for a form that is too large or not well encoded.
  static func form(_ request: Request) async throws -> Form {
    var body: [UInt8] = []
    for try await part in request.body {
      guard body.count + part.readableBytes <= formBytesMax else {
        throw ConsoleFault(status: .contentTooLarge, message: "The form is too large.")
      }
      body += part.readableBytesView
    }
    guard let text = String(validating: body, as: UTF8.self), let form = Form(text) else {
      throw ConsoleFault(status: .badRequest, message: "The form is not well formed.")
    }
    return form
  }

  static func html(_ page: Page, status: HTTPResponse.Status = .ok, cookie: String? = nil) throws -> Response {
    var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    if let cookie { headers[.setCookie] = cookie }
    return sealed(
      Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: try page.text()))))
  }

  static func redirect(_ path: String, cookie: String? = nil) -> Response {
    var headers: HTTPFields = [.location: path]
    if let cookie { headers[.setCookie] = cookie }
    return sealed(Response(status: .seeOther, headers: headers))
  }

  /// Nothing runs, frames or keeps what is answered.
  static func sealed(_ response: Response) -> Response {
    var response = response
    let rules = [
      ("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
      ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "same-origin"),
    ]
    for (name, value) in rules { if let name = HTTPField.Name(name) { response.headers[name] = value } }
    return response
  }
}
