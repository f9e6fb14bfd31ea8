public import Domain
public import TimeZones

/// How an instant is written in another platform's rows.
public struct InstantFormat: Sendable, Hashable {
  /// nil is ISO 8601: a date and a time, with or without an offset.
  public var pattern: InstantPattern?
  /// Zone of times without an offset; nil if each states one.
  public var zone: TimeZoneRules?
  /// Column that states the UTC offset of the time, such as `+08:00`.
  public var offsetColumn: String?

  public init(pattern: InstantPattern? = nil, zone: TimeZoneRules? = nil, offsetColumn: String? = nil) {
    self.pattern = pattern
    self.zone = zone
    self.offsetColumn = offsetColumn
  }

  public var zoneName: String? { zone?.name }

  /// Returns whether the zone's clock is set back within a time before or after an instant.
  public func repeatsLocalTimes(within seconds: Int64, of instant: Timestamp) -> Bool {
    zone.map { $0.offset(at: instant.wholeSeconds + seconds) < $0.offset(at: instant.wholeSeconds - seconds) } ?? false
  }

  /// The keys of the settings file, each after a comma.
  var text: String {
    [
      zone.map { "zone: \($0.name)" }, offsetColumn.map { "offset: \(YAMLText.scalar($0))" },
      pattern.map { "format: \(YAMLText.scalar($0.text))" },
    ].compactMap { $0 }.map { ", \($0)" }.joined()
  }

  /// Reads an instant.
  ///
  /// - Parameters:
  ///   - offset: value of the offset column; nil without a value.
  ///   - acceptsISO: whether ISO 8601 is read beside the pattern, as a database formats it.
  func instant(_ text: [UInt8], offset: [UInt8]?, acceptsISO: Bool) throws(ConversionFault) -> Timestamp {
    let instant = try anyInstant(text, offset: offset, acceptsISO: acceptsISO)
    guard SaneLimits.instants.contains(instant) else {
      throw ConversionFault("is outside the years \(SaneLimits.years.lowerBound) to \(SaneLimits.years.upperBound)")
    }
    return instant
  }

  private func anyInstant(_ text: [UInt8], offset: [UInt8]?, acceptsISO: Bool) throws(ConversionFault) -> Timestamp {
    if pattern == nil, let instant = Timestamp(rfc3339: text) { return instant }
    let read = try wallClock(text, acceptsISO: acceptsISO)
    guard let local = read.local else { return Timestamp(microseconds: read.micros) }
    let given = try offset.map { value throws(ConversionFault) in
      guard let seconds = InstantPattern.offsetSeconds(value) else {
        throw ConversionFault("has the offset \(ConversionFault.quoted(value)), which is not an offset such as +08:00")
      }
      return seconds
    }
    return Timestamp(microseconds: try seconds(ofLocal: local, offset: given) * 1_000_000 + read.micros)
  }

  /// Returns the wall-clock time in seconds and its fraction; without a wall-clock time, the fraction is the whole instant.
  private func wallClock(_ text: [UInt8], acceptsISO: Bool) throws(ConversionFault) -> (local: Int64?, micros: Int64) {
    if let pattern, let read = try pattern.read(text) { return read }
    if pattern == nil || acceptsISO, let read = try InstantPattern.iso(text) { return read }
    throw ConversionFault(pattern.map { "does not have the format \"\($0.text)\"" } ?? "is not a date and time such as 2026-05-01 08:00:00")
  }

  /// Returns the instant of a wall-clock time. A time that the zone repeats needs an offset.
  private func seconds(ofLocal local: Int64, offset: Int64?) throws(ConversionFault) -> Int64 {
    guard let zone else {
      guard let offset else { throw ConversionFault("has neither an offset nor a zone") }
      return local - offset
    }
    let meanings: [Int64]
    switch zone.meaning(ofLocal: local) {
    case .once(let instant): meanings = [instant]
    case .twice(let first, let second): meanings = [first, second]
    case .never: throw ConversionFault("does not exist in \(zone.name): the clock was set forward over it")
    }
    guard let offset else {
      guard meanings.count == 1 else {
        throw ConversionFault("occurs twice in \(zone.name), because the clock was set back; only an offset column can decide")
      }
      return meanings[0]
    }
    guard meanings.contains(local - offset) else { throw ConversionFault("has an offset that is not that of \(zone.name) at this time") }
    return local - offset
  }
}

/// The reason why a value cannot be converted: the rest of a sentence that begins with the quoted value.
struct ConversionFault: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }

  /// Returns a value for a message: truncated, without control characters.
  static func quoted(_ bytes: [UInt8]) -> String {
    let text = FlatObject.shown(bytes)
    return bytes.count > IntakeLimits.quotedBytesMax ? "\"\(text)…\"" : "\"\(text)\""
  }
}
