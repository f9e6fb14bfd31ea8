internal import Domain
internal import Glibc

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

  /// The file's mode where others than its owner may read or write it; nil for a file that is its owner's alone, or not there.
  ///
  /// - Source: stat(2).
  package static func openMode(_ path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return String(status.st_mode & 0o777, radix: 8)
  }

  /// Environment variable that names the file with the key of the console's proxy, where no option does.
  package static let proxyKeyVariable = "PAYRECON_PROXY_KEY"
}
