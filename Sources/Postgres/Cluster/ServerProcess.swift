internal import Glibc
internal import SystemCalls

/// A running PostgreSQL server that was started with a folder of payrecon.
struct ServerProcess {
  let process: pid_t
  /// The folder given at the start.
  let home: String

  /// Returns nil if the process is gone, is no server, or is a child process of a server.
  init?(_ process: pid_t) {
    guard let command = Files.read("/proc/\(process)/cmdline") else { return nil }
    let words = command.split(separator: "\0").map(String.init)
    guard let program = words.first, program.hasSuffix("postgres"),
      let flag = words.firstIndex(of: "-D"), flag + 1 < words.count
    else { return nil }
    self.process = process
    home = words[flag + 1]
  }

  /// Returns every such server that is visible to this account.
  static func all() -> [ServerProcess] {
    Files.names(in: "/proc").compactMap { pid_t($0) }.compactMap(ServerProcess.init)
  }

  /// The server's working folder, which is its data folder even after a move. nil if it was removed or is not readable.
  ///
  /// - Source: proc(5), /proc/pid/cwd.
  var workingFolder: String? {
    guard let path = Folder.target(ofLink: "/proc/\(process)/cwd") else { return nil }
    return path.hasSuffix(" (deleted)") ? nil : path
  }

  /// Whether the server serves the data of a cluster, regardless of their path.
  func serves(_ layout: ClusterLayout) -> Bool {
    if let isSame = Files.isSame("/proc/\(process)/cwd", layout.data) { return isSame }
    // Root in a container may not read the link. The process file then names the process and the original folder of the data.
    let lines = Files.read(layout.processFile)?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    guard lines.count > 1, lines[0] == "\(process)" else { return false }
    if home == layout.home { return true }
    guard lines[1] == "\(home)/data" else { return false }
    return Files.read("\(home)/data/postmaster.pid")?.split(separator: "\n").first != lines[0]
  }
}
