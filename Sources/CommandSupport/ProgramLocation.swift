internal import Glibc
internal import JobCore
internal import SystemCalls

/// The folder of this program, and its replacement by another one.
package enum ProgramLocation {
  package static func host() -> String { Machine.hostName }

  /// Ancestor folders that are searched. A checkout's root is at most this far above its build products.
  private static let levelsMax = 6

  static func folders() -> [String] {
    var path = executablePath().split(separator: "/").dropLast().map(String.init)
    var folders: [String] = []
    for _ in 0..<levelsMax {
      folders.append("/" + path.joined(separator: "/"))
      guard !path.isEmpty else { break }
      path.removeLast()
    }
    return folders
  }

  /// Replaces this process with a program, searched for on the path, that inherits the environment. Returns the reason of a failure.
  package static func replaceProcess(by program: String, _ arguments: [String]) -> String {
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    unsafe execvp(program, &words)
    return errnoText()
  }

  package static func executablePath() -> String {
    Folder.target(ofLink: "/proc/self/exe") ?? CommandLine.arguments.first ?? "payrecon"
  }
}
