/// An exact decimal number with the number of decimals that a report prints.
public struct ExactDecimal: Hashable, Sendable, CustomStringConvertible {
  /// Maximum number of digits; Apple's reports never need more.
  static let digitsMax = 30

  /// The number without its decimal point.
  private(set) var digits: Int128
  private(set) var scale: Int

  public static let zero = ExactDecimal(digits: 0, scale: 0)

  init(digits: Int128, scale: Int) {
    self.digits = digits
    self.scale = scale
  }

  /// Reads a number in any format of the reports: `-1,234.50`, `"1.234,50"`, `1 234,50`, `(12.00)`.
  ///
  /// If both a comma and a point occur, the last one is the decimal mark. A single comma between one to three digits and exactly three
  /// digits groups thousands, as in Apple's format. Any other single comma is a decimal mark.
  public init?(_ text: some StringProtocol) {
    guard let plain = Self.plain(text) else { return nil }
    var digits: Int128 = 0
    var scale = 0
    var isAfterPoint = false
    var count = 0
    for byte in plain.digits {
      if byte == ASCII.point {
        isAfterPoint = true
        continue
      }
      guard count < Self.digitsMax else { return nil }
      digits = digits * 10 + Int128(byte - ASCII.zero)
      count += 1
      if isAfterPoint { scale += 1 }
    }
    self.digits = plain.isNegative ? -digits : digits
    self.scale = scale
  }

  public var isNegative: Bool { digits < 0 }

  /// The number with a decimal point and without thousands separators.
  public var description: String {
    let text = String(digits.magnitude)
    let sign = digits < 0 ? "-" : ""
    guard scale > 0 else { return sign + text }
    let padded = String(repeating: "0", count: max(0, scale + 1 - text.utf8.count)) + text
    return "\(sign)\(padded.dropLast(scale)).\(padded.suffix(scale))"
  }

  /// Whether all decimals are zero.
  public var isWhole: Bool { scale == 0 || digits % Self.power(scale) == 0 }

  /// Returns the sum; nil on overflow.
  public func adding(_ other: ExactDecimal) -> ExactDecimal? {
    let common = max(scale, other.scale)
    let (left, leftOverflows) = digits.multipliedReportingOverflow(by: Self.power(common - scale))
    let (right, rightOverflows) = other.digits.multipliedReportingOverflow(by: Self.power(common - other.scale))
    let (sum, sumOverflows) = left.addingReportingOverflow(right)
    return leftOverflows || rightOverflows || sumOverflows ? nil : ExactDecimal(digits: sum, scale: common)
  }

  /// Returns the product; nil on overflow.
  func times(_ other: ExactDecimal) -> ExactDecimal? {
    let (product, overflows) = digits.multipliedReportingOverflow(by: other.digits)
    return overflows ? nil : ExactDecimal(digits: product, scale: scale + other.scale)
  }

  var magnitude: ExactDecimal { ExactDecimal(digits: abs(digits), scale: scale) }
  var negated: ExactDecimal { ExactDecimal(digits: -digits, scale: scale) }

  /// Half a unit of the last printed digit: the maximum rounding error.
  var halfOfLastDigit: ExactDecimal { ExactDecimal(digits: 5, scale: scale + 1) }

  /// Returns whether both numbers are equal, regardless of trailing zeros.
  public func equals(_ other: ExactDecimal) -> Bool {
    adding(other.negated).map { $0.digits == 0 } ?? false
  }

  private static func power(_ exponent: Int) -> Int128 {
    var result: Int128 = 1
    for _ in 0..<exponent { result *= 10 }
    return result
  }
}

/// Distinguishes thousands separators from the decimal mark.
extension ExactDecimal {
  /// Returns digits and at most one point; nil when the text is no number.
  private static func plain(_ text: some StringProtocol) -> (digits: [UInt8], isNegative: Bool)? {
    var isNegative = false
    var isOpen = false
    // A minus or a closing parenthesis after the digits ends the number: `12-5` is invalid.
    var hasEnded = false
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9", ".", ",":
        guard !hasEnded else { return nil }
        bytes.append(UInt8(scalar.value))
      case "-", "\u{2212}":
        guard !isNegative else { return nil }
        isNegative = true
        hasEnded = !bytes.isEmpty
      case "(":
        guard bytes.isEmpty, !isNegative else { return nil }
        isNegative = true
        isOpen = true
      case ")":
        guard isOpen else { return nil }
        isOpen = false
        hasEnded = true
      // Quotes of a cell, and spaces and apostrophes that group thousands.
      case "\"", " ", "\t", "\u{A0}", "\u{202F}", "\u{2009}", "'", "\u{2019}": continue
      case "+": guard bytes.isEmpty else { return nil }
      default: return nil
      }
    }
    guard !isOpen, let marked = pointed(bytes), marked.contains(where: { $0 != ASCII.point }) else { return nil }
    return (marked, isNegative)
  }

  /// Returns whether the text's single mark is ambiguous: `1.234` and `1,234` may have decimals or thousands.
  static func isAmbiguous(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8.filter { ASCII.isDigit($0) || $0 == ASCII.point || $0 == ASCII.comma }
    let marks = bytes.indices.filter { !ASCII.isDigit(bytes[$0]) }
    return marks.count == 1 && isGrouped(bytes, at: marks)
  }

  /// Returns the digits without thousands separators and with a point as decimal mark; nil when marks do not group thousands.
  private static func pointed(_ bytes: [UInt8]) -> [UInt8]? {
    let marks = bytes.indices.filter { !ASCII.isDigit(bytes[$0]) }
    let hasTwoKinds = Set(marks.map { bytes[$0] }).count == 2
    // A single comma that can group thousands does; a single point never does.
    let isDecimal = hasTwoKinds || marks.count == 1 && (bytes[marks[0]] == ASCII.point || !isGrouped(bytes, at: marks))
    let decimal = isDecimal ? marks.last : nil
    let whole = bytes[..<(decimal ?? bytes.count)]
    let groups = marks.filter(whole.indices.contains)
    let isOneKind = Set(groups.map { bytes[$0] }).count == 1 && bytes[groups[0]] != decimal.map { bytes[$0] }
    guard groups.isEmpty || isOneKind && isGrouped(Array(whole), at: groups) else { return nil }
    let digits = whole.filter { ASCII.isDigit($0) }
    return decimal.map { digits + [ASCII.point] + bytes[($0 + 1)...] } ?? digits
  }

  /// Returns whether the marks group thousands: every three digits, after one to three leading digits other than zero.
  private static func isGrouped(_ bytes: [UInt8], at marks: [Int]) -> Bool {
    guard let first = marks.first, (1...3).contains(first), bytes[0] != ASCII.zero else { return false }
    let ends = marks.dropFirst() + [bytes.count]
    return zip(marks, ends).allSatisfy { $1 - $0 == 4 }
  }
}
