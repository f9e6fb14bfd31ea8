public import Cryptography

/// The public half of a key with which an app's server signs its tokens.
public struct AppKey: Sendable {
  /// Key identifier, the token's `kid`; nil matches tokens without one.
  public var id: String?
  public var issuer: String
  public var key: ES256PublicKey

  public init(id: String?, issuer: String, key: ES256PublicKey) {
    self.id = id
    self.issuer = issuer
    self.key = key
  }

  /// Reads a public key in PEM (`BEGIN PUBLIC KEY`). Returns nil when it is no P-256 key.
  public init?(id: String?, issuer: String, pem: String) {
    let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
    guard let info = Base64.decodeStandard(Array(lines.joined().utf8)[...]), let key = ES256PublicKey(subjectPublicKeyInfo: info)
    else { return nil }
    self.init(id: id, issuer: issuer, key: key)
  }
}

/// Checks the bearer tokens of the server API and of App Store Connect.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests; App Store Connect API, the same.
struct TokenCheck: Sendable {
  static let audience = "appstoreconnect-v1"
  /// Maximum lifetime of a token in seconds.
  static let lifeMax: Int64 = 3600
  /// Maximum lifetime of a token for App Store Connect, in seconds.
  static let connectLifeMax: Int64 = 1200
  static let skew: Int64 = 60

  let keys: [AppKey]
  /// Bundle id that a token must name; nil for App Store Connect, whose tokens name none.
  let bundleID: String?
  private var lifeMax: Int64 { bundleID == nil ? Self.connectLifeMax : Self.lifeMax }

  /// Returns whether Apple would accept the header's token at `now`, in seconds since 1970.
  func accepts(_ authorization: String?, now: Int64) -> Bool {
    guard !keys.isEmpty else { return true }
    guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
    let parts = authorization.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
    let decoded = parts.compactMap { Base64.decodeURL(Array($0.utf8)[...]) }
    guard parts.count == 3, decoded.count == 3, let head = JSONValue.parse(decoded[0]), let claims = JSONValue.parse(decoded[1]),
      head["alg"]?.text == "ES256"
    else { return false }
    guard let key = keys.first(where: { $0.id == head["kid"]?.text && $0.issuer == claims["iss"]?.text }),
      claims["bid"]?.text == bundleID, claims["aud"]?.text == Self.audience, isInTime(claims, now: now)
    else { return false }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    return key.key.verifies(signature: decoded[2][...], digest: SHA256.digest(signed))
  }

  /// Returns whether a token is valid at `now`. Apple's own clients omit `iat`, or write it with a fraction.
  private func isInTime(_ claims: JSONValue, now: Int64) -> Bool {
    guard let end = Self.seconds(claims["exp"]), now < end else { return false }
    guard let issued = claims["iat"] else { return end - now <= lifeMax + Self.skew }
    guard let start = Self.seconds(issued) else { return false }
    return start <= now + Self.skew && end > start && end - start <= lifeMax
  }

  /// Returns a number of seconds; nil for values so large that sums could overflow, and for other types.
  private static func seconds(_ value: JSONValue?) -> Int64? {
    let number: Int64? =
      switch value {
      case .integer(let seconds)?: seconds
      case .number(let seconds)?: Int64(exactly: seconds.rounded(.down))
      case .null?, .bool?, .text?, .array?, .object?, nil: nil
      }
    return number.flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
  }
}
