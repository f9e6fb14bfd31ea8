public import Domain
public import Wording

/// A failure that ends a command, with a message for the operator and an exit status.
public struct JobError: Error, CustomStringConvertible, Sendable {
  /// The attempted action, its object, and the reason of the failure, without capital letter and full stop.
  public var phrase: Phrase
  /// The next step for a user; nil if the message suffices.
  public var hint: String?
  public var status: ExitStatus
  /// Whether the error only states that an id is unknown here. Another source may know it.
  public var isNotFound: Bool

  /// Creates an error that the console shows in the reader's language.
  public init(_ phrase: Phrase, hint: String? = nil, status: ExitStatus = .error, isNotFound: Bool = false) {
    self.phrase = phrase
    self.hint = hint
    self.status = status
    self.isNotFound = isNotFound
  }

  /// Creates such an error with the values of its text.
  public init(
    _ key: String, _ values: [String: String], hint: String? = nil, status: ExitStatus = .error, isNotFound: Bool = false
  ) {
    self.init(Phrase(key, values.mapValues { .plain($0) }), hint: hint, status: status, isNotFound: isNotFound)
  }

  /// Creates an error that has an English message only.
  public init(_ message: String, hint: String? = nil, status: ExitStatus = .error, isNotFound: Bool = false) {
    self.init(.plain(message), hint: hint, status: status, isNotFound: isNotFound)
  }

  public var message: String { phrase.english }

  /// Returns the error with another attempt appended to its message.
  public func adding(_ more: String) -> JobError {
    JobError(phrase + .plain("; \(more)"), hint: hint, status: status, isNotFound: isNotFound)
  }

  public var description: String { hint.map { "\(message)\nhint: \($0)" } ?? message }
}
