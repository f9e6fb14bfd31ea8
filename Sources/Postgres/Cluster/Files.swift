internal import Glibc
internal import SystemCalls

/// File operations of the cluster, with errors that name the path.
enum Files {
  /// Builds an error from `errno`.
  static func failure(_ verb: String, _ path: String, hint: String? = nil) -> ClusterError {
    ClusterError("could not \(verb) \"\(path)\": \(SystemFault.text(errno))", hint: hint)
  }

  /// Returns the status of a path without following links; nil if it does not exist.
  static func status(_ path: String) -> stat? {
    var result = stat()
    return unsafe lstat(path, &result) == 0 ? result : nil
  }

  /// Returns whether two paths, with links followed, lead to the same file; nil if one of them is not readable.
  static func isSame(_ one: String, _ other: String) -> Bool? {
    var (left, right) = (stat(), stat())
    guard unsafe stat(one, &left) == 0, unsafe stat(other, &right) == 0 else { return nil }
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino
  }

  static func exists(_ path: String) -> Bool { status(path) != nil }

  /// Returns the path with links and dots resolved; the path itself if that fails.
  static func resolved(_ path: String) -> String {
    guard let pointer = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(pointer) }
    return unsafe String(cString: pointer)
  }

  /// Creates a folder and its parents. Existing folders stay unchanged.
  static func makeFolders(_ path: String, mode: mode_t) throws(ClusterError) {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      built += "/" + part
      if unsafe mkdir(built, mode) == 0 {
        // A narrow umask must not exclude the server's account.
        guard unsafe chmod(built, mode) == 0 else { throw failure("set the mode of", built) }
        continue
      }
      if errno == EEXIST { continue }
      // A folder that exists is sufficient, even on a read-only file system.
      guard exists(built) else {
        throw failure("make the folder", built, hint: "Set PAYRECON_STATE_DIR to a folder you may write to.")
      }
    }
  }

  /// Creates a folder for an account, or changes the owner and mode of an existing one.
  static func makeFolder(_ path: String, mode: mode_t, account: Account) throws(ClusterError) {
    guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { throw failure("make the folder", path) }
    guard let found = status(path), found.st_mode & S_IFMT == S_IFDIR else {
      throw ClusterError("cannot use \"\(path)\": it is no folder", hint: "Move it away and try again.")
    }
    guard found.st_uid == account.user || found.st_uid == geteuid() else {
      throw ClusterError(
        "cannot use \"\(path)\": it belongs to user \(found.st_uid), not to user \(account.user)",
        hint: "Move it away, or set PAYRECON_STATE_DIR to a folder of your own.")
    }
    if found.st_uid != account.user {
      guard unsafe lchown(path, account.user, account.group) == 0 else { throw failure("hand over", path) }
    }
    guard unsafe chmod(path, mode) == 0 else { throw failure("set the mode of", path) }
  }

  /// Replaces a file atomically.
  static func write(_ text: String, to path: String, mode: mode_t) throws(ClusterError) {
    let temporary = "\(path).new"
    unsafe unlink(temporary)
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw failure("write", temporary) }
    defer { close(file) }
    // The umask must not keep the server's account from reading its settings.
    guard fchmod(file, mode) == 0 else { throw failure("set the mode of", temporary) }
    do { try Descriptor.write(ArraySlice(text.utf8), to: file) } catch {
      throw ClusterError("could not write \"\(temporary)\": \(SystemFault.text(error.code))")
    }
    guard fsync(file) == 0, unsafe rename(temporary, path) == 0 else { throw failure("write", path) }
  }

  /// Returns the first 16 KiB of a file; nil if it is not readable.
  static func read(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    guard let count = try? Descriptor.read(file, into: &buffer) else { return nil }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// Returns the names in a folder, sorted; empty if there is no folder.
  static func names(in path: String) -> [String] { ((try? Folder.names(in: path)) ?? []).sorted() }

  /// Returns the 64-bit FNV-1a hash in hexadecimal. It only distinguishes paths in folder names.
  ///
  /// - Source: http://www.isthe.com/chongo/tech/comp/fnv/
  static func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

/// The operating-system account that a server runs as.
struct Account: Sendable, Equatable {
  var name: String
  var user: uid_t
  var group: gid_t

  /// Returns the account that runs this program.
  static func current() -> Account {
    let user = geteuid()
    return named(user) ?? Account(name: String(user), user: user, group: getegid())
  }

  /// Returns the account that runs the server for root, because PostgreSQL refuses to run as root.
  static func unprivileged() throws(ClusterError) -> Account {
    for name in ["postgres", "nobody"] {
      if let entry = unsafe getpwnam(name), unsafe entry.pointee.pw_uid != 0 {
        return unsafe Account(name: name, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
      }
    }
    throw ClusterError(
      "cannot run PostgreSQL as root: there is neither an account \"postgres\" nor \"nobody\"",
      hint: "Run payrecon as an ordinary user, or make one: useradd --system postgres.")
  }

  static func named(_ user: uid_t) -> Account? {
    guard let entry = unsafe getpwuid(user) else { return nil }
    return unsafe Account(name: String(cString: entry.pointee.pw_name), user: user, group: entry.pointee.pw_gid)
  }

  /// Whether the account may enter a folder and all its parents.
  func canReach(_ path: String) -> Bool {
    var built = ""
    for part in [Substring("")] + Files.resolved(path).split(separator: "/") {
      if !part.isEmpty { built += "/" + part }
      guard let found = Files.status(built.isEmpty ? "/" : built) else { return false }
      let needed: mode_t = found.st_uid == user ? S_IXUSR : found.st_gid == group ? S_IXGRP : S_IXOTH
      guard found.st_mode & needed != 0 else { return false }
    }
    return true
  }
}
