internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Review
internal import Wording

extension ConsoleServer {
  /// Answers a request of a logged-in user.
  func page(_ exchange: Exchange, _ visit: Visitor) async throws -> Response {
    let desk = CaseController(visit: visit, storeAccess: settings.storeAccess)
    guard !exchange.isPost else { return try await post(exchange, visit, desk) }
    let (id, hash) = (exchange["id"], exchange["hash"])
    let caseID = exchange.path.hasPrefix("/cases/") ? id : nil
    switch exchange.path {
    case "/": return Answer.redirect("/queue")
    case "/queue": return try Answer.html(try await desk.queue(exchange.query))
    case "/dashboard": return try Answer.html(try await desk.dashboard())
    case "/search": return try Answer.html(try await desk.search(exchange.query["q"], canAsk: settings.storeAccess != nil))
    case "/rungs": return try Answer.html(try await desk.rungs(named: exchange.query["q"]))
    case "/breaks": return try Answer.html(try await desk.breaks(exchange.query))
    case "/breaks/:id": return try Answer.html(try await desk.oneBreak(id))
    case "/runs": return try Answer.html(try await desk.runs(exchange.query))
    case "/runs/:id": return try Answer.html(try await desk.run(id))
    case "/rows/:name": return try Answer.html(try await desk.figure(exchange["name"], exchange.query))
    case "/lists": return try Answer.html(try await desk.lists(exchange.query))
    case "/rules": return try Answer.html(try await desk.rules())
    case "/rules/:name": return try Answer.html(try await desk.rule(exchange["name"]))
    case "/trials/:id": return try Answer.html(try await desk.trial(id))
    case "/settings": return try Answer.html(try await desk.settings())
    case "/periods": return try Answer.html(try await desk.periods())
    case "/periods/:name": return try Answer.html(try await desk.period(exchange["name"]))
    case "/people": return try Answer.html(try await desk.people())
    case "/me": return try Answer.html(desk.me())
    case "/keys": return try Answer.html(Self.keys(visit))
    case "/bulk": return try Answer.html(try await desk.bulk(exchange.query))
    case "/batches/:id": return try Answer.html(try await desk.batch(id))
    case "/tokens": return try Answer.html(try await desk.tokens())
    case "/mine": return try Answer.html(try await desk.mine())
    case "/approvals": return try Answer.html(try await desk.approvals())
    case "/watching": return try Answer.html(try await desk.watching())
    case "/terms": return try Answer.html(try await desk.terms())
    case "/following": return try Answer.html(try await desk.following())
    case "/cases/:id":
      let message = Done(exchange.done)?.message ?? .plain("")
      // The cookie is cleared, so a reloaded page does not repeat the message.
      return try Answer.html(try await desk.card(id, message: message), cookies: message.isEmpty ? [] : [doneCookie("", of: id)])
    case "/cases/:id/rungs": return try Answer.html(try await desk.rungs(id))
    case "/evidence/:hash", "/cases/:id/evidence/:hash":
      return try Answer.html(try await desk.evidence(hash, of: caseID))
    case "/evidence/:hash/raw", "/cases/:id/evidence/:hash/raw":
      return Answer.download(try await desk.rawEvidence(hash, of: caseID), name: "\(hash).txt")
    case "/cases/:id/attachments/:hash":
      return Answer.download(try await desk.attachment(hash, of: id), name: "\(hash).bin")
    default: throw ConsoleFault.notThere
    }
  }

  private func post(_ exchange: Exchange, _ visit: Visitor, _ desk: CaseController) async throws -> Response {
    try exchange.checkForm(visit.csrf)
    switch exchange.path {
    case "/logout":
      try await door.close(exchange.token, of: visit)
      return Answer.redirect("/login", cookies: [cookie(Exchange.sessionCookie, "", seconds: 0)])
    case "/next":
      if let id = try await desk.caseInHand() { return respond(Done(word: "in_hand"), of: id) }
      guard let id = try await desk.takeNext() else { return Answer.redirect("/queue") }
      return respond(Done(word: "take"), of: id)
    case "/search":
      guard let access = try settings.storeAccess?(visit.context) else { throw ConsoleFault.notThere }
      return try Answer.html(try await desk.askApple(exchange.form["q"], access))
    case "/tokens": return try Answer.html(try await desk.makeToken(exchange.form, address: exchange.address))
    case "/me":
      try await desk.chooseLanguage(exchange.form)
      return Answer.redirect("/me")
    case "/tokens/:id/end":
      try await desk.endToken(exchange["id"])
      return Answer.redirect("/tokens")
    case "/bulk": return try await bulk(exchange, desk)
    case "/batches/:id/undo":
      try await desk.undoBatch(exchange["id"], exchange.form)
      return Answer.redirect("/batches/\(exchange["id"])")
    case ConsoleServer.uploadPath:
      try await desk.attach(exchange.form, to: exchange["id"])
      return respond(Done(word: "attached"), of: exchange["id"])
    case "/views":
      try await desk.saveView(exchange.form)
      return Answer.redirect(CaseController.address("/queue", exchange.form, keeping: CaseController.filters))
    case "/views/end":
      try await desk.removeView(exchange.form)
      return Answer.redirect("/queue")
    case "/lists":
      try await desk.addEntry(exchange.form)
      return Answer.redirect("/lists")
    case "/lists/:id/end":
      try await desk.removeEntry(exchange["id"], exchange.form)
      return Answer.redirect("/lists")
    case "/rules/:name/:act":
      try await desk.changeRule(exchange["name"], exchange["act"], exchange.form)
      return Answer.redirect("/rules/\(exchange["name"])")
    case "/people/:name/end":
      try await desk.endSessions(of: exchange["name"])
      return Answer.redirect("/people")
    case "/people/:name/unlock":
      try await desk.unlock(exchange["name"])
      return Answer.redirect("/people")
    default: return try await act(exchange, visit, desk)
    }
  }

  /// Performs an action on a case. A refused form is shown again with what was typed.
  private func act(_ exchange: Exchange, _ visit: Visitor, _ desk: CaseController) async throws -> Response {
    let (id, act) = (exchange["id"], exchange["act"])
    do { return respond(try await desk.act(act, on: id, exchange.form), of: id) } catch let objection as AppleRecordMismatch {
      return try Answer.html(desk.objection(objection, to: act, on: id, exchange.form), status: .conflict)
    } catch {
      let fault = ConsoleFault(error)
      guard fault.status == .badRequest || fault.status == .conflict, CaseController.CaseAct(rawValue: act) != nil,
        let page = try? await desk.card(id, message: .plain(""), refusing: fault, act: act, typed: exchange.form)
      else { throw fault }
      await record(fault, visit, exchange)
      return try Answer.html(page, status: fault.status)
    }
  }

  /// Previews or makes a bulk decision. A refused form is shown again with what was typed.
  private func bulk(_ exchange: Exchange, _ desk: CaseController) async throws -> Response {
    do {
      guard !exchange.form["confirmed"].isEmpty else { return try Answer.html(try await desk.preview(exchange.form)) }
      return Answer.redirect("/batches/\(try await desk.decideMany(exchange.form).batchID ?? "")")
    } catch is AppleRecordMismatch {
      return try Answer.html(try await desk.preview(exchange.form), status: .conflict)
    } catch {
      let fault = ConsoleFault(error)
      guard fault.status == .badRequest, let page = try? await desk.bulk(exchange.form, refusing: fault) else { throw fault }
      await record(fault, desk.visit, exchange)
      return try Answer.html(page, status: fault.status)
    }
  }

  /// Redirects to the case, whose page shows the outcome once.
  private func respond(_ done: Done, of id: String) -> Response {
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
    let wanted = cookie(Exchange.wantedCookie, Form.encoded(exchange.place), seconds: Self.loginSeconds)
    return Answer.redirect("/login", cookies: [wanted])
  }

  /// Returns the log-in form, or handles a submitted one.
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
    let outcome = try await door.open(
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
      ("j", "keys.down"), ("k", "keys.up"), ("?", "keys.help"),
    ]
    page.fields["has_keys"] = true
    page.fields["keys"] = keys.map { ["key": $0.key, "does": $0.does] as [String: Any] }
    return page
  }
}
