internal import Cryptography
internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import TimeZones
internal import Wording

extension CaseController {
  /// Returns the account's own settings page, which has the language and the time zone of its pages, its mail address and its password.
  func me(message: Phrase = .plain("")) async throws -> Page {
    let subtitle = Phrase("me.subtitle", ["account": .plain(visit.account), "role": .name("word", visit.role)])
    let address = try await context.rows(ConsoleSQL.ownAddress, as: .review).first ?? nil
    var page = Page(title: "me.title", visit: visit, subtitle: subtitle, message: message)
    page.fields["me"] = [
      "languages": Language.allCases.map { language in
        [
          "tag": language.rawValue, "name": language.name, "is_chosen": visit.isLanguageChosen && visit.language == language,
        ] as [String: Any]
      },
      "zone": visit.zone.name, "zones": TimeZoneRules.names(),
      "address": address ?? "", "name": visit.account,
      "characters": "\(ConsoleAccountJob.passwordCharactersMin)",
    ]
    return page
  }

  /// Saves the language and the time zone that a form names. An empty field restores the browser's language, or UTC.
  func choosePreferences(_ form: Form) async throws {
    let (language, zone) = (form["language"], form["zone"])
    guard language.isEmpty || Language(rawValue: language) != nil else { throw ConsoleFault.invalid("fault.no_language") }
    guard zone.isEmpty || Reader.zone(named: zone) != nil else {
      throw ConsoleFault.invalid(Phrase("fault.no_zone", ["name": .plain(zone)]))
    }
    let details: [AuditEntry.Detail] = [
      .text("language", language.isEmpty ? "browser" : language), .text("time_zone", zone.isEmpty ? "UTC" : zone),
    ]
    try await record(.preferencesSaved, of: visit.account, details) { tx in
      try tx.send(context.sql(ConsoleSQL.savePreferences), ["language": .text(language), "time_zone": .text(zone)])
      return true
    }
  }

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
      throw ConsoleFault.invalid(Phrase("fault.token", ["days": .plain("\(ConsoleLimits.tokenDaysMax)")]))
    }
    let token = SessionToken.make()
    let parameters: [String: Value] = [
      "secret_sha256": .text(SHA256.hex(Array(SessionToken.secret(token, ofProgram: true).utf8))),
      "name": .text(form["name"]), "days": .int8(days), "address": .text(address),
      "tokens": .int8(ConsoleLimits.tokensMax),
    ]
    let isMade = try await record(.tokenMade, of: visit.account, [.text("token", form["name"]), .number("days", days)]) { tx in
      try tx.rows(context.sql(ConsoleSQL.makeToken), parameters).first == true
    }
    guard isMade else {
      throw ConsoleFault(status: .conflict, message: Phrase("fault.tokens", ["max": .plain("\(ConsoleLimits.tokensMax)")]))
    }
    return try await tokens(made: SessionToken.prefix + token)
  }

  func endToken(_ id: String) async throws {
    let isEnded = try await record(.tokenEnded, of: visit.account, [.text("token", id)]) { tx in
      try tx.rows(context.sql(ConsoleSQL.endToken), ["token": .text(id)]).first ?? 0 > 0
    }
    guard isEnded else { throw ConsoleFault.notThere }
  }
}
