enum JobEnvironment {
  /// Variables of payrecon, libpq, TLS and the locale. A job gets no other variables of the caller except `names`.
  private static let prefixes = ["PAYRECON_", "PG", "SSL_", "LC_", "XDG_"]
  private static let names: Set<String> = [
    "PATH", "HOME", "LANG", "TZDIR", "TMPDIR", "http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY",
  ]

  /// Returns the subset of an environment that a job gets.
  static func allowed(of caller: [String]) -> [String] {
    caller.filter { entry in
      let name = String(entry.prefix { $0 != "=" })
      return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
  }
}
