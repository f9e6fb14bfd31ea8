/// A service of Apple's that payrecon queries.
public enum AppleService: Sendable {
  case serverAPI
  case verifyReceipt
  /// App Store Connect, which has no sandbox.
  case connect

  /// Apple's base URL.
  ///
  /// - Source: App Store Server API, "Overview"; App Store Receipts, verifyReceipt; App Store Connect API, "Overview".
  fileprivate func base(_ environment: APIEnvironment) -> String {
    switch (self, environment) {
    case (.serverAPI, .production): "https://api.storekit.apple.com"
    case (.serverAPI, .sandbox): "https://api.storekit-sandbox.apple.com"
    case (.verifyReceipt, .production): "https://buy.itunes.apple.com"
    case (.verifyReceipt, .sandbox): "https://sandbox.itunes.apple.com"
    case (.connect, _): "https://api.appstoreconnect.apple.com"
    }
  }
}

/// Base URLs of the server API. If one was changed, the other services follow it, but App Store Connect can have a separate URL.
public struct APIAddresses: Sendable, Hashable {
  public var production = AppleService.serverAPI.base(.production)
  public var sandbox = AppleService.serverAPI.base(.sandbox)

  /// Base URL of App Store Connect; nil follows `production`.
  public var connect: String?

  public init() {}

  /// Reads `PAYRECON_APPSTORE_URL`, `PAYRECON_APPSTORE_SANDBOX_URL` and `PAYRECON_APPSTORECONNECT_URL` where they are set.
  public init(variables: [String: String]) {
    if let url = variables["PAYRECON_APPSTORE_URL"], !url.isEmpty { production = url }
    if let url = variables["PAYRECON_APPSTORE_SANDBOX_URL"], !url.isEmpty { sandbox = url }
    if let url = variables["PAYRECON_APPSTORECONNECT_URL"], !url.isEmpty { connect = url }
  }

  /// Returns a service's base URL without a trailing slash.
  public func base(_ service: AppleService, _ environment: APIEnvironment) -> String {
    var url = environment == .production ? production : sandbox
    if url == AppleService.serverAPI.base(environment) { url = service.base(environment) }
    if service == .connect, let connect { url = connect }
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}
