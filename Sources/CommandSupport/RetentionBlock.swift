internal import JobCore
internal import YAML

/// The block "retention" of the settings file. Data without a named period is kept forever.
enum RetentionBlock {
  private static let daySeconds: Int64 = 86_400

  static func read(_ node: SettingsNode) throws -> RetentionSettings {
    let fields = try node.mapping(["parked", "quarantine", "job_windows", "case_leases", "persons"])
    var settings = RetentionSettings()
    settings.parkedSeconds = try span(fields["parked"], daysMin: RetentionSettings.parkedDaysMin)
    if let quarantine = fields["quarantine"] {
      settings.quarantineSeconds = try span(quarantine, daysMin: RetentionSettings.quarantineDaysMin)
    }
    settings.jobWindowSeconds = try span(fields["job_windows"], daysMin: RetentionSettings.jobWindowDaysMin)
    settings.caseLeaseSeconds = try span(fields["case_leases"], daysMin: RetentionSettings.caseLeaseDaysMin)
    settings.personSeconds = try span(fields["persons"], daysMin: RetentionSettings.personDaysMin)
    return settings
  }

  private static func span(_ node: SettingsNode?, daysMin: Int64) throws -> Int64? {
    guard let node else { return nil }
    var seconds: Int64 = 0
    try node.seconds(into: &seconds)
    guard seconds >= daysMin * daySeconds else { throw node.fault("must be \(daysMin)d or longer") }
    return seconds
  }
}
