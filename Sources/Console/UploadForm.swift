internal import FoundationEssentials

struct UploadedFile: Sendable {
  var name: String
  var bytes: [UInt8]
}

extension Form {
  /// Longest header of a part, in bytes.
  private static let partHeadBytesMax = 4096

  /// Returns nil if the body is not a multipart form of fields and at most one file.
  ///
  /// - Source: RFC 7578; RFC 2046, section 5.1.1.
  /// - Parameter type: content type of the request, which names the boundary.
  init?(multipart body: [UInt8], type: String) {
    self.init()
    guard let match = type.wholeMatch(of: #/multipart\/form-data;\s*boundary="?([0-9A-Za-z'()+_,.\/:=?-]{1,70})"?/#) else { return nil }
    let data = Data(body)
    let (mark, headEnd) = (Data("--\(match.output.1)".utf8), Data("\r\n\r\n".utf8))
    guard data.starts(with: mark) else { return nil }
    var rest = mark.count
    for _ in 0...ConsoleLimits.fieldsMax {
      // The boundary is followed by the end mark or by a part.
      if data[rest...].starts(with: Data("--".utf8)) { return }
      guard data[rest...].starts(with: Data("\r\n".utf8)),
        let head = data.firstRange(of: headEnd, in: rest..<data.count), head.lowerBound - rest <= Self.partHeadBytesMax,
        let end = data.firstRange(of: Data("\r\n".utf8) + mark, in: head.upperBound..<data.count),
        add(head: data[rest..<head.lowerBound], content: Array(data[head.upperBound..<end.lowerBound]))
      else { return nil }
      rest = end.upperBound
    }
    return nil
  }

  /// Returns false for a part without a name, invalid text or a second file.
  private mutating func add(head: Data, content: [UInt8]) -> Bool {
    guard let text = String(validating: head, as: UTF8.self),
      let name = text.firstMatch(of: #/[; ][Nn]ame="([^"\r\n]{1,100})"/#).map({ String($0.output.1) }),
      text.lowercased().contains("content-disposition: form-data;")
    else { return false }
    guard let file = text.firstMatch(of: #/filename="([^"\r\n]*)"/#) else {
      guard let value = String(validating: content, as: UTF8.self), !content.contains(0) else { return false }
      set(name, value)
      return true
    }
    guard self.file == nil else { return false }
    self.file = UploadedFile(name: String(file.output.1), bytes: content)
    return true
  }
}
