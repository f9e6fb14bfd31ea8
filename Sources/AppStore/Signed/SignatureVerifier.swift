internal import Cryptography
internal import Domain
internal import Wording

/// Verifies signatures of Apple's JWS against the configured roots.
///
/// - Source: Apple, "Validating signed data"; marker extensions of Apple's WWDR certificate policy.
struct SignatureVerifier: Sendable {
  private static let leafMarker = "1.2.840.113635.100.6.11.1"
  private static let intermediateMarker = "1.2.840.113635.100.6.2.1"

  private let roots: TrustStore
  private let chains = VerifiedChains()
  private let inverses = SignatureInverses()

  init(anchors: TrustAnchors) { roots = TrustStore(roots: anchors.certificates) }

  /// Returns the signer whose chain was verified before; nil when the header is not known.
  func knownSigner(of jws: CompactJWS) -> VerifiedSigner? { chains.signer(jws.header) }

  /// Computes at once a part of the verification of many texts; of others than a compact JWS nothing.
  func prepare(_ texts: some Sequence<[UInt8]>) {
    inverses.prepare(texts.compactMap { CompactJWS($0[...]).flatMap { Base64.decodeURL($0.signature) } })
  }

  /// Verifies signature, chain and validity.
  ///
  /// The signature is verified before the chain, so that junk costs at most one curve operation each time it is read.
  /// - Parameters:
  ///   - digest: SHA-256 of the signed part.
  ///   - known: result of `knownSigner(of:)`.
  ///   - instant: the item's stated signing instant.
  /// - Returns: SHA-256 of the header segment, in hexadecimal.
  func verify(_ jws: CompactJWS, digest: [UInt8], by known: VerifiedSigner?, at instant: Timestamp) throws(SignedFault) -> String {
    let signer: VerifiedSigner
    var header: SignedHeader?
    if let known {
      signer = known
    } else {
      let fresh = try SignedHeader(jws.header)
      signer = try Self.unverifiedSigner(fresh, header: jws.header)
      header = fresh
    }
    guard let signature = Base64.decodeURL(jws.signature) else {
      throw .malformed(field: SignedFault.signature, reason: "signed.signature_text")
    }
    guard signer.key.verifies(signature: signature[...], digest: digest, inverses: inverses) else {
      throw .forged(field: SignedFault.signature, reason: "signed.signature_fails")
    }
    var verified = signer
    if let header {
      verified = try narrowed(signer, to: header)
      chains.keep(verified, for: jws.header)
    }
    let seconds = instant.microseconds >= 0 ? instant.microseconds / 1_000_000 : -1
    let isWhole = instant.microseconds % 1_000_000 == 0
    guard seconds >= verified.notBefore, seconds < verified.notAfter || (seconds == verified.notAfter && isWhole) else {
      throw .forged(field: "signedDate", reason: "signed.certificates_then")
    }
    return verified.headerSHA256
  }

  private static func unverifiedSigner(_ header: SignedHeader, header segment: ArraySlice<UInt8>) throws(SignedFault) -> VerifiedSigner {
    guard let key = header.leaf.es256PublicKey else {
      throw .forged(field: "x5c", reason: "signed.certificate_key")
    }
    let hashed = SHA256Prefix(segment)
    return VerifiedSigner(
      key: key, notBefore: max(header.leaf.notBefore, header.intermediate.notBefore),
      notAfter: min(header.leaf.notAfter, header.intermediate.notAfter), headerSHA256: hashed.continued().hex(),
      hashedHeader: hashed)
  }

  /// Verifies the chain and narrows the validity to that of its root.
  private func narrowed(_ signer: VerifiedSigner, to header: SignedHeader) throws(SignedFault) -> VerifiedSigner {
    guard header.leaf.hasExtension(Self.leafMarker) else {
      throw .forged(field: "x5c", reason: "signed.certificate_marker")
    }
    guard header.intermediate.hasExtension(Self.intermediateMarker) else {
      throw .forged(field: "x5c", reason: "signed.intermediate_marker")
    }
    guard header.intermediate.isAuthority else {
      throw .forged(field: "x5c", reason: "signed.intermediate_signs")
    }
    guard let root = roots.root(leaf: header.leaf, intermediate: header.intermediate) else {
      throw .forged(field: "x5c", reason: "signed.chain_root")
    }
    var narrowed = signer
    narrowed.notBefore = max(signer.notBefore, root.notBefore)
    narrowed.notAfter = min(signer.notAfter, root.notAfter)
    return narrowed
  }
}
