internal import Cryptography

/// Revisions and pagination tokens: a place in a list, bound to the list that it belongs to.
struct PageTokens: Sendable {
  let secret: String

  /// Most items of a page.
  static let pageMax = 20
  /// How long a pagination token of notifications is taken.
  static let life = Moment.Span.hours(24)

  /// - Parameter scope: everything that must be the same on the next page.
  func make(_ place: Int64, issued: Int64 = 0, scope: String) -> String {
    "\(place)_\(issued)_\(seal(place, issued, scope))"
  }

  /// Reads a token; nil when it was made for another list, or never.
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

/// Makes a page as a fault wants it.
enum Page {
  /// Items of an earlier page that a page repeats.
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
