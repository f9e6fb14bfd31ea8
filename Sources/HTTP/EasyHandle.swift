internal import CCurl
internal import Synchronization

/// A flag that cancels a running transfer.
final class CancelFlag: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// A libcurl handle with its connections. Not Sendable: it belongs to the queue of an `HTTPConnection`.
@safe final class EasyHandle {
  /// Maximum length of a response's header fields in bytes.
  static let headerBytesMax = 1 << 18

  /// Result of libcurl's global initialization, which is done once and never undone.
  ///
  /// - Source: libcurl, curl_global_init(3).
  private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  private let pointer: UnsafeMutableRawPointer
  private let certificateFile: String?

  /// - Parameter certificateFile: PEM file with the trusted roots; nil uses the system's.
  init(certificateFile: String?) throws(HTTPError) {
    guard Self.library == CURLE_OK, let pointer = unsafe curl_easy_init() else {
      throw .transport(code: Int(CURLE_FAILED_INIT.rawValue), detail: "libcurl cannot be started")
    }
    unsafe self.pointer = pointer
    self.certificateFile = certificateFile
  }

  deinit { unsafe curl_easy_cleanup(pointer) }

  /// Executes a request; blocks until it ends.
  ///
  /// - Source: libcurl, curl_easy_perform(3).
  func perform(_ request: HTTPRequest, at address: RequestAddress, deadline: Duration, flag: CancelFlag) throws(HTTPError) -> HTTPResponse {
    // A reset clears the options and keeps the connections.
    defer { unsafe curl_easy_reset(pointer) }
    let headers = try TextList(headersOf: request)
    try setAddress(address, scheme: "http", deadline: deadline)
    try setTransport(request)
    try setList(CURLOPT_HTTPHEADER, headers)
    // libcurl reads the body in place, so the bytes must not move during the transfer.
    let body = request.body ?? []
    var transfer = Transfer(bodyLimit: request.bodyLimit, flag: flag)
    let outcome = unsafe body.withUnsafeBytes { bytes in
      unsafe withUnsafeMutablePointer(to: &transfer) { state in
        Result { () throws(HTTPError) in
          try unsafe setMethod(request.method, hasBody: request.body != nil, bytes: bytes)
          try unsafe setCallbacks(state)
          return unsafe curl_easy_perform(pointer)
        }
      }
    }
    let code = try outcome.get()
    withExtendedLifetime(headers) {}
    if let failure = failure(code, transfer) { throw failure }
    return HTTPResponse(status: Int(long(CURLINFO_RESPONSE_CODE)), headers: transfer.headers, body: transfer.body)
  }

  /// Sets the address, and the options that requests and mail have in common.
  ///
  /// - Parameter scheme: scheme of the address without its final `s` for TLS.
  func setAddress(_ address: RequestAddress, scheme: String, deadline: Duration) throws(HTTPError) {
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_TIMEOUT_MS, milliseconds(deadline))
    try set(CURLOPT_URL, address.url)
    try set(CURLOPT_PROTOCOLS_STR, address.isEncrypted ? "\(scheme)s" : scheme)
    // Data for this machine must not leave it through a proxy of the environment.
    if address.isLoopback { try set(CURLOPT_PROXY, "") }
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
  }

  private func setTransport(_ request: HTTPRequest) throws(HTTPError) {
    try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.connectTimeout))
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_TCP_KEEPALIVE, 1)
    try set(CURLOPT_USERAGENT, "payrecon")
    // Accept every coding that libcurl supports; the body limit counts decoded bytes.
    if !request.keepsCoding { try set(CURLOPT_ACCEPT_ENCODING, "") }
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if let certificateFile {
      try set(CURLOPT_CAINFO, certificateFile)
      // Replaces the system's roots.
      try unsafe check(payrecon_curl_set_text(pointer, CURLOPT_CAPATH, nil))
    }
  }

  private func setMethod(_ method: HTTPRequest.Method, hasBody: Bool, bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    if hasBody || method != .get {
      try set(CURLOPT_POST, 1)
      try unsafe check(payrecon_curl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
      let start = unsafe bytes.baseAddress.map { unsafe UnsafeMutableRawPointer(mutating: $0) }
      try unsafe check(payrecon_curl_set_pointer(pointer, CURLOPT_POSTFIELDS, start))
    }
    try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
  }

  private func setCallbacks(_ state: UnsafeMutablePointer<Transfer>) throws(HTTPError) {
    try unsafe check(payrecon_curl_set_write(pointer, CURLOPT_WRITEFUNCTION, receiveBody))
    try unsafe check(payrecon_curl_set_pointer(pointer, CURLOPT_WRITEDATA, state))
    try unsafe check(payrecon_curl_set_write(pointer, CURLOPT_HEADERFUNCTION, receiveHeader))
    try unsafe check(payrecon_curl_set_pointer(pointer, CURLOPT_HEADERDATA, state))
    try unsafe check(payrecon_curl_set_progress(pointer, CURLOPT_XFERINFOFUNCTION, reportProgress))
    try unsafe check(payrecon_curl_set_pointer(pointer, CURLOPT_XFERINFODATA, state))
    try set(CURLOPT_NOPROGRESS, 0)
  }

  private func failure(_ code: CURLcode, _ transfer: Transfer) -> HTTPError? {
    if code == CURLE_OK { return nil }
    if let limit = transfer.exceededLimit { return .tooLarge(limit: limit) }
    if transfer.flag.isSet { return .cancelled }
    if code == CURLE_OPERATION_TIMEDOUT {
      if offset(CURLINFO_PRETRANSFER_TIME_T) == 0 { return .timedOut(.connecting) }
      return .timedOut(offset(CURLINFO_STARTTRANSFER_TIME_T) == 0 ? .waiting : .receiving)
    }
    // Use the text of the error code; the error buffer may repeat parts of the request.
    var detail = unsafe String(cString: curl_easy_strerror(code))
    let reason = long(CURLINFO_OS_ERRNO)
    if reason != 0 { detail += ", system error \(reason)" }
    let verification = long(CURLINFO_SSL_VERIFYRESULT)
    if verification != 0 { detail += ", certificate check \(verification)" }
    return .transport(code: Int(code.rawValue), detail: detail)
  }

  func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try unsafe check(payrecon_curl_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    try unsafe check(payrecon_curl_set_text(pointer, option, value))
  }

  func check(_ code: CURLcode) throws(HTTPError) {
    guard code == CURLE_OK else {
      throw .transport(code: Int(code.rawValue), detail: unsafe String(cString: curl_easy_strerror(code)))
    }
  }

  func setList(_ option: CURLoption, _ list: TextList) throws(HTTPError) {
    try unsafe check(payrecon_curl_set_list(pointer, option, list.pointer))
  }

  /// Uploads data that a callback provides; blocks until the transfer ends.
  func upload(reading callback: @escaping curl_read_callback, from state: UnsafeMutableRawPointer) throws(HTTPError) -> CURLcode {
    try unsafe check(payrecon_curl_set_read(pointer, CURLOPT_READFUNCTION, callback))
    try unsafe check(payrecon_curl_set_pointer(pointer, CURLOPT_READDATA, state))
    return unsafe curl_easy_perform(pointer)
  }

  private func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe payrecon_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  private func offset(_ info: CURLINFO) -> curl_off_t {
    var value: curl_off_t = 0
    return unsafe payrecon_curl_get_offset(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// Returns whole milliseconds, at least 1, because 0 would mean no limit.
  private func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
    return max(1, Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }
}

/// A list of lines in libcurl's format.
@safe final class TextList {
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) throws(HTTPError) {
    for line in lines {
      guard let longer = unsafe curl_slist_append(pointer, line) else {
        throw .transport(code: Int(CURLE_OUT_OF_MEMORY.rawValue), detail: "out of memory")
      }
      unsafe pointer = longer
    }
  }

  deinit { unsafe curl_slist_free_all(pointer) }

  /// The header lines of a request.
  convenience init(headersOf request: HTTPRequest) throws(HTTPError) {
    // Suppress fields that libcurl adds: a pause before large bodies, and a guessed content type.
    var lines = ["Expect:"]
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    for (name, value) in request.headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte),
        value.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
      else {
        throw .refusedHeader(name: String(name.filter { $0.isLetter || $0.isNumber || $0 == "-" }.prefix(60)))
      }
      // libcurl would remove a field whose line ends with a colon.
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    try self.init(lines)
  }

  /// Returns whether a byte is allowed in a field name.
  ///
  /// - Source: RFC 9110, section 5.6.2 ("token").
  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
