internal import Cryptography
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Wording

extension CaseController {
  func tokens(made: String? = nil) async throws -> Page {
    let found = try await table(ConsoleSQL.tokens)
    var page = Page(title: "tokens.title", visit: visit, subtitle: "tokens.subtitle")
    var fields: [String: Any] = try ["live": found.records.map { try ["id": $0.text("token"), "name": $0.text("name")] }]
    if let made { fields["made"] = ["token": made] }
    page.fields["tokens"] = fields
    page.sections = [Section("tokens.title", found, empty: "tokens.none", isLinked: false)]
    return page
  }

  /// Creates a token. Only this response shows it.
  func makeToken(_ form: Form, address: String) async throws -> Page {
    let days = Int64(form["days"]) ?? 0
    guard (1...ConsoleLimits.tokenDaysMax).contains(days), (1...60).contains(form["name"].count) else {
      throw ConsoleFault(status: .badRequest, message: Phrase("fault.token", ["days": .plain("\(ConsoleLimits.tokenDaysMax)")]))
    }
    let token = SessionToken.make()
    let parameters: [String: Value] = [
      "secret_sha256": .text(SHA256.hex(Array(SessionToken.secret(token, ofProgram: true).utf8))),
      "name": .text(form["name"]), "days": .int8(days), "address": .text(address),
      "tokens": .int8(ConsoleLimits.tokensMax),
    ]
    let isMade = try await record(.tokenMade, of: visit.account, [.text("token", form["name"]), .number("days", days)]) { context, tx in
      try tx.rows(context.sql(ConsoleSQL.makeToken), parameters).first == true
    }
    guard isMade else {
      throw ConsoleFault(status: .conflict, message: Phrase("fault.tokens", ["max": .plain("\(ConsoleLimits.tokensMax)")]))
    }
    return try await tokens(made: SessionToken.prefix + token)
  }

  func endToken(_ id: String) async throws {
    let isEnded = try await record(.tokenEnded, of: visit.account, [.text("token", id)]) { context, tx in
      try tx.rows(context.sql(ConsoleSQL.endToken), ["token": .text(id)]).first ?? 0 > 0
    }
    guard isEnded else { throw ConsoleFault.notThere }
  }
}
