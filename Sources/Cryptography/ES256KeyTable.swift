internal import COpenSSL

/// Precomputed multiples of one public key; they halve the time of `EVP_PKEY_verify`.
///
/// OpenSSL has such a table for the curve's base point and can compute one for any generator; here the key is the generator. OpenSSL does
/// the arithmetic. Signatures and public keys are not secret, so no step needs constant time.
/// Safe to share: the tables are read-only, and each verification has a separate context.
/// - Source: SEC 1, 4.1.4.
@safe final class ES256KeyTable: @unchecked Sendable {
  private static let halfBytes = 32
  /// The curve with its base point; `order` is owned by it.
  nonisolated(unsafe) private static let base = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
  nonisolated(unsafe) private static let order = unsafe base.flatMap { unsafe EC_GROUP_get0_order($0) }

  /// The curve with the public key as its generator.
  private let group: OpaquePointer

  /// Computes the table of about 150 kB. Returns nil when OpenSSL rejects the key or lacks tables on this machine.
  ///
  /// - Parameter point: the public key as an uncompressed point.
  init?(point: [UInt8]) {
    guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
    guard unsafe Self.prepare(group, point) else {
      unsafe EC_GROUP_free(group)
      return nil
    }
    unsafe self.group = group
  }

  deinit { unsafe EC_GROUP_free(group) }

  private static func prepare(_ group: OpaquePointer, _ point: [UInt8]) -> Bool {
    guard let order = unsafe order, let context = unsafe BN_CTX_new(), let key = unsafe EC_POINT_new(group) else { return false }
    defer {
      unsafe EC_POINT_free(key)
      unsafe BN_CTX_free(context)
    }
    // OpenSSL rejects a point that is not on the curve.
    return unsafe EC_POINT_oct2point(group, key, point, point.count, context) == 1
      && EC_POINT_is_at_infinity(group, key) == 0
      && EC_GROUP_set_generator(group, key, order, BN_value_one()) == 1
      && payrecon_precompute_generator(group, context) == 1
  }

  /// Returns whether the key made a raw signature (r then s) over a SHA-256 digest; nil when OpenSSL could not compute it.
  ///
  /// - Parameter inverse: the inverse of s; nil when it is to be computed.
  func verifies(signature: ArraySlice<UInt8>, digest: [UInt8], inverse: [UInt8]?) -> Bool? {
    guard signature.count == 2 * Self.halfBytes, digest.count == Self.halfBytes else { return nil }
    guard let base = unsafe Self.base, let order = unsafe Self.order, let context = unsafe BN_CTX_new() else { return nil }
    unsafe BN_CTX_start(context)
    let product = unsafe EC_POINT_new(base)
    let other = unsafe EC_POINT_new(base)
    defer {
      unsafe EC_POINT_free(other)
      unsafe EC_POINT_free(product)
      unsafe BN_CTX_end(context)
      unsafe BN_CTX_free(context)
    }
    let r = unsafe Self.number(signature.prefix(Self.halfBytes), context)
    let s = unsafe Self.number(signature.suffix(Self.halfBytes), context)
    let u1 = unsafe Self.number(digest[...], context)
    guard let r = unsafe r, let s = unsafe s, let u1 = unsafe u1, let x = unsafe BN_CTX_get(context), let u2 = unsafe BN_CTX_get(context)
    else { return nil }
    guard unsafe Self.isInRange(r, order), unsafe Self.isInRange(s, order) else { return false }
    let isInverted = unsafe inverse.map { unsafe BN_bin2bn($0, Int32($0.count), s) != nil } ?? (BN_mod_inverse(s, s, order, context) != nil)
    guard isInverted, unsafe BN_mod_mul(u1, u1, s, order, context) == 1,
      unsafe BN_mod_mul(u2, r, s, order, context) == 1,
      unsafe EC_POINT_mul(base, product, u1, nil, nil, context) == 1,
      unsafe EC_POINT_mul(group, other, u2, nil, nil, context) == 1,
      unsafe EC_POINT_add(base, product, product, other, context) == 1
    else { return nil }
    if unsafe EC_POINT_is_at_infinity(base, product) == 1 { return false }
    guard unsafe EC_POINT_get_affine_coordinates(base, product, x, nil, context) == 1,
      unsafe BN_nnmod(x, x, order, context) == 1
    else { return nil }
    return unsafe BN_cmp(x, r) == 0
  }

  /// Returns the inverses of numbers of 32 bytes, by number, without those out of range; nil when OpenSSL could not compute them.
  static func inverses(_ numbers: [[UInt8]]) -> [[UInt8]: [UInt8]]? {
    guard !numbers.isEmpty, let order = unsafe order, let context = unsafe BN_CTX_new(), let inverse = unsafe BN_new() else { return nil }
    var factors = unsafe [(bytes: [UInt8], number: OpaquePointer, before: OpaquePointer)]()
    defer {
      // swift-format-ignore
      for unsafe factor in unsafe factors {
        unsafe BN_free(factor.number)
        unsafe BN_free(factor.before)
      }
      unsafe BN_free(inverse)
      unsafe BN_CTX_free(context)
    }
    // The product of all factors; each factor keeps the product of those before it.
    guard unsafe BN_set_word(inverse, 1) == 1 else { return nil }
    for bytes in numbers {
      guard let number = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil) else { return nil }
      guard unsafe isInRange(number, order), let before = unsafe BN_dup(inverse) else {
        unsafe BN_free(number)
        continue
      }
      unsafe factors.append((bytes, number, before))
      guard unsafe BN_mod_mul(inverse, inverse, number, order, context) == 1 else { return nil }
    }
    guard unsafe BN_mod_inverse(inverse, inverse, order, context) != nil else { return nil }
    var found: [[UInt8]: [UInt8]] = [:]
    // swift-format-ignore
    for unsafe factor in unsafe factors.reversed() {
      var bytes = [UInt8](repeating: 0, count: halfBytes)
      guard unsafe BN_mod_mul(factor.before, factor.before, inverse, order, context) == 1,
        unsafe BN_bn2binpad(factor.before, &bytes, Int32(halfBytes)) == Int32(halfBytes),
        unsafe BN_mod_mul(inverse, inverse, factor.number, order, context) == 1
      else { return nil }
      unsafe found[factor.bytes] = bytes
    }
    return found
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ context: OpaquePointer) -> OpaquePointer? {
    guard let number = unsafe BN_CTX_get(context) else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { unsafe BN_bin2bn($0.baseAddress, Int32($0.count), number) }
  }

  /// Returns whether a number is at least 1 and less than the order of the curve.
  private static func isInRange(_ number: OpaquePointer, _ order: OpaquePointer) -> Bool {
    unsafe BN_is_zero(number) == 0 && BN_cmp(number, order) < 0
  }
}
