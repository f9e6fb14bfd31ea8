internal import HTTP
internal import JSON

/// The outcome of a request for a report; each has a different next step.
public enum ConnectOutcome: String, Sendable, CaseIterable {
  case report
  /// Nothing was sold: there is no report, and there will be none.
  case noSales = "no_sales"
  /// Apple has not produced the report yet.
  case notReady = "not_ready"
  /// The key, or the state of the account, does not allow the report.
  case forbidden
  /// The vendor number does not belong to the key's team.
  case wrongVendor = "wrong_vendor"
  /// Apple no longer stores the report.
  case outsideRetention = "outside_retention"
  /// The report arrived, but its reader refused it. Only a reader states this outcome.
  case refused
}

/// App Store Connect's answer to one request.
public struct ConnectAnswer: Sendable, CustomStringConvertible, CustomReflectable {
  public var outcome: ConnectOutcome
  /// Apple's message; empty with a report.
  public var words: String
  /// The report's original bytes, compressed or not; empty without a report.
  public var body: [UInt8]

  public var description: String { "\(outcome.rawValue), \(body.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Reads a response of App Store Connect that is no report.
///
/// Several outcomes share a status, so Apple's message decides. An unknown message is no outcome, and never an empty report.
/// - Source: App Store Connect API, "ErrorResponse"; messages observed in answers.
struct ConnectRefusal {
  /// Maximum number of characters kept of Apple's message.
  static let wordsMax = 300

  let status: Int
  let words: String

  init(_ response: HTTPResponse) {
    status = response.status
    words = Self.words(response.body)
  }

  /// nil for a fault of the request, of the token or of the network.
  var outcome: ConnectOutcome? {
    guard (400..<500).contains(status), status != 401, status != 408, status != 429 else { return nil }
    let text = words.lowercased()
    func says(_ phrases: String...) -> Bool { phrases.contains { text.contains($0) } }
    if status == 410 || says("no longer available", "only available for", "older than") { return .outsideRetention }
    let isAboutVendor = says("vendor number", "vendornumber")
    if isAboutVendor, says("invalid", "not valid", "incorrect", "wrong", "not found", "does not exist", "not associated") {
      return .wrongVendor
    }
    if status == 403 { return .forbidden }
    if says("not available yet", "not yet available", "not ready", "try again later") { return .notReady }
    if status == 404, says("no sales", "there were no") { return .noSales }
    return nil
  }

  /// The report version that Apple accepts instead of the requested one.
  var latestVersion: String? {
    guard status == 400, words.lowercased().contains("version"), let found = words.firstMatch(of: /latest version[^.]* is (\d+_\d+)/) else {
      return nil
    }
    return String(found.output.1)
  }

  /// Returns codes and sentences of an answer's errors, or the beginning of its text.
  private static func words(_ body: [UInt8]) -> String {
    guard let object = try? JSONObject(parsing: body[...]), case .array(let errors)? = object["errors"] else {
      let text = String(decoding: body.prefix(wordsMax), as: UTF8.self)
      return text.contains("<") ? "" : plain(text)
    }
    var parts: [String] = []
    for error in errors {
      guard case .object(let members) = error else { continue }
      for name in ["code", "title", "detail"] {
        if case .string(let text)? = members[name], !parts.contains(text) { parts.append(text) }
      }
    }
    return plain(parts.joined(separator: ": "))
  }

  private static func plain(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }.filter { $0 >= " " }.prefix(wordsMax))
  }
}
