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
    let context = context
    let address = try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(context.sql(ConsoleSQL.ownAddress)).first ?? nil
    }
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
    guard language.isEmpty || Language(rawValue: language) != nil else {
      throw ConsoleFault(status: .badRequest, message: "fault.no_language")
    }
    guard zone.isEmpty || Reader.zone(named: zone) != nil else {
      throw ConsoleFault(status: .badRequest, message: Phrase("fault.no_zone", ["name": .plain(zone)]))
    }
    let details: [AuditEntry.Detail] = [
      .text("language", language.isEmpty ? "browser" : language), .text("time_zone", zone.isEmpty ? "UTC" : zone),
    ]
    try await record(.preferencesSaved, of: visit.account, details) { context, tx in
      try tx.send(context.sql(ConsoleSQL.savePreferences), ["language": .text(language), "time_zone": .text(zone)])
      return true
    }
  }

  func chooseAddress(_ form: Form) async throws {
    try await accounts.setAddress(visit.account, to: form["address"])
  }
}
