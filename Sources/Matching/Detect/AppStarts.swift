internal import Domain
package import JobCore
package import Postgres

extension JobSettings {
  /// Apps that have a start date and these dates, as parallel arrays.
  package var appStarts: [String: Value] {
    let started = apps.compactMap { app in app.reconcileFrom.map { (app.bundleID, $0.rfc3339) } }
    return ["bundles": .textArray(started.map(\.0)), "starts": .textArray(started.map(\.1))]
  }
}
