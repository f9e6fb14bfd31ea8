/// Product type codes of the reports, and a count of unknown codes in a file.
///
/// - Source: App Store Connect Help, "Product type identifiers".
struct FinanceProductTypes {
  /// Codes of apps and their updates, bundles and in-app purchases; a suffix after a dash is the platform or a bundle.
  private static let known: Set<String> = [
    "1", "1-B", "1E", "1EP", "1EU", "1F", "1T", "3", "3F", "3T", "7", "7F", "7T", "F1", "F1-B", "F3", "F7", "FI1", "FI1-M", "FI3", "IA1",
    "IA1-M", "IA3", "IA3-M", "IA9", "IA9-M", "IAC", "IAC-M", "IAY", "IAY-M",
  ]
  /// Maximum number of unknown codes in warnings; Apple's files never have more.
  private static let namedMax = 20

  private var unknown: [String: Int] = [:]

  mutating func add(_ code: String?) {
    guard let code, !Self.known.contains(code), unknown[code] != nil || unknown.count < Self.namedMax else { return }
    unknown[code, default: 0] += 1
  }

  /// One line per unknown code with the meaning assigned to its rows.
  var warnings: [String] {
    unknown.sorted { $0.key < $1.key }.map { code, count in
      let isSide = code.hasPrefix("IA") || code.hasPrefix("FI")
      return "product type \"\(code)\" is not known (\(count) \(count == 1 ? "row" : "rows")); "
        + (isSide ? "it counts as a purchase inside an app" : "it is no side of a cell")
    }
  }
}
