internal import Glibc

/// A running PostgreSQL server that was started with a folder of payrecon's.
struct ServerProcess {
  let process: pid_t
  /// The folder that it was started with.
  let home: String

  /// - Returns: nil when the process is gone, is no server, or is one of a server's own.
  init?(_ process: pid_t) {
    guard let command = Files.read("/proc/\(process)/cmdline") else { return nil }
    let words = command.split(separator: "\0").map(String.init)
    guard let program = words.first, program.hasSuffix("postgres"),
      let flag = words.firstIndex(of: "-D"), flag + 1 < words.count
    else { return nil }
    self.process = process
    home = words[flag + 1]
  }

  /// Every such server that this account may see.
  static func all() -> [ServerProcess] {
    Files.names(in: "/proc").compactMap { pid_t($0) }.compactMap(ServerProcess.init)
  }

  /// Where it works, which is its data folder wherever that was moved; nil when it was removed, or when the system does not
  /// say.
  ///
  /// - Source: proc(5), /proc/pid/cwd.
  var workingFolder: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/\(process)/cwd", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.hasSuffix(" (deleted)") ? nil : path
  }

  /// Whether it serves the data of a cluster, under whatever name they lie.
  func serves(_ layout: ClusterLayout) -> Bool {
    if let isSame = Files.isSame("/proc/\(process)/cwd", layout.data) { return isSame }
    // Root in a container may not look at that: then the process file tells which server it is, under which folder the data
    // were started, and whether they still lie there.
    let lines = Files.read(layout.processFile)?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    guard lines.count > 1, lines[0] == "\(process)" else { return false }
    if home == layout.home { return true }
    guard lines[1] == "\(home)/data" else { return false }
    return Files.read("\(home)/data/postmaster.pid")?.split(separator: "\n").first != lines[0]
  }
}
