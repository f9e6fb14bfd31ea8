internal import HTTPTypes
internal import JobCore
internal import Postgres

/// Why a request is not answered with what it asks for.
struct ConsoleFault: Error {
  var status: HTTPResponse.Status
  var message: String

  static let noSession = ConsoleFault(status: .unauthorized, message: "Log in first.")

  init(status: HTTPResponse.Status, message: String) {
    self.status = status
    self.message = message
  }

  /// What a failure of the work behind a page tells a person; the rest is for the log alone.
  init(_ error: any Error) {
    switch error {
    case let fault as ConsoleFault: self = fault
    case let failure as JobError: self.init(status: .conflict, message: failure.message)
    case PostgresError.server(let failure) where failure.sqlState.code == "28000": self = .noSession
    case PostgresError.server(let failure) where failure.sqlState == .insufficientPrivilege:
      self.init(status: .forbidden, message: "Your role does not allow this.")
    default: self.init(status: .serviceUnavailable, message: "It could not be done now; try again.")
    }
  }
}
