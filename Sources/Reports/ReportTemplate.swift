internal import Domain
internal import JobCore
internal import Mustache
internal import Wording

/// The page and its style as Mustache templates, from the folder `Templates`.
///
/// The templates are embedded in the code, so the program needs no other file. A report also is one file without external resources.
package enum ReportTemplate {
  /// Renders the page of a report in a language.
  ///
  /// - Throws: `JobError` if a template is not registered.
  static func html(_ model: [String: Any], in words: Catalogue) throws -> String {
    var library = MustacheLibrary()
    library.register(try MarkupTemplate.parsed(words.template(text(PackageResources.table_mustache))), named: "table")
    library.register(try MarkupTemplate.parsed(words.template(text(PackageResources.page_mustache))), named: "page")
    let own: [String: Any] = ["lang": words.language.rawValue, "style": style + (words.language == .english ? "" : languageStyle)]
    guard let html = library.render(model.merging(own) { $1 }, withTemplate: "page") else {
      throw JobError("could not render the report page: its template is not registered")
    }
    return html
  }

  /// The stylesheet of the reports and of the review console.
  package static let style = text(PackageResources.tokens_css) + text(PackageResources.style_css)

  /// The additional style of languages other than English: fonts with their letters and space for longer words.
  package static let languageStyle = text(PackageResources.languages_css)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
