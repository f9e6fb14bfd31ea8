internal import JobCore
internal import Scheduling

/// Which jobs have nobody to ask: those that call Apple for apps of which none has the key that it takes.
enum MissingKey {
  /// Why a job cannot ask Apple; nil when it can, or asks nobody.
  static func reason(to job: JobFile, in settings: JobSettings) -> String? {
    let words = job.command.prefix(2)
    if words == ["collect", "receipts"] {
      return settings.apps.contains { $0.api?.sharedSecretFile != nil }
        ? nil : "no app has a shared secret (apps.api.shared_secret_file)"
    }
    if words == ["collect", "finance"] {
      return settings.finance.accounts.isEmpty ? "no account of App Store Connect is named (finance.accounts)" : nil
    }
    guard words.first == "collect" || words == ["renewals", "poll"] else { return nil }
    // Renewals of StoreKit 1 are asked for with the shared secret.
    let isPoll = words.first == "renewals"
    let hasKey = settings.apps.contains { $0.api?.keyFile != nil || (isPoll && $0.api?.sharedSecretFile != nil) }
    return hasKey ? nil : "no app has an API key (apps.api.key_file)"
  }
}
