internal import Glibc
internal import SystemCalls

/// A folder for files that nobody needs afterwards.
package enum TemporaryFolder {
  /// Makes a folder, and removes it with the files in it when the work on them has ended.
  ///
  /// - Throws: `JobError` when it cannot be made; whatever the work throws.
  package static func using<Result>(_ work: (String) async throws -> Result) async throws -> Result {
    let path: String
    do { path = try Temporary.makeFolder("payrecon") } catch {
      throw JobError("could not make a temporary folder: \(errnoText(error.code))", hint: "Make room in \(Temporary.directory).")
    }
    defer {
      for name in (try? FileHash.names(directory: path)) ?? [] { unsafe unlink("\(path)/\(name)") }
      unsafe rmdir(path)
    }
    return try await work(path)
  }
}
