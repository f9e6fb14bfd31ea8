extension Setup {
  /// Starts a simulated App Store with a known key until the end of the test, and configures the program to use it.
  ///
  /// - Parameter start: first instant of the store's clock; nil is the simulator's own.
  mutating func openAppStore(start: Moment? = nil) async throws -> AppStoreSimulator {
    let issuer = "57246542-96fe-1a63-e053-0824d011072a"
    let keyFile = "\(directory)/key.p8"
    try await program.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", keyFile], exits: 0)
    let key = try ES256PrivateKey(pem: try Setup.bytes(keyFile))
    var configuration = AppStoreSimulator.Configuration(keys: [AppKey(id: "KEY1", issuer: issuer, key: try #require(key.publicKey))])
    if let start { configuration.start = start }
    let store = try await AppStoreSimulator.start(configuration)
    CleanUp.afterTest { await store.stop() }
    try write("roots/root.der", store.rootDER)
    try write("secret", SimulatedApp().sharedSecret)
    try write(
      "payrecon.yaml",
      """
      apps:
        - bundle_id: com.example.reader
          apple_id: 1600000001
          api:
            issuer_id: \(issuer)
            key_id: KEY1
            key_file: \(keyFile)
            shared_secret_file: \(directory)/secret

      """)
    // A store with scripted failures needs no pause before a retry.
    program.environment["PAYRECON_APPSTORE_PAUSE_MS"] = "5"
    program.environment["PAYRECON_APPSTORE_URL"] = store.url(.production)
    program.environment["PAYRECON_APPSTORE_SANDBOX_URL"] = store.url(.sandbox)
    return store
  }

  /// Replaces the reports requested in the settings by a vendor's SALES of some days.
  func wantSales(of vendor: String, from: String, to: String) throws {
    let old = try Setup.text("\(directory)/payrecon.yaml")
    let apps = old.split(separator: "finance:").first.map(String.init) ?? old
    try write(
      "payrecon.yaml",
      apps + """
        finance:
          reports: [SALES]
          accounts:
            - vendor: "\(vendor)"
              issuer_id: 57246542-96fe-1a63-e053-0824d011072a
              key_id: KEY1
              key_file: \(directory)/key.p8
              from: \(from)
              to: \(to)

        """)
  }
}
