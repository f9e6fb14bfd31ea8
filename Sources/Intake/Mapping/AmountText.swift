internal import Domain

/// An amount without its currency sign and without blanks between thousands.
struct AmountText {
  /// Currencies by sign. Many currencies are dollars.
  private static let signs: [(sign: Character, currencies: Set<String>)] = [
    ("¥", ["CNY", "JPY"]), ("￥", ["CNY", "JPY"]), ("元", ["CNY", "TWD", "HKD"]), ("円", ["JPY"]), ("€", ["EUR"]), ("£", ["GBP", "EGP"]),
    ("₽", ["RUB"]), ("₩", ["KRW"]), ("₹", ["INR"]), ("฿", ["THB"]), ("₫", ["VND"]), ("₺", ["TRY"]), ("₪", ["ILS"]), ("₴", ["UAH"]),
    ("$", ["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "CLP", "COP"]),
  ]
  private static let blanks: Set<Character> = [" ", "\u{A0}", "\u{2009}", "\u{202F}"]

  /// The amount; the whole text if its blanks are not between thousands.
  let digits: String
  /// The sign at its beginning or end; nil without one.
  let sign: Character?

  init(_ text: String) {
    var rest = text[...]
    let known = Self.signs.map(\.sign)
    sign = [rest.first, rest.last].compactMap { $0 }.first { known.contains($0) }
    if let sign { if rest.first == sign { rest.removeFirst() } else { rest.removeLast() } }
    rest = rest.trimmed(Self.blanks.contains)
    let groups = rest.split(omittingEmptySubsequences: false) { Self.blanks.contains($0) }
    let areThousands = groups.dropFirst().allSatisfy { group in
      group.prefix { $0.isASCII && $0.isNumber }.count == 3 && (group.count == 3 || group.endIndex == rest.endIndex)
    }
    digits = areThousands && (1...3).contains(groups[0].count) ? groups.joined() : String(rest)
  }

  /// Whether the sign is one of the currency, or either is unknown.
  func agrees(with currency: String?) -> Bool {
    guard let sign, let currency else { return true }
    return Self.signs.contains { $0.sign == sign && $0.currencies.contains(currency) }
  }
}
