internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Wording

extension CaseController {
  /// Returns the account's own settings page, which has the language of its pages.
  func me() -> Page {
    let subtitle = Phrase("me.subtitle", ["account": .plain(visit.account), "role": .name("word", visit.role)])
    var page = Page(title: "me.title", visit: visit, subtitle: subtitle)
    page.fields["me"] = [
      "languages": Language.allCases.map { language in
        [
          "tag": language.rawValue, "name": language.name, "is_chosen": visit.isLanguageChosen && visit.language == language,
        ] as [String: Any]
      }
    ]
    return page
  }

  /// Saves the language that a form names. An empty field restores the browser's language.
  func chooseLanguage(_ form: Form) async throws {
    let chosen = Language(rawValue: form["language"])
    guard chosen != nil || form["language"].isEmpty else { throw ConsoleFault(status: .badRequest, message: "fault.no_language") }
    let (context, actor) = (context, visit.account)
    try await context.transaction(as: .review) { tx in
      if let chosen {
        _ = try tx.run(context.sql(ConsoleSQL.chooseLanguage), ["language": .text(chosen.rawValue)])
      } else {
        _ = try tx.run(context.sql(ConsoleSQL.leaveLanguage))
      }
      try tx.audit(
        AuditEntry(actor: actor, act: .languageChosen, subject: actor, details: [.text("language", chosen?.rawValue ?? "browser")]),
        in: context)
    }
  }
}
