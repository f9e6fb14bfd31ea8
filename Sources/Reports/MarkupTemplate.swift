internal import JobCore
package import Mustache

package enum MarkupTemplate {
  private static let contentType = "SCALARS"

  /// Escapes values scalar by scalar. The package compares characters, and a quotation mark with a combining accent is another one.
  private struct Scalars: MustacheContentType {
    func escapeText(_ text: String) -> String { Markup.escaped(text) }
  }

  /// - Throws: an error of the package if the text is no template.
  package static func parsed(_ text: String) throws -> MustacheTemplate {
    MustacheContentTypes.register(Scalars(), named: contentType)
    return try MustacheTemplate(string: "{{% CONTENT_TYPE: \(contentType)}}\n" + text)
  }
}
