internal import Intake

/// A pattern of local times as PostgreSQL's `to_timestamp` reads it.
///
/// - Source: PostgreSQL 15 documentation, 9.8 "Data Type Formatting Functions".
struct SQLTemplate: Sendable {
  private let template: String
  private let form: String

  /// - Returns: nil for a pattern with parts that `to_timestamp` does not read.
  init?(_ pattern: InstantPattern) {
    var (template, form) = ("", "")
    for part in pattern.parts {
      guard let (word, expression) = Self.words(part) else { return nil }
      template += word
      form += expression
    }
    self.template = template
    self.form = form
  }

  /// Returns an expression of type timestamp; null for a text of another form. ISO 8601 is read too, as a column of times prints it.
  ///
  /// The session's zone is UTC, which skips and repeats no local time.
  func localTime(of column: String) -> String {
    """
    (case when \(column)::text ~ '^\(form)$' then to_timestamp(\(column)::text, '\(template)')::timestamp \
    when \(column)::text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then \(column)::text::timestamp end)
    """
  }

  private static func words(_ part: InstantPattern.Part) -> (word: String, expression: String)? {
    switch part {
    case .field(let letter, let count):
      // A value that to_timestamp refuses would end the pull, and a row of another form is parked alone.
      let zero = count == 1 ? "0?" : "0"
      let tens = count == 1 ? "?" : ""
      switch (letter, count) {
      case ("y", 4): return ("YYYY", "[0-9]{4}")
      case ("y", 2): return ("YY", "[0-9]{2}")
      case ("M", _): return ("MM", "(\(zero)[1-9]|1[0-2])")
      case ("d", _): return ("DD", "(\(zero)[1-9]|[12][0-9]|3[01])")
      case ("H", _): return ("HH24", "([01]\(tens)[0-9]|2[0-3])")
      case ("h", _): return ("HH12", "(\(zero)[1-9]|1[0-2])")
      case ("m", _): return ("MI", "[0-5]\(tens)[0-9]")
      case ("s", _): return ("SS", "[0-5]\(tens)[0-9]")
      case ("S", 1...6): return ("FF\(count)", "[0-9]{\(count)}")
      case ("a", _): return ("AM", "[APap][Mm]")
      default: return nil
      }
    case .literal(let text):
      guard !text.contains(where: { "\\'\"".contains($0) }) else { return nil }
      let escaped = text.map { $0.isLetter || $0.isNumber || " :/,_-".contains($0) ? "\($0)" : "[\($0)]" }
      return ("\"\(text)\"", escaped.joined())
    }
  }
}
