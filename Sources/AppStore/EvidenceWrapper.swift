public import Domain
internal import JSON

/// An item together with who sent it: `{"evidence", "received_at", "source", "user_id", "device_id", "order_id"}`.
public struct EvidenceWrapper: Sendable {
  public var evidence: [UInt8]
  public var receivedAt: Timestamp?
  public var source: EvidenceSource?
  public var userID: String?
  public var deviceID: String?
  /// A claim: this order says that the evidence pays for it.
  public var orderID: String?

  /// What a line is.
  public enum Reading: Sendable {
    case notAWrapper
    case wrapper(EvidenceWrapper)
    case refused(field: String, reason: String)
  }

  private struct Fault: Error {
    var field: String
    var reason: String
  }

  /// Reads a line; it is a wrapper when it is a JSON object with the member `evidence`.
  public static func parse(_ line: [UInt8]) -> Reading {
    guard line.first == UInt8(ascii: "{"), let object = try? JSONObject(parsing: line[...]),
      object.has("evidence")
    else { return .notAWrapper }
    guard let evidence = object.utf8("evidence") else {
      return .refused(field: "evidence", reason: "evidence is no text; a JSON answer is wrapped as a string")
    }
    do {
      return .wrapper(try EvidenceWrapper(Array(evidence), object))
    } catch {
      return .refused(field: error.field, reason: error.reason)
    }
  }

  private init(_ evidence: [UInt8], _ object: JSONObject) throws(Fault) {
    self.evidence = evidence
    if let received = try Self.text("received_at", object) {
      guard let instant = Timestamp(rfc3339: received) else {
        throw Fault(field: "received_at", reason: "received_at is no RFC 3339 instant with offset")
      }
      guard SaneLimits.instants.contains(instant) else {
        throw Fault(field: "received_at", reason: Milliseconds.excess)
      }
      receivedAt = instant
    }
    if let word = try Self.text("source", object) {
      guard let known = EvidenceSource(rawValue: word) else {
        throw Fault(field: "source", reason: "source is none of client, notification, api, import")
      }
      source = known
    }
    userID = try Self.text("user_id", object)
    deviceID = try Self.text("device_id", object)
    orderID = try Self.text("order_id", object)
  }

  private static func text(_ name: String, _ object: JSONObject) throws(Fault) -> String? {
    switch object[name] {
    case nil, .null?: return nil
    case .string(let text)?:
      if text.isEmpty { return nil }
      guard text.utf8.count <= PayloadFields.identifierBytesMax, Printable.isPlain(text) else {
        throw Fault(field: name, reason: "\(name) is longer than \(PayloadFields.identifierBytesMax) bytes or has control characters")
      }
      return text
    default: throw Fault(field: name, reason: "\(name) is no text")
    }
  }
}
