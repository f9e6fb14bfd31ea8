internal import Domain
internal import JobCore
internal import Synchronization
internal import TimeZones
internal import Wording

struct Reader: Sendable {
  var words: Catalogue
  var now: Timestamp
  var zone = TimeZoneRules.utc

  /// Distance up to which an instant is stated relative to now, in seconds.
  private static let relativeMax: Int64 = 30 * 86_400
  /// Zones that were read before, by name. There are about 600.
  private static let zones = Mutex<[String: TimeZoneRules]>([:])

  /// Returns the rules of a zone; nil if the system has none of this IANA name.
  static func zone(named name: String) -> TimeZoneRules? {
    if let known = zones.withLock({ $0[name] }) { return known }
    guard let zone = try? TimeZoneRules(named: name) else { return nil }
    zones.withLock { $0[name] = zone }
    return zone
  }

  /// Returns an instant in the reader's zone with its offset, such as `2026-05-12 21:00:00 +08:00`.
  func exact(_ instant: Timestamp) -> String {
    let minutes = zone.offset(at: instant.wholeSeconds) / 60
    let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    let offset = zone == .utc ? "UTC" : "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    return "\(day(instant)) \(time(instant)) \(offset)"
  }

  func day(_ instant: Timestamp) -> String { String(local(instant).prefix(10)) }

  func time(_ instant: Timestamp) -> String { String(local(instant).dropFirst(11).prefix(8)) }

  /// Returns how long before now an instant was; the date if that is more than 30 days. An instant after now is stated with its time
  /// of day, because it may have passed: the clock of a page may be in the past.
  func relative(_ instant: Timestamp) -> Phrase {
    let seconds = now.wholeSeconds - instant.wholeSeconds
    guard abs(seconds) <= Self.relativeMax else { return .plain(day(instant)) }
    if seconds < 0 { return .plain("\(day(instant)) \(time(instant))") }
    return seconds == 0 ? "time.now" : Phrase("time.ago", ["time": .span(seconds: seconds)])
  }

  /// Returns a due time relative to now, however far away.
  func due(_ instant: Timestamp) -> Phrase {
    let seconds = instant.wholeSeconds - now.wholeSeconds
    return Phrase(seconds < 0 ? "due.overdue" : "time.ahead", ["time": .span(seconds: abs(seconds))])
  }

  private func local(_ instant: Timestamp) -> String {
    let seconds = instant.wholeSeconds
    return Timestamp(microseconds: (seconds + zone.offset(at: seconds)) * 1_000_000).rfc3339
  }
}

/// An instant in the fields of a page. The page states it for its reader.
struct Moment: Sendable {
  var instant: Timestamp
  /// Whether something is due then, so that a passed instant is marked.
  var isDue = false
  /// Whether the exact instant is stated, for comparison with others.
  var isExact = false

  /// Returns nil for a text that is no RFC 3339 instant.
  init?(_ text: String, isDue: Bool = false, isExact: Bool = false) {
    guard let instant = Timestamp(rfc3339: text) else { return nil }
    (self.instant, self.isDue, self.isExact) = (instant, isDue, isExact)
  }

  func html(for reader: Reader) -> String {
    let (exact, relative) = (reader.exact(instant), reader.words(isDue ? reader.due(instant) : reader.relative(instant)))
    let (text, title) = isExact ? (exact, relative) : (relative, exact)
    let late = isDue && instant < reader.now ? " class=\"late\"" : ""
    return "<time datetime=\"\(instant.rfc3339)\" title=\"\(Markup.escaped(title))\"\(late)>\(Markup.escaped(text))</time>"
  }
}

/// An id in the fields of a page. A hash or a UUID is shortened by the stylesheet, so that a selection copies the whole.
struct ShownID {
  var text: String
  var target: String?

  /// Characters shown of a shortened id. Search accepts such a beginning.
  static let characters = 12

  /// Whether the id is long and its first characters identify it: a hash of payrecon or a UUID.
  static func isLong(_ text: String) -> Bool {
    CaseController.isID(text) || CaseController.isID(text, digits: 64)
      || text.utf8.count == 36 && CaseController.isID(text.lowercased().filter { $0 != "-" })
  }

  static func short(_ text: String) -> String { isLong(text) ? String(text.prefix(characters)) : text }

  /// The id and a blank, so that several ids stay apart.
  var html: String {
    let span = "<span class=\"uid\(Self.isLong(text) ? " cut" : "")\">\(Markup.escaped(text))</span>"
    return target.map { "<a href=\"\(Markup.escaped($0))\">\(span)</a> " } ?? "\(span) "
  }
}

/// Classes and rules in the fields of a page, each with a link to the glossary. Beside a class, a rule shows its title on hover alone.
struct ShownNames {
  var codes: String

  func html(in words: Catalogue) -> String {
    let codes = Headline.ordered(codes)
    return codes.enumerated().map { place, code in
      let (title, isRule) = (Markup.escaped(words(Headline.title(of: code))), Headline.isRule(code))
      let isCalled = !isRule || Headline.isRule(codes[0])
      let (style, hint) = isRule ? ("code badge", " title=\"\(title)\"") : ("code", "")
      let link = "<a class=\"\(style)\" href=\"/terms#\(Markup.escaped(code))\"\(hint)>\(Markup.escaped(code))</a>"
      return (isCalled && place > 0 ? "; " : " ") + (isCalled ? "\(title) " : "") + link
    }.joined()
  }
}
