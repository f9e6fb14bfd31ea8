package import JobCore

extension Environment {
  /// The variables that override a key of the settings file.
  private static let overriding = ["logs.directory": "PAYRECON_LOGS_DIR", "metrics.textfile": "PAYRECON_METRICS_FILE"]

  /// The variables without a key in the settings file, in the order of the reference.
  private static let alone = [
    "PAYRECON_DATABASE_URL", "PAYRECON_STATE_DIR", "PAYRECON_ACCOUNT", "PAYRECON_APPLE_ROOTS", "PAYRECON_APPSTORE_URL",
    "PAYRECON_APPSTORE_SANDBOX_URL", "PAYRECON_APPSTORECONNECT_URL", "PAYRECON_APPSTORE_PAUSE_MS", "PAYRECON_SQL_DIR", "PAYRECON_PG_BIN",
    "PAYRECON_JOBS_DIR", "PAYRECON_PROXY_KEY", "PAYRECON_LOG_LEVEL",
  ]

  /// Returns the settings in effect, one per line: those of the file, each overridden one with its variable, and the other variables
  /// that are set. An address that may contain a password is not shown.
  package static func lines(of settings: JobSettings) -> [String] {
    let entries = settings.entries.map { entry in
      guard let name = overriding[entry.key], let value = value(name) else { return "\(entry.key): \(entry.value)" }
      return "\(entry.key): \(value) # from \(name)"
    }
    let variables = alone.compactMap { name in
      value(name).map { value in
        let isSecret = name == "PAYRECON_DATABASE_URL" || value.contains("@")
        return "\(name): \(isSecret ? "set, not shown because it may contain a password" : value)"
      }
    }
    return entries + (variables.isEmpty ? [] : ["# environment variables"] + variables)
  }
}
