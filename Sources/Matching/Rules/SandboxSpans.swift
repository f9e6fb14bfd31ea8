internal import Domain
package import JobCore
package import Postgres

extension JobSettings {
  /// Testers and review windows of the settings as parallel arrays.
  package var sandboxSpans: [String: Value] {
    var spans: [(bundle: String, user: String, from: String, to: String)] = []
    for app in apps {
      spans += app.testers.map { (app.bundleID, $0, "-infinity", "infinity") }
      for window in app.reviewWindows {
        let users = window.users.isEmpty ? [""] : window.users
        spans += users.map { (app.bundleID, $0, window.from.rfc3339, window.to.rfc3339) }
      }
    }
    return [
      "bundles": .textArray(spans.map(\.bundle)), "users": .textArray(spans.map(\.user)),
      "froms": .textArray(spans.map(\.from)), "tos": .textArray(spans.map(\.to)),
    ]
  }
}
