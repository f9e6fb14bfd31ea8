internal import Collect
internal import Domain
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Review
internal import Wording

/// A path of the console and its answer to a logged-in user.
struct ConsoleRoute: Sendable {
  typealias Answering = @Sendable (ConsoleServer, CaseController, Exchange) async throws -> Response

  let path: String
  let answer: Answering

  init(_ path: String, _ answer: @escaping Answering) { (self.path, self.answer) = (path, answer) }

  static func page(_ path: String, _ make: @escaping @Sendable (CaseController, Exchange) async throws -> Page) -> ConsoleRoute {
    ConsoleRoute(path) { _, controller, exchange in try Answer.html(try await make(controller, exchange)) }
  }

  static func json(_ path: String, _ make: @escaping @Sendable (CaseController, Exchange) async throws -> String) -> ConsoleRoute {
    ConsoleRoute(path) { _, controller, exchange in Answer.json(try await make(controller, exchange)) }
  }

  static func rawEvidence(_ path: String) -> ConsoleRoute {
    ConsoleRoute(path) { _, controller, exchange in
      let (hash, id) = (exchange["hash"], exchange["id"])
      return Answer.download(try await controller.rawEvidence(hash, of: id.isEmpty ? nil : id), name: "\(hash).txt")
    }
  }

  /// A form that changes data and leads to a page, whose path may have the variable parts of the form's.
  static func form(
    _ path: String, to next: String, _ change: @escaping @Sendable (CaseController, Exchange) async throws -> Void
  ) -> ConsoleRoute {
    ConsoleRoute(path) { _, controller, exchange in
      try await change(controller, exchange)
      let parts = next.split(separator: "/").map { $0.hasPrefix(":") ? exchange[String($0.dropFirst())] : String($0) }
      return Answer.redirect("/" + parts.joined(separator: "/"))
    }
  }
}

extension ConsoleServer {
  /// Pages, answered to GET.
  static let pages: [ConsoleRoute] = [
    ConsoleRoute("/") { _, _, _ in Answer.redirect("/queue") },
    .page("/queue") { try await $0.queue($1.query) },
    .page("/dashboard") { controller, _ in try await controller.dashboard() },
    ConsoleRoute("/search") { try Answer.html(try await $1.search($2.query["q"], canAsk: $0.canAskApple($1))) },
    ConsoleRoute("/customer") { try Answer.html(try await $1.customer($2.query["q"], canAsk: $0.canAskApple($1))) },
    .page("/rungs") { try await $0.rungs(named: $1.query["q"]) },
    .page("/breaks") { try await $0.breaks($1.query) },
    .page("/breaks/:id") { try await $0.oneBreak($1["id"]) },
    .page("/runs") { try await $0.runs($1.query) },
    .page("/runs/:id") { try await $0.run($1["id"]) },
    .page("/rows/:name") { try await $0.figure($1["name"], $1.query) },
    .page("/lists") { try await $0.lists($1.query) },
    .page("/rules") { controller, _ in try await controller.rules() },
    .page("/rules/:name") { try await $0.rule($1["name"]) },
    .page("/trials/:id") { try await $0.trial($1["id"]) },
    .page("/settings") { controller, _ in try await controller.settings() },
    .page("/periods") { controller, _ in try await controller.periods() },
    .page("/periods/:name") { try await $0.period($1["name"]) },
    .page("/people") { controller, _ in try await controller.people() },
    .page("/people/:name") { try await $0.person($1["name"]) },
    .page("/me") { controller, _ in try await controller.me() },
    .page("/keys") { controller, _ in keys(controller.visit) },
    .page("/bulk") { try await $0.bulk($1.query) },
    .page("/batches/:id") { try await $0.batch($1["id"]) },
    .page("/tokens") { controller, _ in try await controller.tokens() },
    .page("/api") { controller, _ in try controller.apiPage() },
    .page("/mine") { controller, _ in try await controller.mine() },
    .page("/approvals") { controller, _ in try await controller.approvals() },
    .page("/watching") { controller, _ in try await controller.watching() },
    .page("/decided") { try await $0.decided($1.query) },
    .page("/terms") { controller, _ in try await controller.terms() },
    .page("/following") { controller, _ in try await controller.following() },
    ConsoleRoute("/cases/:id") { server, controller, exchange in
      let (id, message) = (exchange["id"], ActOutcome(exchange.done)?.message ?? .plain(""))
      // The cookie is cleared, so a reloaded page does not repeat the message.
      let cookies = message.isEmpty ? [] : [server.doneCookie("", of: id)]
      return try Answer.html(try await controller.card(id, message: message), cookies: cookies)
    },
    .page("/cases/:id/rungs") { try await $0.rungs($1["id"]) },
    .page("/evidence/:hash") { try await $0.evidence($1["hash"], of: nil) },
    .page("/cases/:id/evidence/:hash") { try await $0.evidence($1["hash"], of: $1["id"]) },
    .rawEvidence("/evidence/:hash/raw"),
    .rawEvidence("/cases/:id/evidence/:hash/raw"),
    ConsoleRoute("/cases/:id/attachments/:hash") {
      Answer.download(try await $1.attachment($2["hash"], of: $2["id"]), name: "\($2["hash"]).bin")
    },
  ]

  static let uploadPath = "/cases/:id/attachments"

  /// Forms, answered to POST. Every form has the secret of its session.
  static let forms: [ConsoleRoute] = [
    ConsoleRoute("/logout") { server, controller, exchange in
      try await server.logins.close(exchange.token, of: controller.visit)
      return Answer.redirect("/login", cookies: [server.cookie(Exchange.sessionCookie, "", seconds: 0)])
    },
    ConsoleRoute("/next") { server, controller, _ in
      if let id = try await controller.caseInHand() { return server.respond(ActOutcome(word: "in_hand"), of: id) }
      guard let id = try await controller.takeNext() else { return Answer.redirect("/queue") }
      return server.respond(ActOutcome(word: "take"), of: id)
    },
    ConsoleRoute("/search") { server, controller, exchange in
      guard let access = try server.settings.storeAccess?(controller.visit.context) else { throw ConsoleFault.notThere }
      return try Answer.html(try await controller.askApple(exchange.form["q"], access))
    },
    .page("/tokens") { try await $0.makeToken($1.form, address: $1.address) },
    .form("/tokens/:id/end", to: "/tokens") { try await $0.endToken($1["id"]) },
    ConsoleRoute("/me/password") { server, controller, exchange in
      try await server.logins.changePassword(of: controller.visit, exchange.form)
      return try Answer.html(try await controller.me(message: "me.password_changed"))
    },
    .form("/me/address", to: "/me") { try await $0.accounts.setAddress($0.visit.account, to: $1.form["address"]) },
    .form("/me", to: "/me") { try await $0.choosePreferences($1.form) },
    ConsoleRoute("/bulk") { try await $0.bulk($2, $1) },
    .form("/batches/:id/undo", to: "/batches/:id") { _ = try await $0.undoBatch($1["id"], $1.form) },
    ConsoleRoute(uploadPath) { server, controller, exchange in
      try await controller.attach(exchange.form, to: exchange["id"])
      return server.respond(ActOutcome(word: "attached"), of: exchange["id"])
    },
    ConsoleRoute("/views") { _, controller, exchange in
      try await controller.saveView(exchange.form)
      return Answer.redirect(CaseController.address("/queue", exchange.form, keeping: CaseController.filters))
    },
    .form("/views/end", to: "/queue") { try await $0.removeView($1.form) },
    .form("/lists", to: "/lists") { try await $0.addEntry($1.form) },
    .form("/lists/:id/end", to: "/lists") { try await $0.removeEntry($1["id"], $1.form) },
    .form("/rules/:name/:act", to: "/rules/:name") { try await $0.changeRule($1["name"], $1["act"], $1.form) },
    .form("/people/:name/end", to: "/people") { try await $0.endSessions(of: $1["name"]) },
    .form("/people", to: "/people") { try await $0.addPerson($1.form) },
    .form("/people/:name/:act", to: "/people/:name") { try await $0.changePerson($1["name"], $1["act"], $1.form) },
    ConsoleRoute("/cases/:id/:act") { try await $0.act($2, $1) },
  ]

  /// Whether an app of the settings has a key for Apple's server. An unreadable key counts, so that its fault is reported.
  private func canAskApple(_ controller: CaseController) -> Bool {
    do { return try settings.storeAccess?(controller.visit.context).hasKeys ?? false } catch { return true }
  }

  func page(_ exchange: Exchange, _ visit: Visitor) async throws -> Response {
    if exchange.isPost { try exchange.checkForm(visit.csrf) }
    var visit = visit
    visit.path = exchange.path
    if !exchange.isPost { visit.counts = try await CaseController(visit: visit).navigationCounts() }
    return try await answer(exchange, visit, among: exchange.isPost ? Self.forms : Self.pages)
  }

  func answer(_ exchange: Exchange, _ visit: Visitor, among routes: [ConsoleRoute]) async throws -> Response {
    guard let route = routes.first(where: { $0.path == exchange.path }) else { throw ConsoleFault.notThere }
    return try await route.answer(self, CaseController(visit: visit, storeAccess: settings.storeAccess), exchange)
  }

  /// Performs an action on a case. A refused form is shown again with what was typed.
  private func act(_ exchange: Exchange, _ controller: CaseController) async throws -> Response {
    let (id, act) = (exchange["id"], exchange["act"])
    do { return respond(try await controller.act(act, on: id, exchange.form), of: id) } catch let mismatch as AppleRecordMismatch {
      return try Answer.html(controller.mismatchPage(mismatch, to: act, on: id, exchange.form), status: .conflict)
    } catch {
      let fault = ConsoleFault(error)
      guard fault.status == .badRequest || fault.status == .conflict, CaseController.CaseAct(rawValue: act) != nil,
        let page = try? await controller.card(id, message: .plain(""), refusing: fault, act: act, typed: exchange.form)
      else { throw fault }
      await record(fault, controller.visit, exchange)
      return try Answer.html(page, status: fault.status)
    }
  }

  /// Previews or makes a bulk decision. A refused form is shown again with what was typed.
  private func bulk(_ exchange: Exchange, _ controller: CaseController) async throws -> Response {
    do {
      guard !exchange.form["confirmed"].isEmpty else { return try Answer.html(try await controller.preview(exchange.form)) }
      return Answer.redirect("/batches/\(try await controller.decideMany(exchange.form).batchID ?? "")")
    } catch is AppleRecordMismatch {
      return try Answer.html(try await controller.preview(exchange.form), status: .conflict)
    } catch {
      let fault = ConsoleFault(error)
      let isOutdated = fault.status == .conflict && !exchange.form["confirmed"].isEmpty
      guard fault.status == .badRequest || isOutdated,
        let page = try? await isOutdated
          ? controller.preview(exchange.form, refusing: fault) : controller.bulk(exchange.form, refusing: fault)
      else { throw fault }
      await record(fault, controller.visit, exchange)
      return try Answer.html(page, status: fault.status)
    }
  }

  /// Redirects to the case, whose page shows the outcome once.
  private func respond(_ done: ActOutcome, of id: String) -> Response {
    Answer.redirect("/cases/\(id)", cookies: [doneCookie(done.text, of: id)])
  }

  private func doneCookie(_ word: String, of id: String) -> String {
    cookie(Exchange.doneCookie, word, seconds: word.isEmpty ? 0 : 60, path: "/cases/\(id)")
  }

  /// Redirects a request without a session to the log-in and remembers the requested page.
  func toLogIn(_ exchange: Exchange) throws -> Response {
    guard exchange.isWanted else { return Answer.redirect("/login") }
    guard !exchange.isFromElsewhere || !exchange.token.isEmpty else {
      // A browser omits the cookie on a link from another site, such as a report. A link on our own page sends it.
      var page = Page(title: "login.moment", subtitle: "login.subtitle", language: exchange.language)
      page.fields["onward"] = ["address": exchange.place]
      return try Answer.html(page)
    }
    let wanted = cookie(Exchange.wantedCookie, PercentEncoding.of(exchange.place), seconds: Self.loginSeconds)
    return Answer.redirect("/login", cookies: [wanted])
  }

  func login(_ exchange: Exchange) async throws -> Response {
    guard exchange.isPost else {
      let token = SessionToken.make()
      var page = Page(title: "login.title", subtitle: "login.subtitle", language: exchange.language)
      page.fields["login"] = ["csrf": SessionToken.csrf(token)]
      return try Answer.html(page, cookies: [cookie(Exchange.loginCookie, token, seconds: Self.loginSeconds)])
    }
    // Without a token from the browser, a random token makes every form invalid.
    try exchange.checkForm(SessionToken.csrf(SessionToken.isOne(exchange.loginToken) ? exchange.loginToken : SessionToken.make()))
    // A new token for each log-in prevents session fixation.
    let token = SessionToken.make()
    let outcome = try await logins.open(
      account: exchange.form["account"], password: exchange.form["password"], token: token, address: exchange.address,
      at: now())
    switch outcome {
    case .opened:
      return Answer.redirect(
        exchange.wanted,
        cookies: [
          cookie(Exchange.wantedCookie, "", seconds: 0),
          cookie(Exchange.sessionCookie, token, seconds: Self.sessionSeconds), cookie(Exchange.loginCookie, "", seconds: 0),
        ])
    case .refused: throw ConsoleFault(status: .unauthorized, message: "fault.password")
    case .throttled:
      log.notice("log-ins are refused for a while", metadata: ["address": "\(exchange.address)"])
      throw ConsoleFault(status: .tooManyRequests, message: "fault.throttled")
    }
  }

  private static let loginSeconds = 3600
  static let sessionSeconds = 43_200

  func cookie(_ name: String, _ value: String, seconds: Int, path: String = "/") -> String {
    "\(name)=\(value); Path=\(path); HttpOnly; SameSite=Strict; Max-Age=\(seconds)" + (settings.isSecure ? "; Secure" : "")
  }

  private static func keys(_ visit: Visitor) -> Page {
    var page = Page(title: "keys.title", visit: visit, subtitle: "keys.subtitle")
    let keys: [(key: String, does: Phrase)] = [
      ("n", "keys.next"), ("q", "keys.queue"), ("d", "keys.dashboard"), ("b", "keys.breaks"), ("/", "keys.search"),
      ("t", "keys.take"), ("c", "keys.decide"), ("a", "keys.approve"), ("r", "keys.reject"), ("w", "keys.withdraw"), ("u", "keys.undo"),
      ("g", "keys.release"), ("o", "keys.note"), ("s", "keys.arrange"),
      ("y", "keys.copy"), ("j", "keys.down"), ("k", "keys.up"), ("?", "keys.help"),
    ]
    page.fields["has_keys"] = true
    page.fields["keys"] = keys.map { ["key": $0.key, "does": $0.does] as [String: Any] }
    return page
  }
}
