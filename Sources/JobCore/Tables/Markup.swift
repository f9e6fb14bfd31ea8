/// Escaping of text for HTML, SVG and the markup of chat services.
package enum Markup {
  /// - Parameter quotes: whether quotes are escaped, too, as attributes need.
  package static func escaped(_ text: String, quotes: Bool = true) -> String {
    guard text.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where quotes: result += "&quot;"
      case "'" where quotes: result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
