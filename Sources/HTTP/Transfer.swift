internal import CCurl

/// Data that the callbacks of one transfer collect; its address is valid only during `curl_easy_perform`.
struct Transfer {
  var body: [UInt8] = []
  var headers = HTTPHeaders()
  /// The limit that ended the transfer; nil if none was exceeded.
  var exceededLimit: Int?
  let bodyLimit: Int
  let flag: CancelFlag
  private(set) var headerBytes = 0

  /// Appends body bytes. Returns false to end the transfer.
  mutating func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= bodyLimit - body.count else {
      exceededLimit = bodyLimit
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }

  /// Appends a header line. Returns false to end the transfer.
  mutating func receive(header bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= EasyHandle.headerBytesMax else {
      exceededLimit = EasyHandle.headerBytesMax
      return false
    }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // Each status line starts a response; an interim one (100) is discarded.
      headers = HTTPHeaders()
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

/// Receives body bytes from libcurl.
///
/// - Source: libcurl, CURLOPT_WRITEFUNCTION(3).
let receiveBody: curl_write_callback = { bytes, size, count, context in
  guard let state = unsafe context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
  let isTaken = unsafe state.pointee.receive(body: UnsafeRawBufferPointer(start: bytes, count: size &* count))
  // Any number other than the byte count ends the transfer.
  return isTaken ? size &* count : size &* count &+ 1
}

/// Receives a header line from libcurl.
///
/// - Source: libcurl, CURLOPT_HEADERFUNCTION(3).
let receiveHeader: curl_write_callback = { bytes, size, count, context in
  guard let state = unsafe context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
  let isTaken = unsafe state.pointee.receive(header: UnsafeRawBufferPointer(start: bytes, count: size &* count))
  return isTaken ? size &* count : size &* count &+ 1
}

/// Cancels the transfer if its flag is set. libcurl calls it at least once a second, and with every piece of data.
///
/// - Source: libcurl, CURLOPT_XFERINFOFUNCTION(3).
let reportProgress: curl_xferinfo_callback = { context, _, _, _, _ in
  guard let state = unsafe context?.assumingMemoryBound(to: Transfer.self) else { return 1 }
  return unsafe state.pointee.flag.isSet ? 1 : 0
}
