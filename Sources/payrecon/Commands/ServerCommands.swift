internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore

/// Receives Apple's notifications, or serves the review console. `payrecon-server` does the work.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Takes App Store Server Notifications, or serves the review console.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  func run() async throws { throw ServerProgram.start(["serve"] + arguments) }
}

/// Runs a simulated App Store. `payrecon-server` does the work.
struct SimulateAppStoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appstore", abstract: "Runs an App Store to test against: server API, verifyReceipt, notifications.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  func run() async throws { throw ServerProgram.start(["simulate", "appstore"] + arguments) }
}

/// The companion program with the HTTP server.
///
/// Nightly jobs need no server, and its libraries take longer to build than the rest, so they are built separately.
private enum ServerProgram {
  private static let name = "payrecon-server"

  /// Replaces this process with the server program. Returns the error of a failure.
  static func start(_ words: [String]) -> JobError {
    let folder = ProgramLocation.executablePath().split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(name)"
    guard Environment.exists(path) else {
      return JobError(
        "could not start the server: there is no \"\(path)\"",
        hint: "Build it: swift build -c release --product \(name); jobs/install installs both programs.", status: .usage)
    }
    return JobError("could not start \"\(path)\": \(ProgramLocation.replaceProcess(by: path, words))")
  }
}
