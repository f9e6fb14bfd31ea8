internal import Domain

/// URLs of pages of the review console, for links.
package struct ConsoleAddress: Sendable {
  /// Without a trailing slash.
  let base: String

  /// Returns the page of the rows behind a figure; of all figures of the table if `cell` is empty.
  func rows(_ table: String, _ cell: String, asOf: Timestamp) -> String {
    let wanted = cell.isEmpty ? "" : "cell=\(PercentEncoding.of(cell))&"
    return "\(base)/rows/\(table)?\(wanted)as_of=\(PercentEncoding.of(asOf.rfc3339))"
  }

  /// Returns the cases of a break class.
  func queue(_ name: String) -> String { "\(base)/queue?name=\(PercentEncoding.of(name))" }

  var dashboard: String { "\(base)/dashboard" }

  /// Returns the search page of an id; nil for no id.
  func search(_ id: String?) -> String? { id.flatMap { $0.isEmpty ? nil : "\(base)/search?q=\(PercentEncoding.of($0))" } }

  /// Returns the page of a break with its rows and signed evidence; nil for no id.
  func breakPage(_ id: String) -> String? { id.isEmpty ? nil : "\(base)/breaks/\(PercentEncoding.of(id))" }
}
