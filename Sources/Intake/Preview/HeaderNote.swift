internal import Domain
internal import TimeZones

/// A note about the values in the name of a column, such as `Created (UTC)` or `total_USD`: in parentheses, or as its last word.
enum HeaderNote {
  /// Returns the zone that a name states; nil if it states none.
  static func zone(_ name: String) -> TimeZoneRules? {
    notes(name).lazy.compactMap { zoneName($0.text).flatMap { try? TimeZoneRules(named: $0) } }.first
  }

  private static let zones = ["JST": "Asia/Tokyo", "MSK": "Europe/Moscow", "北京时间": "Asia/Shanghai"]

  private static func zoneName(_ note: String) -> String? {
    if let zone = zones[note.uppercased()] { return zone }
    guard let match = note.uppercased().wholeMatch(of: /(?:UTC|GMT)(?:([+\-])0?(\d{1,2})(?::?00)?)?/) else {
      return note.contains("/") ? note : nil
    }
    guard let sign = match.output.1, let hours = match.output.2, hours != "0" else { return "UTC" }
    // Names of these zones have the opposite sign.
    return "Etc/GMT\(sign == "+" ? "-" : "+")\(hours)"
  }

  /// Codes that are no word of another meaning.
  private static let usual: Set<String> = ["USD", "EUR", "GBP", "JPY", "CNY", "HKD", "TWD", "KRW", "RUB"]

  /// Returns the code of the currency that a name states; nil if it states none.
  static func currency(_ name: String) -> String? {
    let isUppercase = name == name.uppercased()
    return notes(name).lazy.compactMap { note, isInBrackets in
      let code = note.uppercased() == "RMB" ? "CNY" : note.uppercased()
      let isCode = note == code && (isInBrackets || !isUppercase)
      return Money.isKnown(currency: code) && (isCode || usual.contains(code)) ? code : nil
    }.first
  }

  private static func notes(_ name: String) -> [(text: String, isInBrackets: Bool)] {
    let opening = name.drop { !"([（".contains($0) }.dropFirst()
    let last = name.split { "_ .".contains($0) }.last ?? ""
    return [(String(opening.prefix { !")]）".contains($0) }), true), (String(last), false)].filter { !$0.0.isEmpty }
  }
}
