/// Texts as they stand in HTML, SVG and what chat services read as markup.
package enum Markup {
  /// - Parameter quotes: also those of attributes.
  package static func escaped(_ text: String, quotes: Bool = true) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where quotes: result += "&quot;"
      case "'" where quotes: result += "&#39;"
      default: result.append(character)
      }
    }
  }
}
