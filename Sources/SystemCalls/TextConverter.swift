internal import CIconv

/// Converts text between UTF-8 and another encoding.
@safe public final class TextConverter {
  private let converter: iconv_t

  /// Maximum number of bytes per byte of the other encoding, and room for one more character.
  private static let growth = 4
  private static let spareBytes = 16

  /// Converts to UTF-8.
  ///
  /// - Parameter encoding: name as known to the C library, such as `GB18030`.
  /// - Returns: nil if this system does not have the encoding.
  public convenience init?(encoding: String) { self.init(from: encoding, to: "UTF-8") }

  /// Converts from UTF-8.
  ///
  /// - Parameter encoding: name as known to the C library, such as `GB18030`.
  /// - Returns: nil if this system does not have the encoding.
  public convenience init?(target encoding: String) { self.init(from: "UTF-8", to: encoding) }

  private init?(from source: String, to target: String) {
    guard let opened = unsafe open_converter(target, source) else { return nil }
    unsafe converter = opened
  }

  deinit { unsafe _ = iconv_close(converter) }

  /// Converts complete text and appends it to `text`, up to the first byte that is no character.
  ///
  /// - Returns: the offset of that byte; nil if everything was converted.
  public func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) -> Int? {
    guard !bytes.isEmpty else { return nil }
    var inputLeft = bytes.count
    let capacity = bytes.count * Self.growth + Self.spareBytes
    var outputLeft = capacity
    let start = text.count
    text.append(contentsOf: repeatElement(0, count: capacity))
    let code = unsafe bytes.withUnsafeBytes { input in
      unsafe text.withUnsafeMutableBytes { output in
        guard let from = input.baseAddress, let to = output.baseAddress else { return Int32(0) }
        return unsafe convert_text(
          converter, from.assumingMemoryBound(to: CChar.self), &inputLeft, (to + start).assumingMemoryBound(to: CChar.self), &outputLeft)
      }
    }
    text.removeLast(outputLeft)
    guard code != 0 else { return nil }
    unsafe reset_converter(converter)
    return bytes.count - inputLeft
  }
}
