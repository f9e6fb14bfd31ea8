internal import Domain
internal import Glibc
internal import JobCore
internal import Logging

/// Logs on standard error: plain text on a terminal, JSON lines otherwise.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info
  let isTerminal: Bool

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let fields = metadata.merging(event.metadata ?? [:]) { _, new in new }
      .map { (key: $0.key, value: "\($0.value)") }.sorted { $0.key < $1.key }
    Output.writeError(isTerminal ? Self.plain(event.level, "\(event.message)", fields) : Self.json(event.level, "\(event.message)", fields))
  }

  private static func plain(_ level: Logger.Level, _ message: String, _ fields: [(key: String, value: String)]) -> String {
    let details = fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    return "\(level): \(message)" + (details.isEmpty ? "" : " (\(details))")
  }

  /// Returns one line of JSON with the time, the level, the message and further fields.
  static func json(_ level: Logger.Level, _ message: String, _ fields: [(key: String, value: String)]) -> String {
    let all = [("time", WallClock.now().rfc3339), ("level", level.rawValue), ("message", message)] + fields.map { ($0.key, $0.value) }
    return "{\(all.map { "\(ReportText.quoted($0)):\(ReportText.quoted($1))" }.joined(separator: ","))}"
  }
}
