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
    let scalars = Self.text(sample)
    let only = currencies.count == 1 ? currencies.first : nil
    let encoding = "the text is in \(sample.encoding.rawValue)"
    func has(_ range: ClosedRange<UInt32>) -> Bool { scalars.contains { range.contains($0.value) } }
    switch sample.encoding {
    case .shiftJIS, .eucJP: self = .japan(encoding)
    case .gb18030, .gbk, .gb2312: self = .china(encoding)
    case .big5: self = .taiwan(encoding)
    case .eucKR: self = .korea(encoding)
    default:
      if has(0x3041...0x30FF) { self = .japan("the text has Japanese kana") }
      else if has(0xAC00...0xD7A3) { self = .korea("the text is Korean") }
      else if let only, let country = Self.country(ofCurrency: only) { self = country }
      else if scalars.contains(where: Self.simplified.contains) { self = .china("the text is in simplified Chinese") }
      else if sample.names.contains(where: { name in Self.pinyin.contains { ColumnNames.plain(name).contains($0) } }) {
        self = .china("names of columns are usual in China")
      }
      else if has(0x0400...0x04FF) { self = .russia("the text is in Cyrillic") }
      else { return nil }
    }
  }

  private init(_ zone: String, _ currency: String, _ reason: String) {
    (self.zone, self.currency, self.reason) = (zone, currency, reason)
  }

  private static func japan(_ reason: String) -> Region { Region("Asia/Tokyo", "JPY", reason) }
  private static func china(_ reason: String) -> Region { Region("Asia/Shanghai", "CNY", reason) }
  private static func taiwan(_ reason: String) -> Region { Region("Asia/Taipei", "TWD", reason) }
  private static func korea(_ reason: String) -> Region { Region("Asia/Seoul", "KRW", reason) }
  private static func russia(_ reason: String) -> Region { Region("Europe/Moscow", "RUB", reason) }

  private static func country(ofCurrency code: String) -> Region? {
    countries("all amounts are in \(code)").first { $0.currency == code }
  }

  private static func countries(_ reason: String) -> [Region] {
    [japan(reason), china(reason), taiwan(reason), korea(reason), russia(reason)]
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
    if let country = countries("").first(where: { $0.zone == zone }) { return country.currency }
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
      reason = "\(appZone) is proposed, the zone of the app's business days in the settings. "
        + "The platform may write its times in another.\(other ?? "")"
    } else if let region {
      (name, reason) = (region.zone, "\(region.zone) is proposed, because \(region.reason).")
    } else if hasHan {
      name = "UTC"
      reason = "the zone is open. Chinese characters are written in China, Japan and Taiwan; "
        + "write Asia/Shanghai, Asia/Tokyo or another for UTC."
    } else {
      (name, reason) = ("UTC", "UTC is proposed, because nothing in the file says which zone. Ask who writes the file.")
    }
  }
}
