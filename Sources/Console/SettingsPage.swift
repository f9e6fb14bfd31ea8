internal import JobCore
internal import Wording

extension CaseController {
  /// Returns the current settings and their changes since the last complete night. Secrets are stored in files, of which only the paths
  /// are settings.
  func settings() async throws -> Page {
    try checkSeesAll()
    let context = try await context.withApprovedRules(at: context.asOf)
    var page = Page(title: "settings.title", visit: visit, subtitle: "settings.subtitle")
    let entries = ReportTable(
      columns: ["setting", "value"], isNumeric: [false, false], rows: context.settings.entries.map { [$0.key, $0.value] })
    let difference = try await SettingsChange(context: context).run()
    var changed = Section("settings.changed")
    changed.empty = "settings.unchanged"
    changed.lines = .list(difference?.changes?.map { .plain($0) } ?? difference?.lines ?? [], separator: "\n")
    page.sections = [changed, Section("settings.title", entries, isLinked: false)]
    try await viewed("settings")
    return page
  }
}
