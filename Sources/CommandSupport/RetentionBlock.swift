internal import JobCore
internal import YAML

/// The block "retention" of the settings file. Data without a named period is kept forever.
enum RetentionBlock {
  private static let daySeconds: Int64 = 86_400

  static func read(_ node: SettingsNode) throws -> RetentionSettings {
    let fields = try node.mapping(["parked", "quarantine", "job_windows", "case_leases", "persons"])
    var settings = RetentionSettings()
    for (key, seconds, daysMin) in RetentionSettings.periods {
      guard let node = fields[key] else { continue }
      let period = try node.seconds()
      guard period >= daysMin * daySeconds else { throw node.fault("must be \(daysMin)d or longer") }
      settings[keyPath: seconds] = period
    }
    return settings
  }
}
