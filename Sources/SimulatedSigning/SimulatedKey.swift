internal import COpenSSL
internal import Cryptography

/// A key pair of the simulator, derived from a seed.
///
/// The C key is set once, in the initializer, and is read-only afterwards.
@safe final class SimulatedKey: @unchecked Sendable {
  enum Curve {
    case p256, p384

    var identifier: Int32 { self == .p256 ? NID_X9_62_prime256v1 : NID_secp384r1 }
    var bytes: Int { self == .p256 ? 32 : 48 }
  }

  let curve: Curve
  private let key: OpaquePointer

  init(_ curve: Curve, seed: String) {
    self.curve = curve
    let bytes = Array(seed.utf8)
    let made = unsafe bytes.withUnsafeBufferPointer {
      unsafe simulated_key_new(curve.identifier, $0.baseAddress, $0.count)
    }
    guard let made = unsafe made else { preconditionFailure("out of memory while making a simulated key") }
    unsafe key = made
  }

  deinit { unsafe simulated_key_free(key) }

  var publicPoint: [UInt8] {
    let size = 2 * curve.bytes + 1
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      unsafe count = simulated_key_public(key, buffer.baseAddress, size)
    }
  }

  /// Signs with the curve's hash. Returns r and s in DER.
  func sign(_ message: [UInt8]) -> [UInt8] {
    let pair = pair(over: curve == .p256 ? SHA256.digest(message) : Self.sha384(message))
    return DER.sequence(DER.integer(Array(pair.prefix(curve.bytes))), DER.integer(Array(pair.suffix(curve.bytes))))
  }

  /// Returns a compact JWS. `header` is base64url already; the key is on P-256.
  func jws(header: [UInt8], payload: [UInt8]) -> [UInt8] {
    var text = header
    text.append(UInt8(ascii: "."))
    text += Base64.encodeURL(payload).utf8
    let pair = pair(over: SHA256.digest(text))
    text.append(UInt8(ascii: "."))
    text += Base64.encodeURL(pair).utf8
    return text
  }

  /// Returns r followed by s.
  private func pair(over digest: [UInt8]) -> [UInt8] {
    let half = curve.bytes
    return unsafe [UInt8](unsafeUninitializedCapacity: 2 * half) { buffer, count in
      let done = unsafe digest.withUnsafeBufferPointer {
        unsafe simulated_key_sign(key, $0.baseAddress, $0.count, buffer.baseAddress, Int32(half))
      }
      precondition(done == 1, "out of memory while signing")
      count = 2 * half
    }
  }

  private static func sha384(_ bytes: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 48) { buffer, count in
      unsafe bytes.withUnsafeBufferPointer {
        unsafe simulated_sha384($0.baseAddress, $0.count, buffer.baseAddress)
      }
      count = 48
    }
  }
}
