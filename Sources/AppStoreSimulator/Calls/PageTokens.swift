internal import Cryptography

/// Revisions and pagination tokens: a position in a list, valid only for that list.
struct PageTokens: Sendable {
  let secret: String

  static let pageMax = 20
  /// Lifetime of a pagination token of notifications.
  static let life = Duration.hours(24)

  /// - Parameter scope: the parameters that must be equal on the next page.
  func make(_ place: Int64, issued: Int64 = 0, scope: String) -> String {
    "\(place)_\(issued)_\(seal(place, issued, scope))"
  }

  /// Reads a token. Returns nil when it is invalid or belongs to another list.
  func read(_ token: String, scope: String) -> (place: Int64, issued: Int64)? {
    let parts = token.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, let place = Int64(parts[0]), let issued = Int64(parts[1]),
      seal(place, issued, scope) == parts[2]
    else { return nil }
    return (place, issued)
  }

  private func seal(_ place: Int64, _ issued: Int64, _ scope: String) -> String {
    String(SHA256.hex(Array("\(secret)\n\(place)\n\(issued)\n\(scope)".utf8)).prefix(24))
  }
}

/// Arranges a page as a fault requires.
enum Page {
  /// Returns the number of items of the previous page that a page repeats.
  static func overlap(_ fault: Fault.Kind?) -> Int {
    guard case .pageOverlap(let items)? = fault else { return 0 }
    return max(0, items)
  }

  static func arrange<Item>(_ items: [Item], _ fault: Fault.Kind?) -> [Item] {
    if case .duplicated? = fault { return items.prefix(1) + items }
    if case .reordered? = fault { return items.reversed() }
    return items
  }
}
