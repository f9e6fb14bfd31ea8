public import Cryptography
public import Domain
internal import JSON
internal import Synchronization

/// Credentials that sign requests about an app, or a team's requests to App Store Connect; the key cannot be printed.
public struct APICredentials: Sendable, CustomStringConvertible {
  /// The account's issuer id, a UUID.
  public var issuerID: String
  /// The key's id, ten characters.
  public var keyID: String
  public var privateKey: ES256PrivateKey

  public init(issuerID: String, keyID: String, privateKey: ES256PrivateKey) {
    self.issuerID = issuerID
    self.keyID = keyID
    self.privateKey = privateKey
  }

  public var description: String { "API credentials with key \"\(keyID)\"" }
}

/// A signed token that authenticates a request; it cannot be printed.
public struct BearerToken: Sendable, CustomStringConvertible, CustomReflectable {
  public let issuedAt: Timestamp
  public let expiresAt: Timestamp
  /// The compact JWS; use it only for the `Authorization` header.
  public let secretText: String

  public var description: String { "bearer token until \(expiresAt.rfc3339)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Creates the tokens of an app or a team, and reuses a token until it nears its expiry.
///
/// - Source: App Store Server API, "Generating JSON web tokens for API requests"; App Store Connect API, "Generating tokens for API
///   requests".
public final class BearerTokenSource: Sendable {
  /// Lifetime of a token. Apple allows 60 minutes; the shorter time tolerates clocks that differ.
  public static let lifetimeSeconds: Int64 = 1800
  /// Lifetime of a token for App Store Connect, which allows 20 minutes.
  public static let connectLifetimeSeconds: Int64 = 900
  /// Remaining lifetime below which a token is no longer sent.
  public static let marginSeconds: Int64 = 300

  /// The token could not be signed.
  public struct SigningFailure: Error, Sendable {}

  private let credentials: APICredentials
  private let bundleID: String?
  private let lifetimeSeconds: Int64
  private let clock: @Sendable () -> Timestamp
  private let current = Mutex<BearerToken?>(nil)

  /// - Parameter bundleID: nil for App Store Connect, whose tokens name no app.
  public init(_ credentials: APICredentials, bundleID: String?, clock: @escaping @Sendable () -> Timestamp) {
    self.credentials = credentials
    self.bundleID = bundleID
    lifetimeSeconds = bundleID == nil ? Self.connectLifetimeSeconds : Self.lifetimeSeconds
    self.clock = clock
  }

  public func token() throws(SigningFailure) -> BearerToken {
    let now = clock()
    return try current.withLock { current throws(SigningFailure) in
      // After the clock was set back, the token would be issued in the future, which Apple refuses.
      if let kept = current, now >= kept.issuedAt, now < kept.expiresAt.advanced(bySeconds: -Self.marginSeconds) { return kept }
      let fresh = try make(at: now)
      current = fresh
      return fresh
    }
  }

  /// Discards the token, for instance after Apple refused it.
  public func discard() { current.withLock { $0 = nil } }

  private func make(at now: Timestamp) throws(SigningFailure) -> BearerToken {
    let issuedAt = now.milliseconds / 1000
    let expiresAt = issuedAt + lifetimeSeconds
    let header = JSONObject(members: [("alg", .string("ES256")), ("kid", .string(credentials.keyID)), ("typ", .string("JWT"))])
    var members: [JSONObject.Member] = [
      ("iss", .string(credentials.issuerID)), ("iat", .number(String(issuedAt))),
      ("exp", .number(String(expiresAt))), ("aud", .string("appstoreconnect-v1")),
    ]
    if let bundleID { members.append(("bid", .string(bundleID))) }
    let claims = JSONObject(members: members)
    let signed = Base64.encodeURL(JSONText.bytes(header)) + "." + Base64.encodeURL(JSONText.bytes(claims))
    guard let signature = credentials.privateKey.sign(Array(signed.utf8)) else { throw SigningFailure() }
    return BearerToken(
      issuedAt: Timestamp(milliseconds: issuedAt * 1000),
      expiresAt: Timestamp(milliseconds: expiresAt * 1000),
      secretText: signed + "." + Base64.encodeURL(signature))
  }
}
