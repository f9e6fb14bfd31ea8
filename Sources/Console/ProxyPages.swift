internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import Wording

/// A counter that lives as long as the program.
final class Count: Sendable {
  private let number = Atomic(0)

  func add() -> Int { number.add(1, ordering: .relaxed).newValue }
}

/// Requests over the socket of a proxy that authenticates users.
extension ConsoleServer {
  /// Answers a request from the proxy. The session lives as long as the proxy names the same account.
  /// Another name opens another session. No password is needed.
  func behindProxy(_ exchange: Exchange, _ named: String) async throws -> Response {
    guard !named.isEmpty else { throw ConsoleFault(status: .unauthorized, message: "fault.proxy_silent") }
    if let visit = try await visitor(exchange.token, isByProxySocket: true, reading: exchange.language), visit.account == named {
      guard exchange.path != "/logout", exchange.path != "/login" else { return try await leave(exchange, visit) }
      return await answerRecognised(exchange, visit)
    }
    // A form that was filled in under another session, or none, is not an action of this one.
    guard !exchange.isPost else { throw ConsoleFault.noSession }
    guard !exchange.isFromElsewhere || !exchange.token.isEmpty else { return try toLogIn(exchange) }
    guard let identity = settings.identity else { throw ConsoleFault.noSession }
    let token = SessionToken.make()
    let outcome = try await logins.open(named: named, by: identity, token: token, address: exchange.address, at: now())
    guard outcome == .opened, let visit = try await visitor(token, isByProxySocket: true, reading: exchange.language) else {
      throw ConsoleFault(status: .forbidden, message: "fault.proxy_stranger")
    }
    var response = exchange.path == "/login" ? Answer.redirect("/queue") : await answerRecognised(exchange, visit)
    if let field = HTTPField.Name("Set-Cookie") {
      response.headers.append(HTTPField(name: field, value: cookie(Exchange.sessionCookie, token, seconds: Self.sessionSeconds)))
    }
    return response
  }

  private func leave(_ exchange: Exchange, _ visit: Visitor) async throws -> Response {
    guard exchange.path == "/logout" else { return Answer.redirect("/queue") }
    try exchange.checkForm(visit.csrf)
    try await logins.close(exchange.token, of: visit)
    var page = Page(title: "login.out", subtitle: "login.subtitle", message: "login.proxy_knows")
    page.language = visit.language
    return try Answer.html(page, cookies: [cookie(Exchange.sessionCookie, "", seconds: 0)])
  }
}
