/// A language of pages and reports; the raw value is its BCP 47 tag.
public enum Language: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case chinese = "zh-Hans"
  case japanese = "ja"
  case russian = "ru"

  public var name: String {
    switch self {
    case .english: "English"
    case .chinese: "简体中文"
    case .japanese: "日本語"
    case .russian: "Русский"
    }
  }

  public enum Plural: String, Sendable { case one, few, many, other }

  /// Returns the plural form for a number.
  ///
  /// - Source: CLDR, Language Plural Rules, cardinal, whole numbers.
  public func plural(of count: Int) -> Plural {
    let (tens, hundreds) = (count.magnitude % 10, count.magnitude % 100)
    switch self {
    case .english: return count.magnitude == 1 ? .one : .other
    case .chinese, .japanese: return .other
    case .russian:
      if tens == 1, hundreds != 11 { return .one }
      return (2...4).contains(tens) && !(12...14).contains(hundreds) ? .few : .many
    }
  }

  /// Maximum length of a browser's language list, in bytes.
  private static let acceptedBytesMax = 1000

  /// Selects the supported language that a browser prefers; nil if it accepts none.
  ///
  /// Traditional Chinese does not select simplified Chinese.
  ///
  /// - Source: RFC 9110, 12.5.4; RFC 4647, 3.4.
  public init?(accepted list: String) {
    guard list.utf8.count <= Self.acceptedBytesMax else { return nil }
    let wanted = list.split(separator: ",").map { part -> (tag: String, weight: Double) in
      let fields = part.split(separator: ";").map { $0.filter { $0 != " " } }
      let weight = fields.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      return (fields.first?.lowercased() ?? "", weight)
    }
    // The first of equal weight wins.
    var best: (language: Language, weight: Double)?
    for (tag, weight) in wanted where weight > best?.weight ?? 0 {
      if let language = Self.of(tag) { best = (language, weight) }
    }
    guard let best else { return nil }
    self = best.language
  }

  private static func of(_ tag: String) -> Language? {
    let parts = tag.split(separator: "-")
    switch parts.first {
    case "en": return .english
    case "ja": return .japanese
    case "ru": return .russian
    case "zh":
      let isTraditional = parts.contains("hant") || !parts.contains("hans") && parts.contains { ["tw", "hk", "mo"].contains($0) }
      return isTraditional ? nil : .chinese
    default: return nil
    }
  }
}
