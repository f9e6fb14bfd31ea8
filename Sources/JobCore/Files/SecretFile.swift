internal import Domain

/// Files of one line that nobody else is to read.
package enum SecretFile {
  /// Bytes of such a file.
  private static let bytesMax = 4096

  /// The line, without its end.
  ///
  /// - Parameter name: what the settings call the file, for the message.
  /// - Throws: `JobError` that never holds the secret.
  package static func line(_ path: String, of name: String) throws(JobError) -> String {
    let text = String(decoding: try FileHash.contents(path, bytesMax: bytesMax) ?? [], as: UTF8.self)
      .filter { !$0.isNewline }
    guard !text.isEmpty else {
      throw JobError("could not read \(name): \"\(path)\" is missing or empty", status: .usage)
    }
    return text
  }
}
