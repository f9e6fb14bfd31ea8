/// The page as Mustache templates, and its style: the files of `Templates`.
///
/// They are embedded in the code, so that the program needs no file beside it, wherever it is copied to: a report is one
/// file that loads nothing, and so is what writes it.
package enum ReportTemplate {
  static let page = text(PackageResources.page_mustache)
  static let table = text(PackageResources.table_mustache)
  /// The stylesheet of the reports and of the review console.
  package static let style = text(PackageResources.style_css)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
