internal import CCurl

/// A valid address: `https`, or `http` to this machine, without a password.
///
/// libcurl's own parser splits it, so that the checks and the connection use the same host.
struct RequestAddress {
  /// The address as libcurl formats it.
  let url: String
  let isLoopback: Bool
  let isEncrypted: Bool

  /// Parses the address of a request.
  ///
  /// - Source: libcurl, curl_url_set(3), curl_url_get(3).
  init(_ text: String) throws(HTTPError) {
    let (url, scheme, host) = try Self.parts(of: text)
    self.url = url
    isLoopback = Self.isLoopback(host)
    switch scheme {
    case "https": isEncrypted = true
    case "http" where isLoopback: isEncrypted = false
    case "http": throw .refusedURL("\(host) would be called without encryption; use https")
    default: throw .refusedURL("\(host) would be called by another protocol than https")
    }
  }

  /// Parses the address of a mail server: `smtps`, or `smtp`, which requires STARTTLS unless the server is this machine.
  init(mailServer text: String) throws(HTTPError) {
    let (url, scheme, host) = try Self.parts(of: text)
    self.url = url
    isLoopback = Self.isLoopback(host)
    isEncrypted = scheme == "smtps"
    guard scheme == "smtp" || scheme == "smtps" else { throw .refusedURL("a mail server is written smtps://HOST or smtp://HOST") }
  }

  private static func parts(of text: String) throws(HTTPError) -> (url: String, scheme: String, host: String) {
    guard let parser = unsafe curl_url() else { throw .refusedURL("out of memory") }
    defer { unsafe curl_url_cleanup(parser) }
    guard !text.utf8.contains(0), unsafe curl_url_set(parser, CURLUPART_URL, text, 0) == CURLUE_OK else {
      throw .refusedURL("its address is no URL that libcurl can read")
    }
    func part(_ part: CURLUPart) -> String? {
      var result: UnsafeMutablePointer<CChar>?
      guard unsafe curl_url_get(parser, part, &result, 0) == CURLUE_OK, let found = unsafe result else { return nil }
      defer { unsafe curl_free(found) }
      return unsafe String(cString: found)
    }
    guard let url = part(CURLUPART_URL), let host = part(CURLUPART_HOST)?.lowercased() else {
      throw .refusedURL("its address has no host")
    }
    guard part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil else {
      throw .refusedURL("the address for \(host) holds a user name or a password; send them in a header")
    }
    return (url, part(CURLUPART_SCHEME)?.lowercased() ?? "", host)
  }

  /// Returns whether a host is 127.0.0.0/8, ::1 or localhost; libcurl resolves localhost itself.
  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
  }
}

extension HTTPRequest {
  /// Returns why an address is not allowed, without repeating it; nil when it is allowed.
  public static func fault(ofURL text: String) -> String? { fault { () throws(HTTPError) in _ = try RequestAddress(text) } }

  /// Returns why a mail server's address is not allowed; nil when it is allowed.
  public static func fault(ofMailServer text: String) -> String? {
    fault { () throws(HTTPError) in _ = try RequestAddress(mailServer: text) }
  }

  private static func fault(_ parse: () throws(HTTPError) -> Void) -> String? {
    do { try parse() } catch {
      guard case .refusedURL(let reason) = error else { return error.description }
      return reason
    }
    return nil
  }
}
