internal import JobCore
internal import Mustache
internal import Reports

/// One page; every text of it is escaped by its template.
struct Page {
  var title: String
  var visit: Visit?
  var fields: [String: Any]

  private static let template = String(decoding: PackageResources.page_mustache, as: UTF8.self)
  /// The stylesheet of the reports, and what forms need beside it.
  static let style = ReportTemplate.style + String(decoding: PackageResources.console_css, as: UTF8.self)

  func text() throws -> String {
    var model = fields
    model["title"] = title
    if let visit {
      model["account"] = visit.account
      model["role"] = visit.role
      model["csrf"] = visit.csrf
    }
    return try MustacheTemplate(string: Self.template).render(model)
  }
}
