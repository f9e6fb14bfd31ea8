internal import Domain
internal import Glibc

/// The folder that `nightly` reads: files are told apart by the folder they lie in or the word their name begins with.
enum Inbox {
  /// Files of a folder that are read in one night.
  static let filesMax = 100_000

  /// Files by kind, in the order of their names; hidden ones and unfinished ones (`.tmp`, `.part`) are left alone.
  ///
  /// - Throws: `JobError` when the folder cannot be read.
  static func files(directory: String) throws -> [InputKind: [String]] {
    var found: [InputKind: [String]] = [:]
    for name in try entries(of: directory) {
      let path = "\(directory)/\(name)"
      guard let folderKind = InputKind(rawValue: name), isDirectory(path) else {
        if !isDirectory(path) { found[kind(ofFile: name), default: []].append(path) }
        continue
      }
      for inner in try entries(of: path) where !isDirectory("\(path)/\(inner)") {
        found[folderKind, default: []].append("\(path)/\(inner)")
      }
    }
    return found
  }

  private static func kind(ofFile name: String) -> InputKind {
    for kind in [InputKind.orders, .users, .catalogue] where name.lowercased().hasPrefix(kind.rawValue) {
      return kind
    }
    return .apple
  }

  private static func entries(of directory: String) throws -> [String] {
    guard let handle = unsafe opendir(directory) else {
      throw JobError(
        "could not read inbox \"\(directory)\": \(errnoText())",
        hint: "Create the folder, or set \"inbox.directory\" in the settings file.", status: .incomplete)
    }
    defer { unsafe closedir(handle) }
    var names: [String] = []
    while let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasPrefix(".") || name.hasSuffix(".tmp") || name.hasSuffix(".part") { continue }
      names.append(name)
      guard names.count <= filesMax else {
        throw JobError("cannot read inbox \"\(directory)\": it holds more than \(filesMax) files")
      }
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// Text of a system error; of this thread's last one when none is given.
func errnoText(_ code: Int32 = errno) -> String { unsafe String(cString: strerror(code)) }
