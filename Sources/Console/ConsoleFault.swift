internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review

/// Why a request is not answered with what it asks for.
struct ConsoleFault: Error {
  var status: HTTPResponse.Status
  var message: String
  /// What the log is told, without anything of a person; nil where a person did something that is not done.
  var cause: String?

  static let noSession = ConsoleFault(status: .unauthorized, message: "Log in first.")
  static let notAllowed = ConsoleFault(status: .forbidden, message: "Your role does not allow this.")
  static let notThere = ConsoleFault(status: .notFound, message: "There is nothing here.")
  static let noCase = ConsoleFault(status: .notFound, message: "There is no such case here.")
  static let busy = ConsoleFault(status: .serviceUnavailable, message: "Too many requests at once; try again in a moment.")

  init(status: HTTPResponse.Status, message: String, cause: String? = nil) {
    self.status = status
    self.message = message
    self.cause = cause
  }

  /// What a failure of the work behind a page tells a person; the rest is for the log alone.
  init(_ error: any Error) {
    switch error {
    case let fault as ConsoleFault: self = fault
    case let objection as AppleObjection:
      self.init(status: .conflict, message: AppleTexts.forPrograms(objection))
    case let failure as JobError:
      // Hints speak of the command line.
      self.init(status: failure.status == .usage ? .badRequest : .conflict, message: Self.sentence(failure.message))
    case PostgresError.server(let failure) where failure.sqlState.code == "28000": self = .noSession
    case PostgresError.server(let failure) where failure.sqlState == .insufficientPrivilege: self = .notAllowed
    case let failure as PostgresError where failure.isTemporary:
      self.init(
        status: .serviceUnavailable, message: "The database does not answer now; try again.", cause: failure.description)
    case let failure as PostgresError:
      self.init(status: .internalServerError, message: Self.failed, cause: failure.description)
    default:
      self.init(status: .internalServerError, message: Self.failed, cause: "\(type(of: error))")
    }
  }

  private static let failed = "This failed, and nothing was changed; whoever runs this finds why in the log."

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
