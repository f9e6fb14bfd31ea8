internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Glibc
internal import JobCore

/// Takes Apple's notifications, or serves the review console; done by `payrecon-server`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Takes App Store Server Notifications, or serves the review console.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  func run() async throws { throw ServerProgram.become(["serve"] + arguments) }
}

/// An App Store to test against; done by `payrecon-server`.
struct SimulateAppStoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appstore", abstract: "Runs an App Store to test against: server API, verifyReceipt, notifications.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  func run() async throws { throw ServerProgram.become(["simulate", "appstore"] + arguments) }
}

/// The program beside this one that has an HTTP server.
///
/// No nightly job needs one, and its libraries take longer to build than all the rest: so they are not built for it.
private enum ServerProgram {
  private static let name = "payrecon-server"

  /// Replaces this process by the server's, with its environment and standard streams.
  ///
  /// - Returns: why that could not be done; on success it does not return.
  static func become(_ words: [String]) -> JobError {
    let folder = ProgramLocation.executablePath().split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(name)"
    guard Environment.exists(path) else {
      return JobError(
        "could not start the server: there is no \"\(path)\"",
        hint: "Build it: swift build -c release --product \(name); jobs/install installs both programs.", status: .usage)
    }
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + words).map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    unsafe execv(path, &pointers)
    return JobError("could not start \"\(path)\": \(errnoText())")
  }
}
