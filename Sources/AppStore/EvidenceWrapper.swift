public import Domain
public import Wording
internal import JSON

/// An item with its sender: `{"evidence", "received_at", "source", "user_id", "device_id", "order_id"}`.
///
/// A member that cannot be read is noted and ignored; the evidence is kept.
public struct EvidenceWrapper: Sendable {
  public var evidence: [UInt8]
  public var receivedAt: Timestamp?
  public var source: EvidenceSource?
  public var userID: String?
  public var deviceID: String?
  /// The order that claims to be paid by this evidence.
  public var orderID: String?
  /// Members that were ignored.
  public var notes: [Note] = []

  /// A member that cannot be read, with the reason.
  public struct Note: Hashable, Sendable {
    public var field: String
    public var reason: String
  }

  public enum Reading: Sendable {
    case notAWrapper
    case wrapper(EvidenceWrapper)
    case refused(field: String, reason: Phrase)
  }

  /// Reads a line. A JSON object with the member `evidence` is a wrapper.
  public static func parse(_ line: [UInt8]) -> Reading {
    guard ReceiptText.isJSON(line), let object = try? JSONObject(parsing: line[...]), object.has("evidence") else {
      return .notAWrapper
    }
    if let text = object.utf8("evidence") { return .wrapper(EvidenceWrapper(Array(text), object)) }
    if let body = object.object("evidence") { return .wrapper(EvidenceWrapper(Array(body.text), object)) }
    return .refused(field: "evidence", reason: "signed.wrapped_no_text")
  }

  private init(_ evidence: [UInt8], _ object: JSONObject) {
    self.evidence = evidence
    receivedAt = instant("received_at", object)
    if let word = text("source", object) {
      source = EvidenceSource(rawValue: word)
      if source == nil { note("source", "source is none of client, notification, api, import") }
    }
    userID = text("user_id", object)
    deviceID = text("device_id", object)
    orderID = text("order_id", object)
  }

  private mutating func note(_ field: String, _ reason: String) { notes.append(Note(field: field, reason: reason)) }

  /// Returns a text, or the digits of a whole number, as in rows of orders.
  private mutating func text(_ name: String, _ object: JSONObject) -> String? {
    switch object[name] {
    case nil, .null?, .string("")?: return nil
    case .number(let digits)? where digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }): return digits
    case .number?: note(name, "the number in \(name) is not an id: write it in digits only")
    case .string(let text)? where text.utf8.count > PayloadFields.identifierBytesMax:
      note(name, "\(name) is longer than \(PayloadFields.identifierBytesMax) bytes")
    case .string(let text)?:
      if Printable.isPlain(text) { return text }
      note(name, "\(name) has control characters")
    default: note(name, "\(name) is no text")
    }
    return nil
  }

  /// Returns an instant from a date and time with an offset, or from seconds or milliseconds since 1970.
  private mutating func instant(_ name: String, _ object: JSONObject) -> Timestamp? {
    let text: String
    switch object[name] {
    case nil, .null?, .string("")?: return nil
    case .number(let written)?, .string(let written)?: text = written
    default:
      note(name, "\(name) is no text")
      return nil
    }
    guard let instant = Timestamp(logged: text) ?? Milliseconds.ofEpoch(text) else {
      note(name, "\(name) is neither a date and time with an offset nor seconds or milliseconds since 1970")
      return nil
    }
    guard SaneLimits.instants.contains(instant) else {
      note(name, Milliseconds.excess)
      return nil
    }
    return instant
  }
}
