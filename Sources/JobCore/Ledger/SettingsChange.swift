internal import Domain
package import Postgres
public import Wording

public struct SettingsChange: Sendable {
  static let linesMax = 20

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  public struct Difference: Sendable {
    /// The last complete night.
    public var runID: String
    /// `key: old → new`; nil if the text of the earlier settings was not stored.
    public var changes: [String]?

    public var lines: [Phrase] {
      guard let changes else {
        return [Phrase("night.settings_other", ["run": .plain(runID)])]
      }
      let rest = changes.count - SettingsChange.linesMax
      return changes.prefix(SettingsChange.linesMax).map {
        Phrase("night.setting_changed", ["run": .plain(runID), "what": .plain($0)])
      } + (rest > 0 ? [Phrase("night.settings_more", ["count": .plain(rest)])] : [])
    }
  }

  /// Returns the changes since the last complete night before the clock; nil if there are none, or no such night.
  public func run() async throws -> Difference? {
    try await context.withSession(as: .report) { session in try await sinceLastNight(on: session, amongAll: true) }
  }

  /// Returns the changes since the last complete night before the clock; nil if there are none, or no such night.
  ///
  /// - Parameter amongAll: whether to compare every setting, and not only those that change a result. A night that stored only the
  ///   latter is compared by them.
  package func sinceLastNight(on session: Session, amongAll: Bool = false) async throws -> Difference? {
    let found = try await context.rows(RunsSQL.settingsBefore, ["as_of": context.asOfValue], on: session).map {
      (runID: $0.0, sha256: $0.1, text: $0.2, roots: $0.3, all: amongAll ? $0.4 : nil)
    }
    guard let before = found.first else { return nil }
    let roots = [before.roots, context.rootsSHA256].map { "trusted roots: \($0 ?? "(unreadable)")\n" }
    let rootsChange = before.roots == nil ? [] : SettingsEntry.differences(from: roots[0], to: roots[1])
    let current = before.all == nil ? context.settings.canonicalText : context.settings.entriesText
    guard before.all.map({ $0 != current }) ?? (before.sha256 != context.settingsSHA256) else {
      return rootsChange.isEmpty ? nil : Difference(runID: before.runID, changes: rootsChange)
    }
    return Difference(
      runID: before.runID,
      changes: (before.all ?? before.text).map { SettingsEntry.differences(from: $0, to: current) + rootsChange })
  }

  /// Whether a run ever had settings that name an app.
  package func hasNamedApps(on session: Session) async throws -> Bool {
    try await context.rows(RunsSQL.hasNamedApps, on: session).first ?? false
  }

  /// Stops a night whose settings no longer name an app with charges. Its evidence would become foreign.
  ///
  /// - Parameter accepts: whether the operator confirmed the change. Later nights need no confirmation.
  /// - Throws: `JobError` with status 64.
  package func refuseUnnamedApps(accepts: Bool, on session: Session) async throws {
    let bundles = context.settings.apps.map(\.bundleID)
    let parameters: [String: Value] = ["as_of": context.asOfValue, "bundles": .textArray(bundles)]
    let missing = try await context.rows(RunsSQL.unnamedApps, parameters, on: session).filter { bundleID, settings in
      guard let settings else { return true }
      return SettingsEntry.values(settings)[SettingsEntry.app(bundleID)] != nil
    }.map { $0.0 }
    guard !missing.isEmpty, !accepts else { return }
    let names = missing.map { "\"\($0)\"" }.joined(separator: ", ")
    throw JobError(
      "refused to run: the settings \(context.settings.file.map { "in \"\($0)\" " } ?? "")do not name \(names), "
        + "of which charges are known",
      hint: "Name the right settings file in PAYRECON_CONFIG; if the app is meant to go, say payrecon nightly --accept-settings once. "
        + "Nothing was changed.", status: .usage)
  }
}
