internal import Cryptography

/// A signing authority in the shape of Apple's, derived from a seed, for simulated worlds and tests.
///
/// Root and intermediate are on P-384, the leaf on P-256; intermediate and leaf have Apple's markers. The same seed gives the same keys,
/// certificates and signatures. The authority is trusted only where its root is configured.
public struct SimulatedAuthority: Sendable {
  /// The difference between an authority and the genuine one of its seed.
  public enum Variant: String, Sendable, CaseIterable {
    case genuine
    /// The same names, but different keys in the whole chain.
    case otherRoot
    /// The genuine chain with a leaf that expired before the simulated fortnight.
    case expiredLeaf
    /// The genuine chain with a leaf that lacks the marker of receipt signing.
    case leafWithoutMarker
    /// The genuine root with an intermediate that lacks the marker of Worldwide Developer Relations.
    case intermediateWithoutMarker
    /// The genuine chain, but the header's third entry is no certificate; Apple's own libraries do not read it.
    case unreadableThird
  }

  /// The root certificate in DER.
  public let rootDER: [UInt8]
  /// Leaf, intermediate and root in DER.
  public let chain: [[UInt8]]
  private let leaf: SimulatedKey
  private let header: [UInt8]
  /// Issuer and serial number of the leaf in DER.
  private let leafName: [UInt8]

  public init(seed: UInt64, variant: Variant = .genuine) {
    let rootLabel = variant == .otherRoot ? "\(seed) other" : "\(seed)"
    let rootKey = SimulatedKey(.p384, seed: "payrecon root \(rootLabel)")
    let middleKey = SimulatedKey(.p384, seed: "payrecon intermediate \(rootLabel)")
    leaf = SimulatedKey(.p256, seed: "payrecon leaf \(rootLabel) \(variant.rawValue)")
    let rootName = Self.name("Simulated Root CA - G3", unit: "Simulated Certification Authority")
    let middleName = Self.name("Simulated Worldwide Developer Relations Certification Authority", unit: "G6")
    let subject = Self.name(
      "Prod ECC Simulated App Store and iTunes Store Receipt Signing",
      unit: "Simulated Worldwide Developer Relations")
    let root = SimulatedCertificate(
      serial: "root \(rootLabel)", subject: rootName, key: rootKey, notBefore: "20140430181906Z",
      notAfter: "20490430181906Z", pathLength: nil, isAuthority: true, marker: nil)
    let middle = SimulatedCertificate(
      serial: "intermediate \(rootLabel) \(variant.rawValue)", subject: middleName, key: middleKey,
      notBefore: "20210317203710Z", notAfter: "20460319000000Z", pathLength: 0, isAuthority: true,
      marker: variant == .intermediateWithoutMarker ? nil : SimulatedCertificate.intermediateMarker)
    let signer = SimulatedCertificate(
      serial: "leaf \(rootLabel) \(variant.rawValue)", subject: subject, key: leaf,
      notBefore: "20230912195153Z",
      notAfter: variant == .expiredLeaf ? "20251011195152Z" : "20451011195152Z", pathLength: nil,
      isAuthority: false,
      marker: variant == .leafWithoutMarker ? nil : SimulatedCertificate.receiptMarker)
    leafName = DER.sequence(middleName, signer.number)
    rootDER = root.make(issuer: rootName, issuerKey: rootKey)
    chain = [signer.make(issuer: middleName, issuerKey: middleKey), middle.make(issuer: rootName, issuerKey: rootKey), rootDER]
    var texts: [String] = []
    for (index, certificate) in chain.enumerated() {
      let isUnreadable = index == 2 && variant == .unreadableThird
      texts.append("\"\(Base64.encodeStandard(isUnreadable ? Array("no certificate".utf8) : certificate))\"")
    }
    header = Array(Base64.encodeURL(Array(#"{"alg":"ES256","x5c":[\#(texts.joined(separator: ","))]}"#.utf8)).utf8)
  }

  /// Signs a JSON payload and returns the compact JWS in ASCII.
  public func sign(_ payload: [UInt8]) -> [UInt8] { leaf.jws(header: header, payload: payload) }

  /// Signs the content of an app receipt and returns the CMS message in DER.
  ///
  /// - Source: RFC 5652, 5; RFC 5754, 3.3.
  public func signReceipt(_ content: [UInt8]) -> [UInt8] {
    let digest = DER.sequence(DER.object("2.16.840.1.101.3.4.2.1"))
    let signer = DER.sequence(
      DER.integer([1]), leafName, digest, DER.sequence(DER.object("1.2.840.10045.4.3.2")), DER.octets(leaf.sign(content)))
    let data = DER.sequence(
      DER.integer([1]), DER.value(0x31, digest),
      DER.sequence(DER.object("1.2.840.113549.1.7.1"), DER.value(0xA0, DER.octets(content))),
      DER.value(0xA0, Array(chain.joined())), DER.value(0x31, signer))
    return DER.sequence(DER.object("1.2.840.113549.1.7.2"), DER.value(0xA0, data))
  }

  private static func name(_ common: String, unit: String) -> [UInt8] {
    DER.name([("2.5.4.3", common), ("2.5.4.11", unit), ("2.5.4.10", "Simulated Inc."), ("2.5.4.6", "US")])
  }
}
