internal import Domain

/// Guesses how a column writes instants.
enum InstantGuess {
  /// The form of a column's values.
  enum Found {
    /// RFC 3339 with an offset, which needs no conversion.
    case plain
    case format(InstantPattern?, isLocal: Bool)
    /// A day and a month that fit both ways.
    case ambiguous(InstantPattern)
  }

  private static let patterns = [
    "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyy-MM-dd'T'HH:mm:ss.SSS",
    "yyyy/MM/dd HH:mm:ss", "yyyy/M/d H:mm:ss", "yyyy/M/d H:mm", "yyyy-M-d H:mm:ss", "yyyy-M-d H:mm", "yyyyMMddHHmmss", "yyyyMMdd HH:mm:ss",
    "yyyyMMddHHmmssSSS", "yyyy.MM.dd HH:mm:ss",
    "yyyy年MM月dd日 HH:mm:ss", "yyyy年M月d日 H:mm:ss", "yyyy年M月d日 H:mm",
    "yyyy年M月d日 H时m分s秒", "yyyy年M月d日 H時m分s秒", "yyyy年M月d日H時m分s秒", "yyyy年M月d日 H時m分", "yyyy年M月d日",
    "yyyy-MM-dd HH:mm:ss X", "yyyy-MM-dd HH:mm:ss.SSS X", "yyyy/MM/dd HH:mm:ss X", "yyyy/MM/dd HH:mm:ssX",
    "dd.MM.yyyy HH:mm:ss", "d.M.yyyy H:mm:ss", "d.M.yyyy H:mm", "dd/MM/yyyy HH:mm:ss", "MM/dd/yyyy HH:mm:ss", "d/M/yyyy H:mm",
    "M/d/yyyy H:mm",
    "d/M/yyyy H:mm:ss", "M/d/yyyy H:mm:ss", "M/d/yyyy h:mm:ss a", "M/d/yyyy h:mm a", "yyyy-MM-dd", "yyyy/MM/dd", "yyyy/M/d", "yyyyMMdd",
  ].compactMap(InstantPattern.init)
  private static let counts = ["unix_seconds", "unix_milliseconds", "unix_microseconds"].compactMap(InstantPattern.init)

  /// Returns whether all values are zeros, which prove nothing.
  static func areZeros(_ values: [String]) -> Bool { values.allSatisfy { $0.allSatisfy { $0 == "0" } } }

  /// Returns the form of the values; nil if no form fits all of them.
  static func form(of values: [String]) -> Found? {
    let texts = values.map { Array($0.utf8) }.filter { !$0.starts(with: "0000-00-00".utf8) }
    guard !texts.isEmpty else { return nil }
    if texts.allSatisfy({ Timestamp(rfc3339: $0) != nil }) { return .plain }
    if let count = counts.first(where: { count in texts.allSatisfy { isCount($0, count) } }) { return .format(count, isLocal: false) }
    let fitting = patterns.filter { pattern in texts.allSatisfy { ((try? pattern.read($0)) ?? nil) != nil } }
    if let first = fitting.first {
      let isAmbiguous = first.text.hasPrefix("d") && fitting.contains { $0.text.hasPrefix("M") }
      return isAmbiguous ? .ambiguous(first) : .format(first, isLocal: !first.statesInstant)
    }
    guard texts.allSatisfy({ ((try? InstantPattern.iso($0)) ?? nil) != nil }) else { return nil }
    return .format(nil, isLocal: texts.contains { ((try? InstantPattern.iso($0)) ?? nil)?.local != nil })
  }

  private static func isCount(_ text: [UInt8], _ pattern: InstantPattern) -> Bool {
    if text.allSatisfy({ $0 == ASCII.zero }) { return true }
    guard let read = (try? pattern.read(text)) ?? nil else { return false }
    return SaneLimits.instants.contains(Timestamp(microseconds: read.micros))
  }
}
