internal import JobCore
internal import Scheduling

/// Detects jobs that query Apple although no app has the required key.
enum MissingKey {
  /// Returns the reason why a job cannot query Apple; nil if it can, or never does.
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
    // StoreKit 1 renewals are queried with the shared secret.
    let isPoll = words.first == "renewals"
    let hasKey = settings.apps.contains { $0.api?.keyFile != nil || (isPoll && $0.api?.sharedSecretFile != nil) }
    return hasKey ? nil : "no app has an API key (apps.api.key_file)"
  }
}
