internal import Glibc
internal import SystemCalls

package enum TemporaryFolder {
  /// Creates a folder, and removes it with its files after the work.
  ///
  /// - Throws: `JobError` if the folder cannot be created; any error of the work.
  package static func using<Result>(_ work: (String) async throws -> Result) async throws -> Result {
    let path: String
    do { path = try Temporary.makeFolder("payrecon") } catch {
      throw JobError("could not make a temporary folder: \(errnoText(error.code))", hint: "Make room in \(Temporary.directory).")
    }
    defer {
      for name in (try? LocalFile.names(directory: path)) ?? [] { unsafe unlink("\(path)/\(name)") }
      unsafe rmdir(path)
    }
    return try await work(path)
  }
}
