internal import CCurl

/// What the callbacks of one transfer gather; its address is valid exactly during `curl_easy_perform`.
struct Transfer {
  var body: [UInt8] = []
  var headers = HTTPHeaders()
  var httpVersion = ""
  /// The limit that ended the transfer; nil while none did.
  var exceededLimit: Int?
  let bodyLimit: Int
  let flag: CancelFlag
  private var headerBytes = 0

  init(bodyLimit: Int, flag: CancelFlag) {
    self.bodyLimit = bodyLimit
    self.flag = flag
  }

  /// False ends the transfer.
  mutating func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= bodyLimit - body.count else {
      exceededLimit = bodyLimit
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }

  /// False ends the transfer.
  mutating func receive(header bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= EasyHandle.headerBytesMax else {
      exceededLimit = EasyHandle.headerBytesMax
      return false
    }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // Each status line begins a response; an interim one (100) is forgotten.
      headers = HTTPHeaders()
      httpVersion = String(line.dropFirst(5).prefix { $0 == "." || $0.isNumber })
    } else if let colon = line.firstIndex(of: ":") {
      headers.append(trimmed(line[..<colon]), trimmed(line[line.index(after: colon)...]))
    }
    return true
  }

  private func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}

// The callbacks return numbers; they neither throw nor trap.

/// - Source: libcurl, CURLOPT_WRITEFUNCTION(3).
let receiveBody: curl_write_callback = { bytes, size, count, context in
  guard let state = unsafe context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
  let isTaken = unsafe state.pointee.receive(body: UnsafeRawBufferPointer(start: bytes, count: size &* count))
  // Any number but that of the bytes ends the transfer.
  return isTaken ? size &* count : size &* count &+ 1
}

/// - Source: libcurl, CURLOPT_HEADERFUNCTION(3).
let receiveHeader: curl_write_callback = { bytes, size, count, context in
  guard let state = unsafe context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
  let isTaken = unsafe state.pointee.receive(
    header: UnsafeRawBufferPointer(start: bytes, count: size &* count))
  return isTaken ? size &* count : size &* count &+ 1
}

/// Called at least once a second, and with every piece of data.
///
/// - Source: libcurl, CURLOPT_XFERINFOFUNCTION(3).
let reportProgress: curl_xferinfo_callback = { context, _, _, _, _ in
  guard let state = unsafe context?.assumingMemoryBound(to: Transfer.self) else { return 1 }
  return unsafe state.pointee.flag.isSet ? 1 : 0
}
