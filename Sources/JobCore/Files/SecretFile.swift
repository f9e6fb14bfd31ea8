internal import Domain
internal import Glibc

/// Files of one line with a secret.
package enum SecretFile {
  private static let bytesMax = 4096

  /// Returns the line without its end.
  ///
  /// - Throws: `JobError`, which never contains the secret.
  package static func line(_ path: String, of name: String) throws(JobError) -> String {
    let text = String(decoding: try LocalFile.contents(path, bytesMax: bytesMax) ?? [], as: UTF8.self)
      .filter { !$0.isNewline }
    guard !text.isEmpty else { throw JobError("could not read \(name): \"\(path)\" is missing or empty", status: .usage) }
    return text
  }

  /// Returns the file's mode in octal if other users may read or write it; nil if only its owner may, or if it does not exist.
  package static func openMode(_ path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return String(status.st_mode & 0o777, radix: 8)
  }

  /// Environment variable with the path of the console proxy's key, used without an option.
  package static let proxyKeyVariable = "PAYRECON_PROXY_KEY"
}
