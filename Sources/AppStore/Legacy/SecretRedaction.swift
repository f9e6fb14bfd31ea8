internal import JSON

/// Removes the app's shared secret from texts before they are stored.
///
/// V1 notifications and requests to verifyReceipt contain it.
public enum SecretRedaction {
  private static let name = Array("password".utf8)
  private static let mark = Array("***".utf8)
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Returns the text with the value of every member named `password` replaced by `"***"`.
  ///
  /// The replacement works on characters. It therefore also covers truncated text, text that is no JSON, and JSON that is escaped within
  /// other JSON, as in an evidence wrapper.
  public static func redacted(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var kept = 0
    var at = 0
    while let start = nextName(bytes, from: at) {
      guard let value = valueRange(bytes, afterName: start) else {
        at = start + name.count
        continue
      }
      output += bytes[kept..<value.lowerBound]
      output += mark
      kept = value.upperBound
      at = max(value.upperBound, start + name.count)
    }
    if kept == 0 { return bytes }
    return output + bytes[kept...]
  }

  private static func nextName(_ bytes: [UInt8], from start: Int) -> Int? {
    var at = start
    while at + name.count <= bytes.count {
      if bytes[at] == name[0], bytes[at..<(at + name.count)].elementsEqual(name) { return at }
      at += 1
    }
    return nil
  }

  /// Returns the range of the value between its quotes; nil when the word is no member name with a text value.
  ///
  /// A text without an end extends to the end of the bytes. A value that is already the mark is left alone.
  private static func valueRange(_ bytes: [UInt8], afterName start: Int) -> Range<Int>? {
    var level = 0
    guard start > 0, bytes[start - 1] == quote else { return nil }
    while start - 2 - level >= 0, bytes[start - 2 - level] == backslash { level += 1 }
    guard var at = afterQuote(bytes, start + name.count, level: level) else { return nil }
    at = skipSpace(bytes, at)
    guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { return nil }
    at = skipSpace(bytes, at + 1)
    guard let first = afterQuote(bytes, at, level: level) else { return nil }
    var end = first
    while end < bytes.count {
      if bytes[end] == quote {
        var before = 0
        while end - 1 - before >= first, bytes[end - 1 - before] == backslash { before += 1 }
        // The value's own backslashes are doubled at every level, so the remainder distinguishes an escaped quote from the closing one.
        if before < level || before % (2 * (level + 1)) == level { return first..<(end - min(before, level)) }
      }
      end += 1
    }
    return first..<bytes.count
  }

  private static func afterQuote(_ bytes: [UInt8], _ start: Int, level: Int) -> Int? {
    let end = start + level
    guard end < bytes.count, bytes[start..<end].allSatisfy({ $0 == backslash }), bytes[end] == quote else { return nil }
    return end + 1
  }

  private static func skipSpace(_ bytes: [UInt8], _ start: Int) -> Int {
    var at = start
    while at < bytes.count, JSONScanner.isSpace(bytes[at]) { at += 1 }
    return at
  }
}
