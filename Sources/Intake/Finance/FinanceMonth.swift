internal import Domain

/// Month and year from a payments page or an old file name: the name of a fiscal month, the first of which is October.
public struct FinanceMonth: Hashable, Sendable, CustomStringConvertible {
  public var year: Int
  public var month: Int

  /// The fiscal period of the month: `September 2014` is 2014-P12, `October 2025` is 2026-P01.
  public var description: String {
    let number = (month + 2) % 12 + 1
    return "\(month >= 10 ? year + 1 : year)-P\(number < 10 ? "0" : "")\(number)"
  }

  init?(year: Int, month: Int) {
    guard SaneLimits.years.contains(year), (1...12).contains(month) else { return nil }
    self.year = year
    self.month = month
  }

  /// Reads a month and a year from a title such as `iTunes Connect - Payments (September, 2014)` or `2014年9月`.
  init?(title: String) {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let numbers = words.flatMap { $0.split { !$0.isNumber }.compactMap { Int($0) } }
    guard let year = numbers.first(where: { SaneLimits.years.contains($0) }) else { return nil }
    let named = words.lazy.compactMap { word in Self.names.firstIndex { $0.contains(word) } }.first
    let written = numbers.first { (1...12).contains($0) }
    guard let month = named.map({ $0 + 1 }) ?? written else { return nil }
    self.init(year: year, month: month)
  }

  /// Month names in the languages of App Store Connect that spell them out.
  private static let names: [Set<String>] = [
    ["january", "jan", "januar", "janvier", "enero", "gennaio", "janeiro", "januari", "январь", "ocak"],
    ["february", "feb", "februar", "février", "febrero", "febbraio", "fevereiro", "februari", "февраль", "şubat"],
    ["march", "mar", "märz", "mars", "marzo", "março", "maart", "март", "mart"],
    ["april", "apr", "avril", "abril", "aprile", "апрель", "nisan"],
    ["may", "mai", "mayo", "maggio", "maio", "mei", "maj", "май", "mayıs"],
    ["june", "jun", "juni", "juin", "junio", "giugno", "junho", "июнь", "haziran"],
    ["july", "jul", "juli", "juillet", "julio", "luglio", "julho", "июль", "temmuz"],
    ["august", "aug", "août", "agosto", "augustus", "augusti", "август", "ağustos"],
    ["september", "sep", "sept", "septembre", "septiembre", "settembre", "setembro", "сентябрь", "eylül"],
    ["october", "oct", "oktober", "octobre", "octubre", "ottobre", "outubro", "октябрь", "ekim"],
    ["november", "nov", "novembre", "noviembre", "novembro", "ноябрь", "kasım"],
    ["december", "dec", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "декабрь", "aralık"],
  ]
}

/// The facts in a report's file name; the file's content takes precedence.
public struct FinanceFileName: Hashable, Sendable {
  /// Vendor number: the longest run of at least seven digits.
  public var vendor: String?
  /// Region code of a financial report.
  public var region: String?
  /// Fiscal period of a name such as `2026-P11` or `2026-11`, or of a calendar label such as `0914`.
  public var period: String?

  public init(_ name: String) {
    var stem = name
    for ending in Packing.endings.keys where stem.lowercased().hasSuffix(ending) { stem.removeLast(ending.count) }
    if let point = stem.lastIndex(of: ".") { stem = String(stem[..<point]) }
    let parts = stem.split { $0 == "_" || $0 == " " }.map(String.init)
    vendor = parts.filter { $0.utf8.count >= 7 && $0.utf8.allSatisfy(ASCII.isDigit) && !Self.isDay($0) }
      .max { $0.utf8.count < $1.utf8.count }
    region = parts.last {
      $0.utf8.count == 2 && $0.utf8.first.map { (0x41...0x5A).contains($0) } ?? false
        && $0.utf8.allSatisfy { (0x41...0x5A).contains($0) || ASCII.isDigit($0) }
    }
    period = parts.lazy.compactMap(Self.period).first
  }

  private static func isDay(_ text: String) -> Bool { text.utf8.count == 8 && text.hasPrefix("20") }

  private static func period(_ part: String) -> String? {
    let dashed = part.uppercased().split(separator: "-")
    if dashed.count == 2, let year = Int(dashed[0]), let number = Int(dashed[1].drop { $0 == "P" }), (1...12).contains(number),
      SaneLimits.years.contains(year)
    {
      return "\(year)-P\(number < 10 ? "0" : "")\(number)"
    }
    guard part.utf8.count == 4, part.utf8.allSatisfy(ASCII.isDigit), let label = Int(part) else { return nil }
    return FinanceMonth(year: 2000 + label % 100, month: label / 100).map(\.description)
  }
}
