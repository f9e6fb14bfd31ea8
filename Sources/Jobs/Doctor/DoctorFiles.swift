internal import AppStore
internal import Collect
internal import Cryptography
public import Domain
internal import FoundationEssentials
internal import Glibc
internal import Ingest
internal import Intake
public import JobCore
internal import SystemCalls
internal import Workbooks

/// Checks of files and folders, which need no database.
public struct DoctorFiles: Sendable {
  /// Free space that a night may need, in bytes.
  private static let freeBytesMin: UInt64 = 1 << 30
  /// Days before its expiry from which a root is reported.
  private static let rootDaysMin: Int64 = 90

  let settings: JobSettings
  let now: Timestamp
  let rootsDirectory: String?
  let appleRootsFolders: [String]
  /// Folder of the private cluster; nil for another database server.
  let stateDirectory: String?
  let logDirectory: String
  /// File with the key of the console's proxy; nil for none.
  let proxyKeyFile: String?

  public init(
    settings: JobSettings, now: Timestamp, rootsDirectory: String?, appleRootsFolders: [String], stateDirectory: String?,
    logDirectory: String?, proxyKeyFile: String? = nil
  ) {
    self.proxyKeyFile = proxyKeyFile
    self.settings = settings
    self.now = now
    self.rootsDirectory = rootsDirectory
    self.appleRootsFolders = appleRootsFolders
    self.stateDirectory = stateDirectory
    self.logDirectory = logDirectory ?? settings.logDirectory
  }

  /// - Parameter fault: reason why the settings could not be read; nil if they could.
  public func run(settingsFault fault: String?) -> [DoctorFinding] {
    let keys = settings.apps.flatMap { [checkAPIKey($0), checkSecret($0)] } + settings.finance.accounts.map(checkAccount) + checkProxyKey()
    return [checkSettings(fault), fault == nil ? checkApps() : .unchecked("apps")] + keys + checkRoots()
      + (fault == nil ? checkSources() + checkAlerts() + checkWebhooks() : [.unchecked("alerts")]) + checkInbox() + checkFolders()
      + checkWorkbooks() + checkDisk()
  }

  private func checkSettings(_ fault: String?) -> DoctorFinding {
    if let fault { return .fault("settings", fault, cure: "correct the file; payrecon settings show reads it again") }
    guard let file = settings.file else {
      return .fault(
        "settings", "no settings file: defaults apply, and nightly refuses to run",
        cure: "name the file in PAYRECON_CONFIG, or start payrecon in the folder of payrecon.yaml")
    }
    return .fine("settings", "read from \"\(file)\"")
  }

  private func checkApps() -> DoctorFinding {
    guard !settings.apps.isEmpty else {
      return .fault(
        "apps", "none is named, so every bundle is foreign", cure: "list them under \"apps\" in the settings file")
    }
    let nameless = settings.apps.filter { $0.appleID == nil }.map(\.bundleID)
    let names = settings.apps.map(\.bundleID).sorted().joined(separator: ", ")
    return .fine(
      "apps", names + (nameless.isEmpty ? "" : "; no apple_id, so not checked in notifications: \(nameless.joined(separator: ", "))"))
  }

  // MARK: Keys

  private func checkAPIKey(_ app: AppSettings) -> DoctorFinding {
    let check = "API key of \(app.bundleID)"
    let cure = "set issuer_id, key_id and key_file under apps.api, as App Store Connect, Users and Access, Integrations shows them"
    guard let api = app.api, api.keyFile != nil || api.issuerID != nil || api.keyID != nil else {
      return .fine(check, "none: jobs that ask Apple's server leave this app out")
    }
    let fields = [("issuer_id", api.issuerID), ("key_id", api.keyID), ("key_file", api.keyFile)]
    let missing = fields.filter { $0.1 == nil }.map(\.0)
    guard missing.isEmpty, let issuer = api.issuerID, let key = api.keyID, let file = api.keyFile else {
      return .fault(check, "\(missing.joined(separator: ", ")) not set", cure: cure)
    }
    return checkKey(check, issuer: issuer, key: key, file: file, cure: cure)
  }

  /// Checks the key of a vendor number, which downloads financial reports.
  private func checkAccount(_ account: FinanceSettings.Account) -> DoctorFinding {
    checkKey(
      "App Store Connect key of \(account.vendor)", issuer: account.issuerID, key: account.keyID, file: account.keyFile,
      cure: "set issuer_id, key_id and key_file under finance.accounts to those of a team key with the role Finance or Admin: "
        + "App Store Connect, Users and Access, Integrations")
  }

  private func checkKey(_ check: String, issuer: String, key: String, file: String, cure: String) -> DoctorFinding {
    guard UUID(uuidString: issuer) != nil else { return .fault(check, "issuer_id is no UUID", cure: cure) }
    guard key.wholeMatch(of: /[A-Z0-9]{10}/) != nil else { return .fault(check, "key_id is not ten capitals and digits", cure: cure) }
    return checkSecretFile(check, file) { bytes in
      do throws(ES256PrivateKeyError) {
        _ = try ES256PrivateKey(pem: bytes)
        return nil
      } catch {
        return "\(error)"
      }
    }
  }

  private func checkSecret(_ app: AppSettings) -> DoctorFinding {
    let check = "shared secret of \(app.bundleID)"
    guard let file = app.api?.sharedSecretFile else {
      return .fine(check, "none: collect receipts leaves this app out")
    }
    return checkSecretFile(check, file) { bytes in
      let text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined()
      return text.isEmpty ? "it holds no secret" : nil
    }
  }

  /// Checks the permissions of the proxy's key, because its reader can act in the console as any account.
  private func checkProxyKey() -> [DoctorFinding] {
    guard let proxyKeyFile else { return [] }
    let cure = "make a new one: payrecon account proxy-key"
    return [checkSecretFile("proxy key of the console", proxyKeyFile, source: cure) { $0.isEmpty ? "it holds no key" : nil }]
  }

  /// Checks the files that name the databases of the sources, because they may hold passwords.
  private func checkSources() -> [DoctorFinding] {
    settings.sources.compactMap { source in
      guard case .serverNamed(let file) = source.origin else { return nil }
      let cure = "write the database's address into it, postgresql://USER@HOST/DATABASE"
      return checkSecretFile("source \(source.name)", file, source: cure) {
        String(decoding: $0, as: UTF8.self).isBlank ? "it holds no address" : nil
      }
    }
  }

  /// Checks a secret file and its permissions.
  ///
  /// - Parameters:
  ///   - source: remedy that yields a correct file.
  ///   - fault: closure that returns the fault of the bytes. Its text must not contain them.
  func checkSecretFile(
    _ check: String, _ file: String, source: String = "download it again from App Store Connect", fault: ([UInt8]) -> String?
  ) -> DoctorFinding {
    var status = stat()
    let isThere = unsafe stat(file, &status) == 0
    guard status.st_size <= StoreAccess.keyBytesMax else {
      return .fault(check, "\"\(file)\" is longer than \(StoreAccess.keyBytesMax) bytes", cure: source)
    }
    guard isThere, let bytes = try? LocalFile.contents(file, bytesMax: StoreAccess.keyBytesMax) else {
      return .fault(
        check, "\"\(file)\" cannot be read: \(errnoText())", cure: "see that it is there and that this account may read it")
    }
    if let fault = fault(bytes) {
      return .fault(check, "\"\(file)\": \(fault)", cure: source)
    }
    let mode = String(status.st_mode & 0o777, radix: 8)
    guard status.st_mode & 0o077 == 0 else {
      return .fault(check, "\"\(file)\" can be read, mode \(mode), by others than its owner", cure: "chmod 600 \(file)")
    }
    return .fine(check, "\"\(file)\" parsed, mode \(mode)")
  }

  // MARK: Roots

  private func checkRoots() -> [DoctorFinding] {
    let anchors: TrustAnchors
    do {
      anchors = try TrustAnchors.trusted(in: rootsDirectory, else: appleRootsFolders)
    } catch {
      return [.fault("roots", "\(error)", cure: "set PAYRECON_APPLE_ROOTS to a folder of root certificates, or install payrecon whole")]
    }
    let place = rootsDirectory.map { "of \"\($0)\"" } ?? "Apple's, shipped"
    return anchors.certificates.map { root in
      let end = Timestamp(microseconds: root.notAfter * 1_000_000)
      let text = "\(place), SHA-256 \(SHA256.hex(root.der)), until \(end.rfc3339.prefix(10))"
      let cure = "put the new certificates from https://www.apple.com/certificateauthority/ into the folder of trusted roots"
      guard end > now else { return .fault("root", "\(text): it has ended", cure: cure) }
      guard end > now.advanced(bySeconds: Self.rootDaysMin * 86_400) else { return .fault("root", "\(text): it ends soon", cure: cure) }
      return .fine("root", text)
    }
  }

  // MARK: Folders

  private func checkInbox() -> [DoctorFinding] {
    guard let folder = settings.inboxFolder else {
      return [.fine("inbox", "none: inbox.directory is not set and there is no \"inbox\" here; nightly reads --inbox alone")]
    }
    do {
      let contents = try Inbox.contents(directory: folder, except: settings.ownFolders)
      if let refused = contents.refused.first {
        return [
          .fault(
            "inbox", "\(contents.refused.count) entries are not read, the first being \(refused.file): \(refused.reason)",
            cure: refused.hint ?? "put plain files into the folder itself")
        ]
      }
      let counts = InputKind.allCases.map { "\($0.rawValue) \(contents.files[$0]?.count ?? 0)" }.joined(separator: ", ")
      return [.fine("inbox", "\"\(folder)\", files: \(counts)")] + checkMappings(contents.files)
    } catch {
      let fault = (error as? JobError)?.message ?? "\(error)"
      return [.fault("inbox", fault, cure: "make the folder and let this account read it, or correct inbox.directory")]
    }
  }

  private func checkFolders() -> [DoctorFinding] {
    let folders =
      [("reports", settings.reportDirectory), ("logs", logDirectory)]
      + (stateDirectory.map { [("state", $0)] } ?? [])
      + (settings.metricsFile.map { [("metrics", Self.parent(of: $0))] } ?? [])
    return folders.map { name, folder in
      let check = "write access to \(name)"
      let place = Self.existing(folder)
      guard unsafe access(place, W_OK | X_OK) == 0 else {
        return .fault(
          check, "this account may not write to \"\(place)\"",
          cure: "let it, or name another folder for \(name) in the settings or environment")
      }
      return .fine(check, place == folder ? "\"\(folder)\"" : "\"\(folder)\" is not there yet and can be made")
    }
  }

  /// Checks the workbook library, only if the settings request workbooks.
  private func checkWorkbooks() -> [DoctorFinding] {
    guard settings.reportFormats.contains(.xlsx) else { return [] }
    guard !Workbook.isAvailable else { return [.fine("workbooks", "the library that writes xlsx is there")] }
    return [
      .fault(
        "workbooks", "reports.formats has xlsx, and the library that writes it is not installed",
        cure: "apt-get install \(Workbook.package), or leave xlsx out of reports.formats")
    ]
  }

  private func checkDisk() -> [DoctorFinding] {
    var seen: Set<UInt> = []
    let folders = [stateDirectory, settings.reportDirectory, logDirectory, Temporary.directory].compactMap { $0 }
    return folders.compactMap { folder in
      var status = statvfs()
      let place = Self.existing(folder)
      guard unsafe statvfs(place, &status) == 0 else {
        return .fault("disk", "\"\(place)\" cannot be looked at: \(errnoText())", cure: "see that it is mounted")
      }
      guard seen.insert(UInt(status.f_fsid)).inserted else { return nil }
      let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
      let text = "\(free >> 20) MiB free at \"\(place)\""
      guard free >= Self.freeBytesMin else {
        return .fault("disk", text, cure: "free some: a night needs \(Self.freeBytesMin >> 20) MiB")
      }
      return .fine("disk", text)
    }
  }

  private static func existing(_ folder: String) -> String {
    var path = folder
    while unsafe access(path, F_OK) != 0 { path = parent(of: path) }
    return path
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
