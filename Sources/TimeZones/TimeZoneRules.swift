internal import Glibc
internal import SystemCalls

/// UTC offsets of one time zone, read from the system's zone files. Schedules thus do not depend on the host's own zone.
///
/// - Source: RFC 9636 (TZif), section 3; POSIX.1-2024, "TZ" for what follows the last transition.
public struct TimeZoneRules: Sendable, Hashable {
  /// IANA name.
  public let name: String
  /// Seconds since 1970 at which `offsets[index + 1]` begins; ascending.
  private let transitions: [Int64]
  /// Seconds east of UTC; one entry more than `transitions`.
  private let offsets: [Int64]
  /// Rule for instants after the last transition; nil keeps the last offset.
  private let footer: PosixZoneRule?

  /// A zone without transitions.
  public static let utc = TimeZoneRules(name: "UTC", transitions: [], offsets: [0], footer: nil)

  init(name: String, transitions: [Int64], offsets: [Int64], footer: PosixZoneRule?) {
    self.name = name
    self.transitions = transitions
    self.offsets = offsets
    self.footer = footer
  }

  /// Returns the seconds east of UTC at an instant.
  ///
  /// - Parameter instant: seconds since 1970.
  public func offset(at instant: Int64) -> Int64 {
    guard let last = transitions.last, instant < last else { return footer?.offset(at: instant) ?? offsets[offsets.count - 1] }
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return offsets[low]
  }

  /// The instants that a wall-clock time in this zone denotes.
  public enum Meaning: Sendable, Hashable {
    case once(Int64)
    /// The clock was set back, so the time occurs twice.
    case twice(first: Int64, second: Int64)
    /// The clock was set forward over the time; the value is the instant of that change.
    case never(changedAt: Int64)
  }

  /// Distance from a wall-clock time at which the offsets before and after a change are taken, in seconds.
  private static let searchSeconds: Int64 = 86_400

  /// Returns the instants, in seconds since 1970, at which a wall clock shows a time.
  ///
  /// - Parameter local: the wall-clock time as if it were UTC, in seconds since 1970.
  public func meaning(ofLocal local: Int64) -> Meaning {
    let before = offset(at: local - Self.searchSeconds)
    let after = offset(at: local + Self.searchSeconds)
    let candidates = (before == after ? [before] : [before, after]).filter { offset(at: local - $0) == $0 }
      .map { local - $0 }.sorted()
    if candidates.count == 2 { return .twice(first: candidates[0], second: candidates[1]) }
    if let only = candidates.first { return .once(only) }
    return .never(changedAt: change(between: local - max(before, after), and: local - min(before, after)))
  }

  /// Returns the first instant with another offset than at `low`. There is one change up to `high`.
  private func change(between low: Int64, and high: Int64) -> Int64 {
    var (low, high) = (low, high)
    let offsetBefore = offset(at: low)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(at: middle) == offsetBefore { low = middle } else { high = middle }
    }
    return high
  }
}

/// A fault of a time zone, with a message for the operator.
public struct TimeZoneError: Error, Sendable, CustomStringConvertible {
  public var description: String
}

extension TimeZoneRules {
  private static let nameBytesMax = 64
  private static let fileBytesMax = 1 << 20
  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]

  /// Reads the rules of a zone from the system's zone files; `UTC` needs none.
  ///
  /// - Throws: `TimeZoneError` if the name is not an IANA name, or the system has no such zone.
  public init(named name: String) throws(TimeZoneError) {
    if name == "UTC" {
      self = .utc
      return
    }
    guard Self.isName(name) else { throw TimeZoneError(description: "\"\(name)\" is not an IANA time zone name") }
    for folder in Self.folders {
      guard let bytes = Self.contents(of: "\(folder)/\(name)") else { continue }
      guard let rules = TZifReader.rules(name: name, bytes) else {
        throw TimeZoneError(description: "could not use time zone \"\(name)\": \(folder)/\(name) is no zone file")
      }
      self = rules
      return
    }
    throw TimeZoneError(description: "\"\(name)\" is not a time zone of this system; check the name, and that tzdata is installed")
  }

  /// Whether a text may be a name, and leads to no file outside the folders.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= nameBytesMax
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "_-+".utf8.contains($0)
          }
      }
  }

  /// Returns the names of the system's zones that a list for people offers, sorted; only `UTC` if the system has no such list.
  ///
  /// - Source: `zone1970.tab` of the tz database: tab-separated, the third column is the name.
  public static func names() -> [String] {
    let table = folders.lazy.compactMap { contents(of: "\($0)/zone1970.tab") }.first ?? []
    let names = String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line -> String? in
      let columns = line.split(separator: "\t")
      return line.hasPrefix("#") || columns.count < 3 ? nil : String(columns[2])
    }
    return ["UTC"] + names.sorted()
  }

  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: fileBytesMax)
    guard let count = try? Descriptor.fill(&bytes, from: descriptor), count > 0 else { return nil }
    return Array(bytes.prefix(count))
  }
}
