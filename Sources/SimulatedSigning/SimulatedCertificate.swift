internal import Cryptography

/// Encodes DER values, as far as simulated certificates and receipts need them.
///
/// - Source: ITU-T X.690; RFC 5280.
public enum DER {
  public static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var bytes = [tag]
    let count = content.count
    if count < 128 {
      bytes.append(UInt8(count))
    } else if count < 256 {
      bytes += [0x81, UInt8(count)]
    } else {
      bytes += [0x82, UInt8(count >> 8), UInt8(count & 255)]
    }
    return bytes + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }
  static func octets(_ content: [UInt8]) -> [UInt8] { value(0x04, content) }
  static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { value(0x03, [unused] + content) }

  /// Returns an integer of 0 or more from its big-endian bytes.
  public static func integer(_ magnitude: [UInt8]) -> [UInt8] {
    let trimmed = Array(magnitude.drop { $0 == 0 })
    let first = trimmed.first ?? 0x80
    return value(0x02, (first >= 0x80 ? [0] : []) + trimmed)
  }

  static func object(_ dotted: String) -> [UInt8] {
    let arcs = dotted.split(separator: ".").compactMap { Int($0) }
    var content = [UInt8(arcs[0] * 40 + arcs[1])]
    for arc in arcs.dropFirst(2) {
      var digits = [UInt8(arc & 127)]
      var rest = arc >> 7
      while rest > 0 {
        digits.insert(UInt8(rest & 127) | 128, at: 0)
        rest >>= 7
      }
      content += digits
    }
    return value(0x06, content)
  }

  /// Returns a distinguished name; values are UTF8String, the country is PrintableString.
  static func name(_ fields: [(oid: String, value: String)]) -> [UInt8] {
    let sets = fields.map { field in
      value(0x31, sequence(object(field.oid), value(field.oid == "2.5.4.6" ? 0x13 : 0x0C, Array(field.value.utf8))))
    }
    return value(0x30, Array(sets.joined()))
  }
}

/// The content of a simulated certificate; `make` signs it.
struct SimulatedCertificate {
  /// Marker of a certificate that signs receipts.
  /// - Source: Apple, app-store-server-library, ChainVerifier.
  static let receiptMarker = "1.2.840.113635.100.6.11.1"
  /// Marker of an intermediate of Worldwide Developer Relations.
  static let intermediateMarker = "1.2.840.113635.100.6.2.1"

  var serial: String
  var subject: [UInt8]
  var key: SimulatedKey
  /// Start of the validity, `YYYYMMDDhhmmssZ`; `notAfter` is its end.
  var notBefore: String
  var notAfter: String
  /// Maximum number of certificates below this one; nil for a certificate that signs none.
  var pathLength: Int?
  var isAuthority: Bool
  var marker: String?

  /// The serial number in DER.
  var number: [UInt8] {
    let number = Array(SHA256.digest(Array(serial.utf8)).prefix(8))
    return DER.integer([number[0] & 0x7F | 0x40] + number.dropFirst())
  }

  func make(issuer: [UInt8], issuerKey: SimulatedKey) -> [UInt8] {
    let algorithm = DER.sequence(DER.object(issuerKey.curve == .p384 ? "1.2.840.10045.4.3.3" : "1.2.840.10045.4.3.2"))
    let curve = key.curve == .p384 ? "1.3.132.0.34" : "1.2.840.10045.3.1.7"
    let body = DER.sequence(
      DER.value(0xA0, DER.integer([2])),
      number, algorithm, issuer,
      DER.sequence(time(notBefore), time(notAfter)),
      subject,
      DER.sequence(DER.sequence(DER.object("1.2.840.10045.2.1"), DER.object(curve)), DER.bits(key.publicPoint)),
      DER.value(0xA3, extensions(issuerKey: issuerKey)))
    return DER.sequence(body, algorithm, DER.bits(issuerKey.sign(body)))
  }

  /// Returns a time: UTCTime before 2050, GeneralizedTime later.
  private func time(_ text: String) -> [UInt8] {
    text < "2050" ? DER.value(0x17, Array(text.utf8.dropFirst(2))) : DER.value(0x18, Array(text.utf8))
  }

  private func extensions(issuerKey: SimulatedKey) -> [UInt8] {
    func entry(_ oid: String, critical: Bool, _ content: [UInt8]) -> [UInt8] {
      DER.sequence(DER.object(oid), critical ? DER.value(0x01, [0xFF]) : [], DER.octets(content))
    }
    var basic: [UInt8] = isAuthority ? DER.value(0x01, [0xFF]) : []
    if let pathLength { basic += DER.integer([UInt8(pathLength)]) }
    var entries = entry("2.5.29.19", critical: true, DER.sequence(basic))
    entries += entry("2.5.29.35", critical: false, DER.sequence(DER.value(0x80, keyIdentifier(issuerKey))))
    entries += entry("2.5.29.14", critical: false, DER.octets(keyIdentifier(key)))
    // An authority signs certificates and revocation lists, a leaf signs data.
    let usage = isAuthority ? DER.bits([0x06], unused: 1) : DER.bits([0x80], unused: 7)
    entries += entry("2.5.29.15", critical: true, usage)
    if let marker { entries += entry(marker, critical: false, [0x05, 0x00]) }
    return DER.value(0x30, entries)
  }

  private func keyIdentifier(_ key: SimulatedKey) -> [UInt8] { Array(SHA256.digest(key.publicPoint).prefix(20)) }
}
