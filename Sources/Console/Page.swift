internal import HTTPTypes
internal import JobCore
internal import Mustache
internal import Reports

/// One page; every text of it is escaped by its template.
struct Page {
  var title: String
  var visit: Visit?
  var subtitle = ""
  /// What became of what was asked for; empty for nothing to say.
  var message = ""
  /// Whether that is a refusal.
  var isRefusal = false
  /// What the parts of the template that the page wants are told.
  var fields: [String: Any] = [:]
  var sections: [Section] = []

  private static let library: MustacheLibrary? = {
    var library = MustacheLibrary()
    let parts = [
      ("page", PackageResources.page_mustache), ("section", PackageResources.section_mustache),
      ("case", PackageResources.case_mustache), ("filters", PackageResources.filters_mustache),
      ("bulk", PackageResources.bulk_mustache), ("tokens", PackageResources.tokens_mustache),
      ("entries", PackageResources.entries_mustache), ("rules", PackageResources.rules_mustache),
      ("apple", PackageResources.apple_mustache), ("consent", PackageResources.consent_mustache),
    ]
    for (name, bytes) in parts {
      guard let template = try? MustacheTemplate(string: String(decoding: bytes, as: UTF8.self)) else { return nil }
      library.register(template, named: name)
    }
    return library
  }()

  /// The stylesheet of the reports, and what forms need beside it.
  static let style = ReportTemplate.style + String(decoding: PackageResources.console_css, as: UTF8.self)
  static let script = String(decoding: PackageResources.console_js, as: UTF8.self)

  func text() throws -> String {
    var model = fields
    model["title"] = title
    model["subtitle"] = subtitle
    if !message.isEmpty { model["message"] = message }
    model["tone"] = isRefusal ? "failed" : "clean"
    model["sections"] = sections.map(\.model)
    if let visit {
      model["account"] = visit.account
      model["role"] = visit.role
      model["csrf"] = visit.csrf
      model["sees_all"] = visit.seesAll
      model["sees_rules"] = visit.seesRules
      model["can_work"] = visit.canWork
      model["is_admin"] = visit.isAdmin
    }
    guard let text = Self.library?.render(model, withTemplate: "page") else {
      throw ConsoleFault(status: .internalServerError, message: "The page could not be made.", cause: "a template is broken")
    }
    return text
  }
}
