/// Tracks the structure of a JSON text incrementally, without storing it.
///
/// The state becomes `broken` at a byte that cannot continue the structure, at a number or word at the top level, and beyond
/// `JSONLimits.depthMax`. The spelling of numbers and words is not checked.
public struct JSONOutline {
  public enum State: Sendable, Equatable {
    case open
    /// The outermost value has ended; only spaces may follow.
    case complete
    /// The text is no JSON, or has an unsupported structure.
    case broken
  }

  private enum Next { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, text, escape, word }

  /// Per open container, whether it is an object.
  private var isObject: [Bool] = []
  private var next = Next.value
  private var isName = false
  public private(set) var state = State.open

  public init() {}

  /// Processes more bytes and returns the new state.
  @discardableResult
  public mutating func follow(_ bytes: Span<UInt8>) -> State {
    var index = 0
    while index < bytes.count, state != .broken {
      // Skip spaces quickly: long runs of them are the only cheap way to make a text long.
      if next != .text, next != .escape, next != .word, JSONScanner.isSpace(bytes[index]) {
        index += 1
        continue
      }
      follow(bytes[index])
      index += 1
    }
    return state
  }

  /// Returns whether bytes are one complete JSON value.
  public static func isComplete(_ bytes: Span<UInt8>) -> Bool {
    var outline = JSONOutline()
    return outline.follow(bytes) == .complete
  }

  private mutating func follow(_ byte: UInt8) {
    switch next {
    case .text where byte < 0x20, .escape where byte < 0x20: state = .broken
    case .text where byte == 0x22:
      next = isName ? .colon : .commaOrEnd
      if isObject.isEmpty { state = .complete }
    case .text where byte == 0x5C: next = .escape
    case .text: break
    case .escape: next = .text
    case .word where Self.isInWord(byte): break
    default:
      if next == .word { next = .commaOrEnd }
      if !JSONScanner.isSpace(byte) { token(byte) }
    }
  }

  /// Whether a byte may continue a number or a word.
  private static func isInWord(_ byte: UInt8) -> Bool {
    JSONScanner.isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x2B || byte == 0x2D || byte == 0x2E
  }

  private mutating func token(_ byte: UInt8) {
    guard state == .open else {
      state = .broken
      return
    }
    switch (next, byte) {
    case (.colon, 0x3A): next = .value
    case (.commaOrEnd, 0x2C) where !isObject.isEmpty: next = isObject.last == true ? .name : .value
    case (.commaOrEnd, 0x7D), (.nameOrEnd, 0x7D), (.commaOrEnd, 0x5D), (.valueOrEnd, 0x5D): end(byte)
    case (.name, 0x22), (.nameOrEnd, 0x22): begin(.text, isName: true)
    case (.value, _), (.valueOrEnd, _): value(byte)
    default: state = .broken
    }
  }

  private mutating func begin(_ next: Next, isName: Bool = false) {
    self.next = next
    self.isName = isName
  }

  private mutating func value(_ byte: UInt8) {
    switch byte {
    case 0x7B, 0x5B:
      guard isObject.count < JSONLimits.depthMax else {
        state = .broken
        return
      }
      isObject.append(byte == 0x7B)
      next = byte == 0x7B ? .nameOrEnd : .valueOrEnd
    case 0x22: begin(.text)
    case 0x2D, 0x30...0x39, 0x74, 0x66, 0x6E:
      next = .word
      // Apple's texts never have a number or a word at the top level.
      if isObject.isEmpty { state = .broken }
    default: state = .broken
    }
  }

  private mutating func end(_ byte: UInt8) {
    guard isObject.popLast() == (byte == 0x7D) else {
      state = .broken
      return
    }
    next = .commaOrEnd
    if isObject.isEmpty { state = .complete }
  }
}
