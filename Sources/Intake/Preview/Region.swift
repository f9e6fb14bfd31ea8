/// The country in which a platform probably keeps its books, by the language and encoding of its file.
struct Region {
  var zone: String
  var currency: String
  /// The rest of a sentence that begins with "because".
  var reason: String

  /// Characters of simplified Chinese that Japanese does not write.
  private static let simplified = Set(
    "单订时间额态户编实币购买员货发费还续项产类级银钱账转请输过达进远运选问题样优卖东车讯认证设备节课线组织结给统维经济众传动务华该读书".unicodeScalars)
  private static let pinyin = ["gmtcreate", "gmtmodified", "dingdan", "jine", "shijian"]
  private static let rowsMax = 100

  /// The country; nil if nothing in the file points to one.
  ///
  /// Chinese characters alone are of several countries.
  init?(_ sample: InputSample, currencies: Set<String>) {
    guard let (currency, reason) = Self.country(sample, currencies), let zone = Self.zones[currency] else { return nil }
    (self.zone, self.currency, self.reason) = (zone, currency, reason)
  }

  /// Zones of the countries by their currency.
  private static let zones = [
    "JPY": "Asia/Tokyo", "CNY": "Asia/Shanghai", "TWD": "Asia/Taipei", "KRW": "Asia/Seoul", "RUB": "Europe/Moscow",
  ]

  /// Returns the currency of the country, and why it is this one.
  private static func country(_ sample: InputSample, _ currencies: Set<String>) -> (currency: String, reason: String)? {
    let encoding = "the text is in \(sample.encoding.rawValue)"
    switch sample.encoding {
    case .shiftJIS, .eucJP: return ("JPY", encoding)
    case .gb18030, .gbk, .gb2312: return ("CNY", encoding)
    case .big5: return ("TWD", encoding)
    case .eucKR: return ("KRW", encoding)
    default: break
    }
    let scalars = text(sample)
    func has(_ range: ClosedRange<UInt32>) -> Bool { scalars.contains { range.contains($0.value) } }
    if has(0x3041...0x30FF) { return ("JPY", "the text has Japanese kana") }
    if has(0xAC00...0xD7A3) { return ("KRW", "the text is Korean") }
    if currencies.count == 1, let only = currencies.first, zones[only] != nil { return (only, "all amounts are in \(only)") }
    if scalars.contains(where: simplified.contains) { return ("CNY", "the text is in simplified Chinese") }
    if sample.names.contains(where: { name in pinyin.contains { ColumnNames.plain(name).contains($0) } }) {
      return ("CNY", "names of columns are usual in China")
    }
    return has(0x0400...0x04FF) ? ("RUB", "the text is in Cyrillic") : nil
  }

  private static func text(_ sample: InputSample) -> String.UnicodeScalarView {
    (sample.names.joined() + sample.rows.prefix(rowsMax).flatMap(\.values).joined()).unicodeScalars
  }

  /// Returns whether a file has Chinese characters, which Japan, China and Taiwan write.
  static func hasHan(_ sample: InputSample) -> Bool {
    text(sample).contains { (0x4E00...0x9FFF).contains($0.value) }
  }

  /// Returns the currency of a zone, for apps whose time zone is set.
  static func currency(ofZone zone: String?) -> String? {
    if let country = zones.first(where: { $0.value == zone }) { return country.key }
    let known = [
      "Asia/Hong_Kong": "HKD", "America/New_York": "USD", "America/Los_Angeles": "USD",
      "Europe/Berlin": "EUR", "Europe/Paris": "EUR", "Europe/London": "GBP",
    ]
    return zone.flatMap { known[$0] }
  }
}

/// The zone in which a platform probably writes local times.
struct ZoneGuess {
  let name: String
  /// A sentence about the guess, for a reader.
  let reason: String

  /// - Parameters:
  ///   - region: nil if nothing in the file points to a country.
  ///   - appZone: zone of the app's business days in the settings; nil without an app.
  ///   - hasHan: whether the file has Chinese characters.
  init(_ region: Region?, appZone: String?, hasHan: Bool) {
    if let appZone, appZone != "UTC" {
      name = appZone
      let other = region.flatMap { region in
        region.zone == appZone ? nil : " The file itself points to \(region.zone), because \(region.reason)."
      }
      reason =
        "\(appZone) is proposed, the zone of the app's business days in the settings. "
        + "The platform may write its times in another.\(other ?? "")"
    } else if let region {
      (name, reason) = (region.zone, "\(region.zone) is proposed, because \(region.reason).")
    } else if hasHan {
      name = "UTC"
      reason =
        "the zone is open. Chinese characters are written in China, Japan and Taiwan; "
        + "write Asia/Shanghai, Asia/Tokyo or another for UTC."
    } else {
      (name, reason) = ("UTC", "UTC is proposed, because nothing in the file says which zone. Ask who writes the file.")
    }
  }
}
