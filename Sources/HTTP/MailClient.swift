internal import CCurl
internal import SystemCalls

/// An encoded mail message.
public struct Mail: Sendable {
  public var from: String
  public var to: [String]
  /// Header fields and text; lines end with CR LF and have at most 998 bytes.
  public var bytes: [UInt8]

  public init(from: String, to: [String], bytes: [UInt8]) {
    self.from = from
    self.to = to
    self.bytes = bytes
  }
}

/// The reason why a mail was refused; it contains nothing of the mail.
public struct MailError: Error, CustomStringConvertible {
  public let description: String

  init(_ error: HTTPError) {
    description =
      switch error {
      case .transport(let code, let detail): "the mail server did not take the letter: \(detail) (curl \(code))"
      case .refusedURL(let reason): "the letter cannot be sent: \(reason)"
      default: "the letter was not sent: \(error)"
      }
  }
}

/// Sends mail to one mail server on a dedicated queue.
public actor MailClient {
  private let executor = SerialQueueExecutor(label: "payrecon.mail")
  private let server: String

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// - Parameter server: `smtps://HOST[:PORT]` or `smtp://HOST[:PORT]`.
  public init(server: String) { self.server = server }

  /// Sends a mail to all its recipients.
  ///
  /// - Parameter account: credentials for servers that require them; sent over TLS only.
  public func send(_ mail: Mail, account: (user: String, password: String)?, deadline: Duration) throws(MailError) {
    do throws(HTTPError) {
      let address = try RequestAddress(mailServer: server)
      try EasyHandle(certificateFile: nil).send(mail, to: address, account: account, deadline: deadline)
    } catch { throw MailError(error) }
  }
}

/// Copies the next bytes of a mail to libcurl. The context is the unsent rest, whose address is valid only during `curl_easy_perform`.
///
/// - Source: libcurl, CURLOPT_READFUNCTION(3).
private let giveMail: curl_read_callback = { buffer, size, count, context in
  guard let state = unsafe context?.assumingMemoryBound(to: ArraySlice<UInt8>.self), let buffer = unsafe buffer else {
    return Int(CURL_READFUNC_ABORT)
  }
  let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size &* count)
  let piece = unsafe state.pointee.prefix(target.count)
  unsafe target.copyBytes(from: piece)
  unsafe state.pointee = state.pointee.dropFirst(piece.count)
  return piece.count
}

extension EasyHandle {
  /// Sends a mail.
  ///
  /// - Source: libcurl, CURLOPT_MAIL_RCPT(3), CURLOPT_USE_SSL(3).
  fileprivate func send(
    _ mail: Mail, to address: RequestAddress, account: (user: String, password: String)?, deadline: Duration
  ) throws(HTTPError) {
    let recipients = try TextList(mail.to.map { "<\($0)>" })
    try setAddress(address, scheme: "smtp", deadline: deadline)
    // To another machine, require TLS before anything else is sent.
    if !address.isEncrypted, !address.isLoopback { try set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
    try set(CURLOPT_MAIL_FROM, "<\(mail.from)>")
    try setList(CURLOPT_MAIL_RCPT, recipients)
    if let account {
      try set(CURLOPT_USERNAME, account.user)
      try set(CURLOPT_PASSWORD, account.password)
    }
    try set(CURLOPT_UPLOAD, 1)
    var rest = mail.bytes[...]
    let outcome = unsafe withUnsafeMutablePointer(to: &rest) { state in
      Result { () throws(HTTPError) in try unsafe upload(reading: giveMail, from: state) }
    }
    withExtendedLifetime(recipients) {}
    try check(try outcome.get())
  }
}
