internal import Domain
internal import HTTPTypes
internal import Mustache
internal import Reports
internal import Wording

/// One page. Its template escapes every text; times, ids, names and the rows of tables escape theirs.
struct Page {
  var title: Phrase
  var visit: Visitor?
  var subtitle: Phrase = .plain("")
  var message: Phrase = .plain("")
  var isRefusal = false
  /// Address of the page to which this one leads back; nil for none.
  var back: String?
  /// Values for the optional parts of the template.
  var fields: [String: Any] = [:]
  var sections: [Section] = []

  /// Language for a user without a session. A visit has its own language.
  var language = Language.english

  private static let libraries: [Language: MustacheLibrary] = Language.allCases.reduce(into: [:]) { $0[$1] = library(Catalogue.of($1)) }

  private static func library(_ words: Catalogue) -> MustacheLibrary? {
    var library = MustacheLibrary()
    let parts = [
      ("page", PackageResources.page_mustache), ("section", PackageResources.section_mustache), ("case", PackageResources.case_mustache),
      ("sides", PackageResources.sides_mustache),
      ("filters", PackageResources.filters_mustache), ("bulk", PackageResources.bulk_mustache),
      ("tokens", PackageResources.tokens_mustache), ("entries", PackageResources.entries_mustache),
      ("rules", PackageResources.rules_mustache), ("apple", PackageResources.apple_mustache),
      ("consent", PackageResources.consent_mustache), ("acts", PackageResources.acts_mustache),
      ("verdict", PackageResources.verdict_mustache), ("terms", PackageResources.terms_mustache), ("me", PackageResources.me_mustache),
      ("people", PackageResources.people_mustache), ("rights", PackageResources.rights_mustache),
      ("password", PackageResources.password_mustache),
      ("api", PackageResources.api_mustache),
    ]
    for (name, bytes) in parts {
      guard let template = try? MarkupTemplate.parsed(words.template(String(decoding: bytes, as: UTF8.self))) else { return nil }
      library.register(template, named: name)
    }
    return library
  }

  /// Stylesheet of the reports, with additions for forms and for other languages.
  static let style = ReportTemplate.style + String(decoding: PackageResources.console_css, as: UTF8.self) + ReportTemplate.languageStyle
  static let script = String(decoding: PackageResources.console_js, as: UTF8.self)

  func text() throws -> String {
    let reader = visit?.reader ?? Reader(words: Catalogue.of(language), now: Timestamp(microseconds: 0))
    let words = reader.words
    var model = fields.mapValues { Self.translated($0, reader) }
    model["lang"] = words.language.rawValue
    model["title"] = words(title)
    model["subtitle"] = words(subtitle)
    if !message.isEmpty { model["message"] = words(message) }
    if let back { model["back"] = back }
    model["tone"] = isRefusal ? "failed" : "clean"
    model["sections"] = sections.map { $0.model(for: reader) }
    if let visit {
      model["account"] = visit.account
      model["role"] = words.name("word", visit.role)
      model["csrf"] = visit.csrf
      model["navigation"] = Self.translated(Self.navigation(visit), reader)
      model["can_work"] = visit.canWork
    }
    guard let text = Self.libraries[words.language]?.render(model, withTemplate: "page") else {
      throw ConsoleFault(status: .internalServerError, message: "fault.page", cause: "a template is broken")
    }
    return text
  }

  /// Returns the pages that the navigation offers to an account. The current page is marked `page`, its parent `true` (WAI-ARIA 1.2).
  private static func navigation(_ visit: Visitor) -> [[String: Any]] {
    let pages: [(address: String, label: Phrase, isShown: Bool)] = [
      ("/queue", "page.queue", true), ("/queue?late=yes", "page.overdue", true), ("/mine", "page.mine", visit.canWork),
      ("/approvals", "page.approvals", true),
      ("/watching", "page.watching", true), ("/following", "page.following", visit.canWork), ("/dashboard", "page.dashboard", true),
      ("/search", "page.search", visit.seesAll), ("/breaks", "page.breaks", visit.seesAll), ("/runs", "page.runs", visit.seesAll),
      ("/lists", "page.lists", visit.seesAll), ("/periods", "page.periods", visit.seesAll),
      ("/settings", "page.settings", visit.seesAll), ("/rules", "page.rules", visit.seesRules),
      ("/people", "page.people", visit.isAdmin), ("/terms", "page.terms", true),
    ]
    return pages.filter(\.isShown).map { address, label, _ in
      let (isHere, isBelow) = (visit.path == address, visit.path.hasPrefix(address + "/"))
      var entry: [String: Any] = ["address": address, "label": label, "is_marked": isHere || isBelow, "mark": isHere ? "page" : "true"]
      if let count = visit.counts[address], count > 0 {
        entry["count"] = count > ConsoleLimits.countMax ? "\(ConsoleLimits.countMax)+" : "\(count)"
      }
      return entry
    }
  }

  /// Returns a template value with every phrase translated and every instant in the reader's zone.
  static func translated(_ value: Any, _ reader: Reader) -> Any {
    switch value {
    case let phrase as Phrase: reader.words(phrase)
    case let moment as Moment: moment.html(for: reader)
    case let id as ShownID: id.html
    case let names as ShownNames: names.html(in: reader.words)
    case let list as [Any]: list.map { translated($0, reader) }
    case let model as [String: Any]: model.mapValues { translated($0, reader) }
    default: value
    }
  }
}
