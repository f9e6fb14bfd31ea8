internal import Glibc

public enum Temporary {
  /// Parent folder of temporary files: `TMPDIR`, or `/tmp` if that is not set.
  public static let directory = Machine.variable("TMPDIR") ?? "/tmp"

  /// Creates a folder that only this account may enter.
  public static func makeFolder(_ name: String) throws(SystemFault) -> String {
    var template = template(name)
    guard unsafe mkdtemp(&template) != nil else { throw SystemFault(code: errno) }
    return path(template)
  }

  /// Creates a file that only this account may read, open for reading and writing; children do not inherit it.
  ///
  /// - Returns: its path, and the descriptor, which the caller must close.
  public static func makeFile(_ name: String) throws(SystemFault) -> (path: String, descriptor: Int32) {
    var template = template(name)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw SystemFault(code: errno) }
    return (path(template), descriptor)
  }

  /// Creates a file without a name, which is removed with its last descriptor.
  public static func makeNamelessFile(_ name: String) throws(SystemFault) -> Int32 {
    let file = try makeFile(name)
    unsafe unlink(file.path)
    return file.descriptor
  }

  private static func template(_ name: String) -> [CChar] { Array("\(directory)/\(name)-XXXXXX".utf8CString) }

  private static func path(_ template: [CChar]) -> String {
    String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
