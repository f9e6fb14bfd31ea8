internal import Domain
internal import Glibc
package import Intake
package import JobCore
internal import SystemCalls
internal import Wording

/// The folder that `nightly` reads. A file's kind is given by its folder or by the first word of its name.
package enum Inbox {
  /// Maximum number of files that are read from a folder in one night.
  static let filesMax = 100_000

  /// Accepted file name extensions.
  fileprivate static let endings = [".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".txt", ".gz", ".zst"]

  package struct Contents {
    /// Files by kind in order of name.
    package var files: [InputKind: [String]] = [:]
    /// Entries that are not read, each with the reason.
    package var refused: [IntakeError] = []
    /// Folders of payrecon's output.
    fileprivate let own: Set<String>
  }

  /// Lists a folder. Hidden entries, unfinished files (`.tmp`, `.part`) and folders without files are ignored.
  ///
  /// Refused entries are listed by name:
  /// - a folder that is not read although it contains files;
  /// - a folder with a file name extension, as programs write that split a table into parts;
  /// - an entry that is no file and could block the reader;
  /// - a link out of the folder, which could expose other users' files.
  ///
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
      for inner in try entries(of: path) { contents.add("\(path)/\(inner)", folderKind, inbox: directory) }
    }
    return contents
  }

  /// Returns why an entry is not read; nil when it is read, or when only reading it can show a fault.
  fileprivate static func fault(_ path: String, inbox: String) -> IntakeError? {
    guard let target = resolved(path), let base = resolved(inbox) else { return nil }
    guard target.hasPrefix("\(base)/") else {
      return IntakeError(
        file: path, reason: .plain("it is a link that leads out of the inbox"), hint: "Put the file itself into the inbox.")
    }
    switch FileContent.type(target) {
    case 0, S_IFREG, S_IFDIR: return nil
    case S_IFIFO: return IntakeError(file: path, reason: .plain("it is a named pipe, not a file"))
    case S_IFSOCK: return IntakeError(file: path, reason: .plain("it is a socket, not a file"))
    default: return IntakeError(file: path, reason: .plain("it is a device, not a file"))
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let pointer = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(pointer) }
    return unsafe String(cString: pointer)
  }

  private static func kind(ofFile name: String) -> InputKind {
    InputKind.allCases.first { name.lowercased().hasPrefix($0.rawValue) } ?? .apple
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
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func isInput(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.hasSuffix(".tmp") && !name.hasSuffix(".part")
  }

  /// Returns whether a folder contains a file at any depth. An unreadable folder counts as containing one.
  fileprivate static func containsFile(_ folder: String, except own: Set<String>) -> Bool {
    if let target = resolved(folder), own.contains(target) { return false }
    guard let names = try? Folder.names(in: folder) else { return true }
    return names.filter(isInput).contains { name in
      let path = "\(folder)/\(name)"
      var status = stat()
      // A link counts as a file, because following it could lead to a cycle.
      let isFolder = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      return !isFolder || containsFile(path, except: own)
    }
  }

  package static func isDirectory(_ path: String) -> Bool { FileContent.type(path) == S_IFDIR }
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
          file: path, reason: .plain("it is a folder, called like a file"),
          hint: "Put its files into a folder \"\(kind.rawValue)\" of the inbox, or give the folder a name without an ending."))
    } else if Inbox.containsFile(path, except: own) {
      refused.append(
        Inbox.fault(path, inbox: inbox)
          ?? IntakeError(
            file: path, reason: .plain("it is a folder that is not read, and it contains files"),
            hint: "Put its files into the inbox itself or right into its folder orders, users, catalogue, apple, finance or bank; what is "
              + "no input belongs elsewhere, or into a folder whose name begins with a dot."))
    }
  }
}
