internal import Glibc

/// A folder for files that nobody needs afterwards.
package enum TemporaryFolder {
  /// Makes a folder, and removes it with the files in it when the work on them has ended.
  ///
  /// - Throws: `JobError` when it cannot be made; whatever the work throws.
  package static func using<Result>(_ work: (String) async throws -> Result) async throws -> Result {
    var template = Array("/tmp/payrecon-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw JobError("could not make a temporary folder: \(errnoText())", hint: "Make room in /tmp.")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in (try? FileHash.names(directory: path)) ?? [] { unsafe unlink("\(path)/\(name)") }
      unsafe rmdir(path)
    }
    return try await work(path)
  }
}
