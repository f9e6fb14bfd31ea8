/// A signing authority in the shape of Apple's, made from a seed, for simulated worlds and tests.
///
/// Root and intermediate are on P-384, the leaf on P-256; intermediate and leaf carry Apple's markers.
/// The same seed gives the same keys, certificates and signatures. Nothing trusts it
/// unless its root is configured.
public struct SimulatedAuthority: Sendable {
  /// How an authority differs from the genuine one of its seed.
  public enum Variant: String, Sendable, CaseIterable {
    case genuine
    /// The same names, but other keys all the way up.
    case otherRoot
    /// The genuine chain with a leaf that was over before the simulated fortnight.
    case expiredLeaf
    /// The genuine chain, but the leaf lacks the marker of receipt signing.
    case leafWithoutMarker
    /// The genuine root, but the intermediate lacks the marker of Worldwide Developer Relations.
    case intermediateWithoutMarker
  }

  /// The root certificate, DER.
  public let rootDER: [UInt8]
  /// Leaf, intermediate and root, DER.
  public let chain: [[UInt8]]
  private let leaf: SimulatedKey
  private let header: [UInt8]

  public init(seed: UInt64, variant: Variant = .genuine) {
    let rootLabel = variant == .otherRoot ? "\(seed) other" : "\(seed)"
    let rootKey = SimulatedKey(.p384, seed: "payrecon root \(rootLabel)")
    let middleKey = SimulatedKey(.p384, seed: "payrecon intermediate \(rootLabel)")
    leaf = SimulatedKey(.p256, seed: "payrecon leaf \(rootLabel) \(variant.rawValue)")
    let rootName = Self.name("Simulated Root CA - G3", unit: "Simulated Certification Authority")
    let middleName = Self.name(
      "Simulated Worldwide Developer Relations Certification Authority", unit: "G6")
    let leafName = Self.name(
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
      serial: "leaf \(rootLabel) \(variant.rawValue)", subject: leafName, key: leaf,
      notBefore: "20230912195153Z",
      notAfter: variant == .expiredLeaf ? "20251011195152Z" : "20451011195152Z", pathLength: nil,
      isAuthority: false,
      marker: variant == .leafWithoutMarker ? nil : SimulatedCertificate.receiptMarker)
    rootDER = root.make(issuer: rootName, issuerKey: rootKey)
    chain = [
      signer.make(issuer: middleName, issuerKey: middleKey),
      middle.make(issuer: rootName, issuerKey: rootKey), rootDER,
    ]
    var text = Array(#"{"alg":"ES256","x5c":["#.utf8)
    for (index, certificate) in chain.enumerated() {
      text += Array((index == 0 ? "\"" : ",\"").utf8)
      text += SimulatedEncoding.base64(certificate)
      text.append(0x22)
    }
    header = SimulatedEncoding.base64url(text + Array("]}".utf8))
  }

  /// Signs a JSON payload and returns the compact JWS in ASCII.
  public func sign(_ payload: [UInt8]) -> [UInt8] { leaf.jws(header: header, payload: payload) }

  private static func name(_ common: String, unit: String) -> [UInt8] {
    DER.name([
      ("2.5.4.3", common), ("2.5.4.11", unit), ("2.5.4.10", "Simulated Inc."), ("2.5.4.6", "US"),
    ])
  }
}
