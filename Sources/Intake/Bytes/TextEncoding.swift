internal import SystemCalls

public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
  case utf8 = "utf-8"
  case gb18030
  case gbk
  case gb2312
  case big5
  case shiftJIS = "shift_jis"
  case eucJP = "euc-jp"
  case eucKR = "euc-kr"
  case utf16 = "utf-16"
  case utf16LE = "utf-16le"
  case utf16BE = "utf-16be"
  case latin1 = "iso-8859-1"
  case windows1251 = "windows-1251"
  case windows1252 = "windows-1252"
  case koi8R = "koi8-r"

  /// Other names by their letters and digits.
  private static let aliases: [String: TextEncoding] = [
    "cp936": .gbk, "ms936": .gbk, "windows936": .gbk, "sjis": .shiftJIS, "cp932": .shiftJIS, "ms932": .shiftJIS,
    "windows31j": .shiftJIS, "latin1": .latin1, "cp1251": .windows1251, "cp1252": .windows1252, "cp949": .eucKR,
    "ascii": .utf8, "usascii": .utf8, "unicode": .utf16, "utf8bom": .utf8, "utf8sig": .utf8, "ucs2": .utf16,
  ]

  /// Finds an encoding by its name, without regard to case, hyphens and underscores. Returns nil for an unknown name.
  public init?(named name: String) {
    let plain = Self.letters(name)
    guard let found = Self.allCases.first(where: { Self.letters($0.rawValue) == plain }) ?? Self.aliases[plain] else { return nil }
    self = found
  }

  private static func letters(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Name in the C library; nil for UTF-8, which needs no conversion.
  ///
  /// As in browsers, GBK and GB2312 are read as GB18030, Shift_JIS as Windows-31J and EUC-KR as UHC, which contain them.
  /// - Source: WHATWG Encoding Standard, sections 10, 12 and 14.
  var converterName: String? {
    switch self {
    case .utf8: nil
    case .gb18030, .gbk, .gb2312: "GB18030"
    case .big5: "BIG5-HKSCS"
    case .shiftJIS: "CP932"
    case .eucJP: "EUC-JP-MS"
    case .eucKR: "UHC"
    case .utf16, .utf16LE: "UTF-16LE"
    case .utf16BE: "UTF-16BE"
    case .latin1: "ISO-8859-1"
    case .windows1251: "CP1251"
    case .windows1252: "CP1252"
    case .koi8R: "KOI8-R"
    }
  }

  /// Returns a text in this encoding; nil if the encoding lacks one of its characters, or the system the encoding.
  public func bytes(of text: String) -> [UInt8]? {
    guard let converterName else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    guard let converter = TextConverter(target: converterName) else { return nil }
    return converter.append(Array(text.utf8)[...], to: &bytes) == nil ? bytes : nil
  }

  var lineEnd: LineEnd {
    switch self {
    case .utf16, .utf16LE: .littleEndianPair
    case .utf16BE: .bigEndianPair
    default: .byte
    }
  }

  var hasOpenByteOrder: Bool { self == .utf16 }

  /// Byte order marks, longest first.
  private static let marks: [(encoding: TextEncoding, bytes: [UInt8])] = [
    (.gb18030, [0x84, 0x31, 0x95, 0x33]), (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LE, [0xFF, 0xFE]), (.utf16BE, [0xFE, 0xFF]),
  ]

  /// Returns the encoding that a byte order mark states, and the mark's length; nil without a mark.
  static func marked(_ head: ArraySlice<UInt8>) -> (encoding: TextEncoding, byteCount: Int)? {
    marks.first { head.starts(with: $0.bytes) }.map { ($0.encoding, $0.bytes.count) }
  }

  /// Number of first bytes whose zeros reveal the byte order of UTF-16.
  static let sampleBytes = 512

  /// Returns the byte order of UTF-16 text without a mark. ASCII characters have their zero in the second byte if it is little-endian.
  static func byteOrder(_ head: ArraySlice<UInt8>) -> TextEncoding {
    let sample = Array(head.prefix(sampleBytes))
    let firstZeros = stride(from: 0, to: sample.count, by: 2).count { sample[$0] == 0 }
    let secondZeros = stride(from: 1, to: sample.count, by: 2).count { sample[$0] == 0 }
    return firstZeros > secondZeros ? .utf16BE : .utf16LE
  }
}

/// The form of the line feed that ends a line.
enum LineEnd: Sendable {
  case byte, littleEndianPair, bigEndianPair

  /// Number of bytes of one code unit.
  var width: Int { self == .byte ? 1 : 2 }

  /// A line feed in this form.
  var bytes: [UInt8] {
    switch self {
    case .byte: [ASCII.lf]
    case .littleEndianPair: [ASCII.lf, 0]
    case .bigEndianPair: [0, ASCII.lf]
    }
  }
}
