/// Reads the system's binary time zone files.
///
/// - Source: RFC 9636 section 3.
enum TZifReader {
  private static let headerBytes = 44
  private static let transitionsMax = 20_000

  /// Counts of a data block.
  private struct Header {
    var version: UInt8
    var isUTCount: Int
    var isStandardCount: Int
    var leapCount: Int
    var timeCount: Int
    var typeCount: Int
    var nameBytes: Int

    /// Returns the length of the block after the header, for times of `time` bytes.
    func bytes(time: Int) -> Int {
      timeCount * (time + 1) + typeCount * 6 + nameBytes + leapCount * (time + 4) + isStandardCount + isUTCount
    }
  }

  /// Returns nil if the bytes are not a zone file.
  static func rules(name: String, _ bytes: [UInt8]) -> TimeZoneRules? {
    guard let first = header(bytes, at: 0) else { return nil }
    guard first.version >= UInt8(ascii: "2") else {
      return block(name: name, bytes, first, at: headerBytes, timeBytes: 4, footer: nil)
    }
    let second = headerBytes + first.bytes(time: 4)
    guard let wide = header(bytes, at: second) else { return nil }
    let start = second + headerBytes
    let footerStart = start + wide.bytes(time: 8)
    guard footerStart < bytes.count, bytes[footerStart] == 0x0A,
      let end = bytes[(footerStart + 1)...].firstIndex(of: 0x0A)
    else { return nil }
    let text = Array(bytes[(footerStart + 1)..<end])
    let footer = text.isEmpty ? nil : PosixZoneRule(text)
    if !text.isEmpty && footer == nil { return nil }
    return block(name: name, bytes, wide, at: start, timeBytes: 8, footer: footer)
  }

  private static func header(_ bytes: [UInt8], at start: Int) -> Header? {
    guard start >= 0, start + headerBytes <= bytes.count, Array(bytes[start..<start + 4]) == Array("TZif".utf8)
    else { return nil }
    func count(_ index: Int) -> Int { Int(number(bytes, at: start + 20 + index * 4, bytes: 4)) }
    let header = Header(
      version: bytes[start + 4], isUTCount: count(0), isStandardCount: count(1), leapCount: count(2),
      timeCount: count(3), typeCount: count(4), nameBytes: count(5))
    guard (0...transitionsMax).contains(header.timeCount), (1...256).contains(header.typeCount),
      [header.isUTCount, header.isStandardCount, header.leapCount, header.nameBytes].allSatisfy({
        (0...transitionsMax).contains($0)
      })
    else { return nil }
    return header
  }

  private static func block(
    name: String, _ bytes: [UInt8], _ header: Header, at start: Int, timeBytes: Int, footer: PosixZoneRule?
  ) -> TimeZoneRules? {
    let typeIndexStart = start + header.timeCount * timeBytes
    let typesStart = typeIndexStart + header.timeCount
    guard typesStart + header.typeCount * 6 <= bytes.count else { return nil }
    let typeOffsets = (0..<header.typeCount).map { number(bytes, at: typesStart + $0 * 6, bytes: 4) }
    var transitions: [Int64] = []
    // The first type applies before the first transition.
    var offsets = [typeOffsets[0]]
    for index in 0..<header.timeCount {
      let type = Int(bytes[typeIndexStart + index])
      guard type < typeOffsets.count else { return nil }
      transitions.append(number(bytes, at: start + index * timeBytes, bytes: timeBytes))
      offsets.append(typeOffsets[type])
    }
    guard zip(transitions, transitions.dropFirst()).allSatisfy(<) else { return nil }
    return TimeZoneRules(name: name, transitions: transitions, offsets: offsets, footer: footer)
  }

  /// Reads a signed big-endian number of 4 or 8 bytes.
  private static func number(_ bytes: [UInt8], at start: Int, bytes count: Int) -> Int64 {
    var value: UInt64 = 0
    for index in start..<start + count { value = value << 8 | UInt64(bytes[index]) }
    return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }
}
