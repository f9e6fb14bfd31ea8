internal import Domain
internal import Glibc
package import Intake
package import JobCore
internal import SystemCalls

/// The folder that `nightly` reads: files are told apart by the folder they lie in or the word their name begins with.
package enum Inbox {
  /// Files of a folder that are read in one night.
  static let filesMax = 100_000

  /// How names of files end.
  fileprivate static let endings = [".csv", ".json", ".jsonl", ".ndjson", ".txt", ".gz", ".zst"]

  /// What a folder holds.
  package struct Contents {
    /// Files by kind, in the order of their names.
    package var files: [InputKind: [String]] = [:]
    /// Entries that are not read, each with its reason.
    package var refused: [IntakeError] = []
    /// Folders that are no input.
    fileprivate let own: Set<String>
  }

  /// Looks a folder through; hidden entries, unfinished ones (`.tmp`, `.part`) and folders without any file are left alone.
  ///
  /// A folder that is not read is refused by its name where files lie in it: they are waited for in vain. So is one that is called
  /// like a file: some programs write a table as a folder of parts.
  /// What is no file, and what leads out of the folder, is refused by its name: reading it could wait for ever, or tell
  /// of another's files.
  /// - Parameter own: folders that payrecon writes to; they are no input.
  /// - Throws: `JobError` when the folder cannot be read.
  package static func contents(directory: String, except own: [String] = []) throws -> Contents {
    var contents = Contents(own: Set(own.compactMap(resolved)))
    for name in try entries(of: directory) {
      let path = "\(directory)/\(name)"
      guard let folderKind = InputKind(rawValue: name), isDirectory(path) else {
        contents.add(path, kind(ofFile: name), inbox: directory)
        continue
      }
      if let fault = fault(path, inbox: directory) {
        contents.refused.append(fault)
        continue
      }
      for inner in try entries(of: path) {
        contents.add("\(path)/\(inner)", folderKind, inbox: directory)
      }
    }
    return contents
  }

  /// Why an entry is not read; nil when it may be, or when reading it will tell.
  fileprivate static func fault(_ path: String, inbox: String) -> IntakeError? {
    guard let target = resolved(path), let base = resolved(inbox) else { return nil }
    guard target.hasPrefix("\(base)/") else {
      return IntakeError(
        file: path, reason: "it is a link that leads out of the inbox", hint: "Put the file itself into the inbox.")
    }
    var status = stat()
    guard unsafe stat(target, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR: return nil
    case S_IFIFO: return IntakeError(file: path, reason: "it is a named pipe, not a file")
    case S_IFSOCK: return IntakeError(file: path, reason: "it is a socket, not a file")
    default: return IntakeError(file: path, reason: "it is a device, not a file")
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let pointer = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(pointer) }
    return unsafe String(cString: pointer)
  }

  private static func kind(ofFile name: String) -> InputKind {
    for kind in [InputKind.orders, .users, .catalogue, .finance, .bank] where name.lowercased().hasPrefix(kind.rawValue) {
      return kind
    }
    return .apple
  }

  private static func entries(of directory: String) throws -> [String] {
    let all: [String]
    do { all = try Folder.names(in: directory) } catch {
      throw JobError(
        "could not read inbox \"\(directory)\": \(errnoText(error.code))",
        hint: "Create the folder, or set \"inbox.directory\" in the settings file.", status: .incomplete)
    }
    let names = all.filter(isInput)
    guard names.count <= filesMax else {
      throw JobError("cannot read inbox \"\(directory)\": it holds more than \(filesMax) files")
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  private static func isInput(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.hasSuffix(".tmp") && !name.hasSuffix(".part")
  }

  /// Whether a file lies in a folder or below it; what cannot be looked at may be one.
  fileprivate static func holdsFile(_ folder: String, except own: Set<String>) -> Bool {
    if let place = resolved(folder), own.contains(place) { return false }
    guard let names = try? Folder.names(in: folder) else { return true }
    return names.filter(isInput).contains { name in
      let path = "\(folder)/\(name)"
      var status = stat()
      // A link counts as a file: it may lead back to where it lies.
      let isFolder = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      return !isFolder || holdsFile(path, except: own)
    }
  }

  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension Inbox.Contents {
  fileprivate mutating func add(_ path: String, _ kind: InputKind, inbox: String) {
    if Inbox.isDirectory(path) {
      addFolder(path, kind, inbox: inbox)
    } else if let fault = Inbox.fault(path, inbox: inbox) {
      refused.append(fault)
    } else {
      files[kind, default: []].append(path)
    }
  }

  private mutating func addFolder(_ path: String, _ kind: InputKind, inbox: String) {
    if Inbox.endings.contains(where: path.lowercased().hasSuffix) {
      refused.append(
        IntakeError(
          file: path, reason: "it is a folder, called like a file",
          hint: "Put its files into a folder \"\(kind.rawValue)\" of the inbox, or give the folder a name without an ending."))
    } else if Inbox.holdsFile(path, except: own) {
      refused.append(
        Inbox.fault(path, inbox: inbox)
          ?? IntakeError(
            file: path, reason: "it is a folder that is not read, and files lie in it",
            hint: "Put its files into the inbox itself or right into its folder orders, users, catalogue, apple, finance or bank; what is "
              + "no input belongs elsewhere, or into a folder whose name begins with a dot."))
    }
  }
}
