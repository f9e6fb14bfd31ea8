internal import Domain
package import JobCore
package import Postgres

extension JobSettings {
  /// Testers and review windows of the settings as parallel arrays.
  package var sandboxSpans: [String: Value] {
    var bundles: [String] = []
    var users: [String] = []
    var froms: [String] = []
    var tos: [String] = []
    func add(_ bundle: String, _ user: String, _ from: String, _ to: String) {
      bundles.append(bundle)
      users.append(user)
      froms.append(from)
      tos.append(to)
    }
    for app in apps {
      for user in app.testers { add(app.bundleID, user, "-infinity", "infinity") }
      for window in app.reviewWindows {
        for user in window.users.isEmpty ? [""] : window.users {
          add(app.bundleID, user, window.from.rfc3339, window.to.rfc3339)
        }
      }
    }
    return [
      "bundles": .textArray(bundles), "users": .textArray(users), "froms": .textArray(froms), "tos": .textArray(tos),
    ]
  }
}
