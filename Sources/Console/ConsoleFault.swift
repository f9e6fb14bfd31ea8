internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

struct ConsoleFault: Error {
  var status: HTTPResponse.Status
  var message: Phrase
  /// Cause for the log, without personal data; nil for a fault of the user.
  var cause: String?

  var isOfDatabase = false

  static let noSession = ConsoleFault(status: .unauthorized, message: "fault.no_session")
  static let notAllowed = ConsoleFault(status: .forbidden, message: "fault.not_allowed")
  static let notThere = ConsoleFault(status: .notFound, message: "fault.not_there")
  static let noCase = ConsoleFault(status: .notFound, message: "fault.no_case")
  static let busy = ConsoleFault(status: .serviceUnavailable, message: "fault.busy")

  /// Refuses a field that has no usable value.
  static func invalid(_ message: Phrase) -> ConsoleFault { ConsoleFault(status: .badRequest, message: message) }

  init(status: HTTPResponse.Status, message: Phrase, cause: String? = nil) {
    (self.status, self.message, self.cause) = (status, message, cause)
  }

  /// Converts an error into a message for the user. Technical details go to the log only.
  init(_ error: any Error) {
    switch error {
    case let fault as ConsoleFault: self = fault
    case let mismatch as AppleRecordMismatch:
      self.init(status: .conflict, message: .plain(AppleTexts.forPrograms(mismatch)))
    case let failure as JobError:
      let status: HTTPResponse.Status = failure.isNotFound ? .notFound : failure.status == .usage ? .badRequest : .conflict
      // The hint is omitted because it refers to the command line.
      self.init(status: status, message: failure.phrase.asSentence)
    case PostgresError.server(let failure) where failure.sqlState.code == "28000": self = .noSession
    case PostgresError.server(let failure) where failure.sqlState.code == "PR001":
      self.init(status: .conflict, message: "fault.same_keeper")
    case let failure as PostgresError where failure.isAboutPermission: self = .notAllowed
    case let failure as PostgresError where failure.isTemporary:
      self.init(status: .serviceUnavailable, message: "fault.database", cause: failure.description)
      isOfDatabase = true
    case let failure as PostgresError:
      self.init(status: .internalServerError, message: "fault.failed", cause: failure.description)
    default: self.init(status: .internalServerError, message: "fault.failed", cause: "\(type(of: error))")
    }
  }
}
