public import Domain
internal import HTTPTypes
internal import Hummingbird
internal import JSON
public import JobCore
public import Logging
internal import Web
internal import Wording

/// The review console: web pages for accounts, with the actions of the command line.
public struct ConsoleServer: Sendable {
  let context: JobContext
  let settings: ConsoleSettings
  let log: Logger
  let now: @Sendable () -> Timestamp
  private let requestLimit = ConcurrencyLimit(passingMax: ConsoleLimits.workersMax, waitingMax: ConsoleLimits.waitersMax)
  /// Separate queue for log-ins, so they do not delay logged-in users.
  private let logInLimit = ConcurrencyLimit(passingMax: ConsoleLimits.passwordsMax, waitingMax: ConsoleLimits.waitersMax)
  private let spoofs = Count()
  private let readiness: DatabaseReadiness
  /// Limits concurrent uploads, because each body is kept in memory.
  private let uploadLimit = ConcurrencyLimit(passingMax: ConsoleLimits.uploadsMax, waitingMax: ConsoleLimits.waitersMax)

  public init(context: JobContext, settings: ConsoleSettings, log: Logger, now: @escaping @Sendable () -> Timestamp) {
    self.context = context.withPool(SessionPool(idleMax: ConsoleLimits.workersMax))
    readiness = DatabaseReadiness(context: context, revive: settings.revive)
    self.settings = settings
    self.log = log
    self.now = now
  }

  var logins: LoginController { LoginController(context: context) }

  private static let getPaths = (pages + apiPages).map(\.path) + ["/login"]
  private static let postPaths = (forms + apiForms).map(\.path) + ["/login"]

  /// Serves until the process is asked to stop.
  ///
  /// - Parameters:
  ///   - port: TCP port; nil to serve only the proxy's socket.
  ///   - isListening: called once the server listens, with the port, or with nil for the socket.
  public func run(host: String, port: Int?, isListening: @escaping @Sendable (Int?) -> Void) async throws {
    let router = Router(context: PeerContext.self)
    let (readiness, requestLimit) = (readiness, requestLimit)
    let fixed = ["/health", "/style.css", "/console.js", "/api/v1/openapi.json"]
    router.add(
      middleware: MethodGate(pages: Self.getPaths + fixed, forms: Self.postPaths) { request, path, allowed in
        let fault = allowed.map {
          ConsoleFault(status: .methodNotAllowed, message: Phrase("fault.method", ["allowed": .plain($0)]))
        }
        let fields = allowed.map { [("Allow", $0)] } ?? []
        return refusal(fault ?? .notThere, nil, path, Exchange.language(of: request), fields: fields)
      })
    router.get("/health") { _, _ in
      let (hasRoom, isReady) = (await requestLimit.hasRoom, await readiness.isReady())
      return Response(status: hasRoom && isReady ? .ok : .serviceUnavailable)
    }
    router.get("/style.css") { _, _ in Answer.fixed(Page.style, "text/css; charset=utf-8") }
    router.get("/console.js") { _, _ in Answer.fixed(Page.script, "text/javascript; charset=utf-8") }
    let reference = APIReference.file.map { String(decoding: JSONText.bytes($0), as: UTF8.self) } ?? ""
    router.get("/api/v1/openapi.json") { _, _ in Answer.json(reference) }
    for path in Self.getPaths {
      router.get(RouterPath(path)) { request, peer in await self.answer(request, peer, path) }
    }
    for path in Self.postPaths {
      router.post(RouterPath(path)) { request, peer in await self.answer(request, peer, path) }
    }
    let socket = settings.identity?.socket
    try await WebService.run(
      router, host: host, port: socket == nil ? port ?? 0 : port, socket: socket, log: log, isListening: isListening)
  }

  private func answer(_ request: Request, _ peer: PeerContext, _ path: String) async -> Response {
    guard path == Self.uploadPath, request.method == .post else { return await read(request, peer, path) }
    // The session is checked before the body is read, so strangers cannot occupy the upload slots.
    let language = Exchange.language(of: request)
    do { try await checkKnown(request, peer) } catch { return refusal(ConsoleFault(error), nil, path, language) }
    return await uploadLimit.run { await read(request, peer, path) } ?? refusal(.busy, nil, path, language)
  }

  /// - Throws: `ConsoleFault` if the request has no live session.
  private func checkKnown(_ request: Request, _ peer: PeerContext) async throws {
    let isKnown = try await requestLimit.run {
      try await logins.visit(Exchange.session(of: request), isByProxySocket: peer.isByProxySocket, at: now()) != nil
    }
    guard let isKnown else { throw ConsoleFault.busy }
    guard isKnown else { throw ConsoleFault.noSession }
  }

  private func read(_ request: Request, _ peer: PeerContext, _ path: String) async -> Response {
    if !peer.isByProxySocket, let field = settings.identity?.field, request.headers[field] != nil {
      log.notice(
        "a request over TCP named an account, which counts for nothing",
        metadata: ["count": "\(spoofs.add())", "address": "\(peer.address)"])
    }
    let exchange: Exchange
    // The request is read before it takes a slot, so a slow sender delays nobody else.
    do { exchange = try await Exchange(request, peer, path, settings) } catch {
      return await refuseUnread(ConsoleFault(error), request, peer, path)
    }
    let limit = path == "/login" ? logInLimit : requestLimit
    return await limit.run { await answer(exchange) } ?? refusal(.busy, nil, path, exchange.language)
  }

  private func answer(_ exchange: Exchange) async -> Response {
    do {
      if let named = exchange.named, !Self.isAPI(exchange.path) { return try await behindProxy(exchange, named) }
      if exchange.path == "/login" { return try await login(exchange) }
      let isAPI = Self.isAPI(exchange.path)
      guard
        let visit = try await visitor(
          exchange.token, ofProgram: isAPI, isByProxySocket: exchange.named != nil, reading: exchange.language)
      else {
        guard exchange.isPost || isAPI else { return try toLogIn(exchange) }
        throw ConsoleFault.noSession
      }
      return await answerRecognised(exchange, visit)
    } catch {
      return refusal(ConsoleFault(error), nil, exchange.path, exchange.language)
    }
  }

  /// Returns the visit of a session or token in the account's language, or else in the browser's; nil if the token is not valid.
  func visitor(_ token: String, ofProgram isAPI: Bool = false, isByProxySocket: Bool, reading language: Language) async throws -> Visitor? {
    var visit = try await logins.visit(token, ofProgram: isAPI, isByProxySocket: isByProxySocket, at: now())
    if visit?.isLanguageChosen == false { visit?.language = language }
    return visit
  }

  /// Answers a request of a session or token that was recognised.
  func answerRecognised(_ exchange: Exchange, _ visit: Visitor) async -> Response {
    do {
      return try await Self.isAPI(exchange.path) ? api(exchange, visit) : page(exchange, visit)
    } catch {
      return await refuse(ConsoleFault(error), visit, exchange)
    }
  }

  private func refuse(_ fault: ConsoleFault, _ visit: Visitor, _ exchange: Exchange) async -> Response {
    await record(fault, visit, exchange)
    return refusal(fault, fault.status == .unauthorized ? nil : visit, exchange.path, visit.language)
  }

  /// Records the refusal of a request in the audit chain, unless the chain itself fails.
  func record(_ fault: ConsoleFault, _ visit: Visitor, _ exchange: Exchange) async {
    guard (400..<500).contains(fault.status.code), fault.status != .unauthorized else { return }
    do {
      try await CaseController(visit: visit).refused(exchange.subject, fault.status)
    } catch {
      log.error("a refusal was not kept in the audit chain", metadata: ["cause": "\(ConsoleFault(error).cause ?? "")"])
    }
  }

  /// Refuses an unreadable request. Records the refusal if the sender is a known account.
  private func refuseUnread(_ fault: ConsoleFault, _ request: Request, _ peer: PeerContext, _ path: String) async -> Response {
    let isAPI = Self.isAPI(path)
    let token = isAPI ? Exchange.bearer(request) : Exchange.session(of: request)
    let language = Exchange.language(of: request)
    guard fault.status.code < 500, SessionToken.isOne(token) else { return refusal(fault, nil, path, language) }
    let visit = await requestLimit.run {
      let visit = try? await visitor(token, ofProgram: isAPI, isByProxySocket: peer.isByProxySocket, reading: language)
      if let visit { try? await CaseController(visit: visit).refused(path, fault.status) }
      return visit
    }
    return refusal(fault, visit ?? nil, path, language)
  }

  private func refusal(
    _ fault: ConsoleFault, _ visit: Visitor?, _ path: String, _ language: Language, fields: [(String, String)] = []
  ) -> Response {
    // The log gets the path pattern only, because the address may name a person.
    let metadata: Logger.Metadata = ["path": "\(path)", "http.status": "\(fault.status.code)", "cause": "\(fault.cause ?? "")"]
    if fault.status.code >= 500 {
      log.error("a request failed", metadata: metadata)
      if fault.isOfDatabase { Task { await readiness.revive() } }
    } else {
      log.info("a request was refused", metadata: metadata)
    }
    guard !Self.isAPI(path) else {
      let fields = fields + (fault.status == .unauthorized ? [("WWW-Authenticate", "Bearer")] : [])
      let text = fault.status == .unauthorized ? "A token is missing, or over." : fault.message.english
      return Answer.json(APIText.object([("error", ReportText.quoted(text))]), status: fault.status, fields: fields)
    }
    let page = Page(title: "fault.title", visit: visit, message: fault.message, isRefusal: true, language: language)
    return (try? Answer.html(page, status: fault.status, fields: fields)) ?? Response(status: .internalServerError)
  }
}
