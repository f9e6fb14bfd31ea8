package import Domain
internal import JobCore
internal import Mustache
internal import Wording

/// The page as Mustache templates, and its style: the files of `Templates`.
///
/// They are embedded in the code, so that the program needs no file beside it, wherever it is copied to: a report is one
/// file that loads nothing, and so is what writes it.
package enum ReportTemplate {
  /// The page of a report in a language, what it is made of filled in.
  ///
  /// - Throws: `JobError` for a template that is broken.
  static func html(_ model: [String: Any], in words: Catalogue) throws -> String {
    var library = MustacheLibrary()
    try library.register(words.template(text(PackageResources.table_mustache)), named: "table")
    try library.register(words.template(text(PackageResources.page_mustache)), named: "page")
    let own: [String: Any] = ["lang": words.language.rawValue, "style": style + style(of: words.language)]
    guard let html = library.render(model.merging(own) { $1 }, withTemplate: "page") else {
      throw JobError("could not render the report page: its template is not registered")
    }
    return html
  }

  /// The stylesheet of the reports and of the review console.
  package static let style = text(PackageResources.style_css)

  /// What a language needs beside it: fonts that have its letters, and room for its words.
  package static func style(of language: Language) -> String {
    language == .english ? "" : text(PackageResources.languages_css)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
