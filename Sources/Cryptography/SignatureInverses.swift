internal import COpenSSL
internal import Synchronization

/// The inverses of the `s` values of ES256 signatures, computed in batches: one inversion per batch and three products per signature.
///
/// Verifying a signature removes its inverse; a missing inverse is computed alone. The inverse depends on the signature only, not on the
/// key.
/// - Source: P. L. Montgomery, Speeding the Pollard and elliptic curve methods of factorization, 10.3.1.
public final class SignatureInverses: Sendable {
  /// Maximum number of inverses kept; those of chunks in progress are a few thousand.
  static let keptMax = 65_536

  private let kept = Mutex<[[UInt8]: [UInt8]]>([:])

  public init() {}

  /// Computes the inverses of raw signatures; others than of 64 bytes, or out of range, are left out.
  public func prepare(_ signatures: [[UInt8]]) {
    let halves = signatures.filter { $0.count == ES256PublicKey.signatureBytes }.map { Array($0.suffix(ES256PublicKey.signatureBytes / 2)) }
    guard let inverses = ES256KeyTable.inverses(halves) else { return }
    kept.withLock { kept in
      if kept.count >= Self.keptMax { kept.removeAll(keepingCapacity: true) }
      for (half, inverse) in inverses { kept[half] = inverse }
    }
  }

  /// Returns the inverse of a signature's second half and forgets it; nil when it was not computed.
  func take(_ half: ArraySlice<UInt8>) -> [UInt8]? {
    kept.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: Array(half)) }
  }
}
