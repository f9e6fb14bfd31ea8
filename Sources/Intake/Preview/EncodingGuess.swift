internal import SystemCalls

enum EncodingGuess {
  /// Share of zero bytes, in percent, from which text is UTF-16.
  private static let zeroPercentMin = 15

  /// Number of different pairs of bytes from which text with Hangul rows alone is Korean, not Chinese.
  private static let hangulPairsMin = 12

  /// Returns the encoding of an input's first lines, and other encodings in which they are text too.
  ///
  /// - Parameter head: complete lines, except for the last one.
  static func encoding(of head: [UInt8]) -> (encoding: TextEncoding, others: [TextEncoding]) {
    if let mark = TextEncoding.marked(head[...]) { return (mark.encoding, []) }
    if !head.isEmpty, head.count(where: { $0 == 0 }) * 100 / head.count >= zeroPercentMin { return (TextEncoding.byteOrder(head[...]), []) }
    let text = head[...(head.lastIndex(of: ASCII.lf) ?? head.endIndex - 1)]
    guard text.contains(where: { $0 >= 0x80 }), (try? UTF8Span(validating: Array(text).span)) == nil else { return (.utf8, []) }
    let scored = candidates.compactMap { candidate in
      decodes(text, candidate.encoding) ? (encoding: candidate.encoding, score: candidate.score(Array(text))) : nil
    }
    let found = best(scored, text)
    let singles: [TextEncoding] = [.windows1251, .windows1252].contains(found) ? [.windows1251, .windows1252] : []
    let others = scored.map(\.encoding) + singles.filter { decodes(text, $0) }
    return (found, others.filter { $0 != found })
  }

  private static func best(_ scored: [(encoding: TextEncoding, score: Int)], _ text: ArraySlice<UInt8>) -> TextEncoding {
    let best = scored.max { $0.score < $1.score }
    if let best, best.score > 0 {
      let korean = scored.first { $0.encoding == .eucKR }
      let isKorean = best.encoding == .gb18030 && korean?.score == best.score && pairs(text) >= hangulPairsMin
      return isKorean ? .eucKR : best.encoding
    }
    if isMostlyCyrillic(text) { return .windows1251 }
    return decodes(text, .windows1252) ? .windows1252 : best?.encoding ?? .latin1
  }

  /// Returns the number of different pairs of bytes that are no ASCII.
  private static func pairs(_ text: ArraySlice<UInt8>) -> Int {
    var found: Set<UInt16> = []
    var position = text.startIndex
    while position + 1 < text.endIndex {
      guard text[position] >= 0x80 else {
        position += 1
        continue
      }
      found.insert(UInt16(text[position]) << 8 | UInt16(text[position + 1]))
      position += 2
    }
    return found.count
  }

  private static func decodes(_ text: ArraySlice<UInt8>, _ encoding: TextEncoding) -> Bool {
    guard let name = encoding.converterName, let converter = TextConverter(encoding: name) else { return false }
    var plain: [UInt8] = []
    return converter.append(text, to: &plain) == nil
  }

  private struct Candidate: Sendable {
    var encoding: TextEncoding
    /// Points of a pair of bytes by its first and second byte; twice the usual amount for kana, negative for rare characters.
    var points: @Sendable (UInt8, UInt8) -> Int
    /// Points of a byte that is a character by itself.
    var singlePoints = 0
    /// Whether a byte is a character by itself.
    var isSingle: @Sendable (UInt8) -> Bool = { $0 < 0x80 }

    func score(_ text: [UInt8]) -> Int {
      var (total, position) = (0, 0)
      while position < text.count {
        if isSingle(text[position]) || position + 1 == text.count {
          total += text[position] >= 0x80 ? singlePoints : 0
          position += 1
        } else {
          total += points(text[position], text[position + 1])
          position += 2
        }
      }
      return total
    }
  }

  /// Points by the rows of the national character sets that hold common characters.
  ///
  /// - Source: GB/T 2312-1980 level 1 (rows 16 to 55); JIS X 0208 rows 4, 5 and 16 to 47; KS X 1001 rows 16 to 40; Big5 level 1.
  private static let candidates = [
    Candidate(encoding: .gb18030) { first, second in
      if second < 0xA1 { return -4 }
      return (0xB0...0xD7).contains(first) ? 4 : (0xA1...0xA3).contains(first) ? 1 : first >= 0xD8 ? -2 : 0
    },
    Candidate(
      encoding: .shiftJIS,
      points: { first, second in
        if first == 0x82, (0x9F...0xF1).contains(second) { return 8 }
        if first == 0x83, (0x40...0x96).contains(second) { return 8 }
        return (0x88...0x97).contains(first) ? 4 : first == 0x81 ? 1 : -4
      },
      singlePoints: -3, isSingle: { $0 < 0x80 || (0xA0...0xDF).contains($0) }),
    Candidate(encoding: .eucJP) { first, second in
      guard second >= 0xA1 else { return -4 }
      return first == 0xA4 || first == 0xA5 ? 8 : (0xB0...0xCF).contains(first) ? 3 : (0xA1...0xA3).contains(first) ? 1 : -2
    },
    Candidate(encoding: .eucKR) { first, second in
      second >= 0xA1 && (0xB0...0xC8).contains(first) ? 4 : (0xA1...0xA3).contains(first) ? 1 : -6
    },
    Candidate(encoding: .big5) { first, second in
      (0xA4...0xC6).contains(first) && (second < 0x7F || second >= 0xA1) ? 3 : (0xA1...0xA3).contains(first) ? 1 : -3
    },
  ]

  /// Returns whether letters above ASCII form words. In Western text they stand alone between ASCII letters.
  private static func isMostlyCyrillic(_ text: ArraySlice<UInt8>) -> Bool {
    let high = text.count { $0 >= 0x80 }
    let inWords = zip(text, text.dropFirst()).count { $0 >= 0xC0 && $1 >= 0xC0 }
    return inWords * 2 >= high
  }
}
