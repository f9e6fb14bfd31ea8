internal import Domain

/// The settings from which revenue and journal are computed: rates of tax and commission, and how the journal books.
package struct RevenueSettings: Sendable {
  package let programme: String
  /// The commissions in force.
  package let commissions: [FinanceSettings.Rate]
  package let taxes: [FinanceSettings.Rate]
  package let journal: JournalSettings

  /// Reads them from the text of settings, as it is stored.
  package init(text: String) throws(JobError) {
    let values = SettingsEntry.values(text)
    guard let journal = JournalSettings(values) else { throw Self.fault("journal") }
    self.journal = journal
    programme = values["finance.programme"] ?? FinanceSettings().programme
    commissions = try Self.rates("finance.commissions", values, hasProgramme: true)
    taxes = try Self.rates("finance.taxes", values, hasProgramme: false)
  }

  private static func rates(
    _ key: String, _ values: [String: String], hasProgramme: Bool
  ) throws(JobError) -> [FinanceSettings.Rate] {
    guard let text = values[key] else { throw fault(key) }
    var rates: [FinanceSettings.Rate] = []
    for entry in text.split(separator: "; ") {
      let words = entry.split(separator: " ").map(String.init)
      guard words.count == (hasProgramme ? 4 : 3), let points = words.last.flatMap({ Int64($0) }) else { throw fault(key) }
      rates.append(
        .init(
          storefront: words[0] == "*" ? nil : words[0], programme: hasProgramme ? words[1] : nil, validFrom: words[words.count - 2],
          basisPoints: points))
    }
    return rates
  }

  private static func fault(_ key: String) -> JobError {
    JobError(
      "could not read \(key) of the settings of a close from payrecon.settings_texts",
      hint: "Restore that row from a backup; its text was changed.")
  }
}
