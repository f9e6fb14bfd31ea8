internal import Glibc

/// The paths of a cluster and the account that runs it.
///
/// The home folder and its settings belong to the caller. Only `data`, `log` and the socket folder belong to the server's account. Root
/// thus never writes to a place where that account could create a link.
struct ClusterLayout {
  static let port = 5432
  static let database = "payrecon"
  static let databaseUser = "payrecon"
  /// Prefix of folders that are renamed to `data` when initdb has finished.
  static let newDataPrefix = "data.new-"
  /// Folder for clusters whose state directory the server's account cannot reach.
  private static let sharedHomes = "/var/lib/payrecon/clusters"
  private static let pointerName = "cluster-location"
  private static let backPointerName = "state-directory"
  /// Maximum number of bytes of a socket path in `sockaddr_un`, without the closing null.
  private static let socketPathBytesMax = 107

  var home: String
  var account: Account

  var data: String { "\(home)/data" }
  var settings: String { "\(home)/postgresql.conf" }
  var hba: String { "\(home)/pg_hba.conf" }
  var ident: String { "\(home)/pg_ident.conf" }
  var logFolder: String { "\(home)/log" }
  var log: String { "\(logFolder)/postgresql.log" }
  var processFile: String { "\(data)/postmaster.pid" }
  /// Marker file that the last step of the first start writes after creating the database.
  var readyMark: String { "\(home)/ready" }

  var hasData: Bool { Files.exists("\(data)/PG_VERSION") }

  /// Major version of the data; nil if there are none.
  var dataVersion: Int? {
    hasData ? Files.read("\(data)/PG_VERSION").flatMap { text in Int(text.prefix { $0.isNumber }) } : nil
  }

  func newDataFolder() -> String {
    "\(home)/\(Self.newDataPrefix)\(String(UInt32.random(in: .min ... .max), radix: 36))"
  }

  /// Folder of the Unix socket: in the home folder, or a private one under `/tmp` if that path is too long.
  var socketFolder: String {
    let folder = "\(home)/socket"
    guard Self.socketPath(in: folder).utf8.count > Self.socketPathBytesMax else { return folder }
    return "/tmp/payrecon-\(account.user)-\(Files.fingerprint(home))"
  }

  var socket: String { Self.socketPath(in: socketFolder) }

  private static func socketPath(in folder: String) -> String { "\(folder)/.s.PGSQL.\(port)" }

  func conninfo(database: String = Self.database) -> String {
    let host = socketFolder.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "host='\(host)' port=\(Self.port) dbname=\(database) user=\(Self.databaseUser)"
  }

  /// Returns the layout of an existing cluster; nil if the state directory has none.
  static func existing(stateDirectory: String) throws(ClusterError) -> ClusterLayout? {
    let state = Files.resolved(stateDirectory)
    for part in ["PG_VERSION", "data/PG_VERSION"] where Files.exists("\(state)/\(part)") {
      throw ClusterError(
        "cannot use \"\(state)\" as state folder: it is part of a cluster (\"\(part)\" lies in it)",
        hint: "Name the folder that holds \"cluster\", and put the cluster back there if it was moved. Nothing was changed.")
    }
    guard geteuid() == 0 else {
      let home = "\(state)/cluster"
      return Files.exists(home) ? ClusterLayout(home: home, account: .current()) : nil
    }
    let home: String
    if let pointer = Files.read("\(state)/\(pointerName)") {
      home = String(pointer.prefix { !$0.isNewline })
      // Root follows the pointer only into the folder in which root itself creates clusters.
      guard home.hasPrefix(sharedHomes + "/"), !home.contains(".."), Files.status(home)?.st_uid == 0 else {
        throw ClusterError(
          "cannot use \"\(state)/\(pointerName)\": it names \"\(home)\", which is no cluster of root's",
          hint: "Remove the file to begin a new cluster.")
      }
    } else {
      home = "\(state)/cluster"
      guard Files.exists(home) else { return nil }
    }
    let layout = ClusterLayout(home: home, account: try .unprivileged())
    // Data owned by another account, for example after sudo, keep being served by that account.
    guard let owner = Files.status(layout.data)?.st_uid, owner != 0, owner != layout.account.user else { return layout }
    guard let account = Account.named(owner) else {
      throw ClusterError("cannot start the cluster in \"\(layout.data)\": its owner, user \(owner), has no account")
    }
    return ClusterLayout(home: home, account: account)
  }

  /// Returns an error that locates a running server whose cluster was moved out of this state directory; nil if there is none.
  static func movedDataError(stateDirectory: String) throws(ClusterError) -> ClusterError? {
    let account = geteuid() == 0 ? try Account.unprivileged() : .current()
    return ClusterLayout(home: "\(Files.resolved(stateDirectory))/cluster", account: account).movedDataError()
  }

  /// Chooses and creates the home folder of a new cluster. The caller must hold the lock.
  static func make(stateDirectory: String) throws(ClusterError) -> ClusterLayout {
    let state = Files.resolved(stateDirectory)
    guard geteuid() == 0 else {
      let layout = ClusterLayout(home: "\(state)/cluster", account: .current())
      try Files.makeFolder(layout.home, mode: 0o700, account: .current())
      return layout
    }
    let account = try Account.unprivileged()
    var home = "\(state)/cluster"
    if !account.canReach(state) {
      // The name is new each time, so a recreated state directory gets a new cluster.
      home = "\(sharedHomes)/\(Files.fingerprint(state))-\(String(UInt32.random(in: .min ... .max), radix: 36))"
      try Files.makeFolders(sharedHomes, mode: 0o755)
    }
    // The server's account may pass through the folder but not read it.
    try Files.makeFolder(home, mode: 0o711, account: .current())
    try Files.write(state + "\n", to: "\(home)/\(backPointerName)", mode: 0o600)
    if home.hasPrefix(sharedHomes) {
      try Files.write(home + "\n", to: "\(state)/\(pointerName)", mode: 0o600)
    }
    return ClusterLayout(home: home, account: account)
  }

  /// Returns root's clusters whose state directory is gone. They are unusable, but their servers still use memory.
  static func abandoned() -> [ClusterLayout] {
    guard geteuid() == 0 else { return [] }
    return Files.names(in: sharedHomes).compactMap { name in
      let home = "\(sharedHomes)/\(name)"
      guard let state = Files.read("\(home)/\(backPointerName)")?.split(separator: "\n").first,
        Files.read("\(state)/\(pointerName)")?.split(separator: "\n").first.map(String.init) != home,
        let owner = Files.status("\(home)/data")?.st_uid, let account = Account.named(owner)
      else { return nil }
      return ClusterLayout(home: home, account: account)
    }
  }

  /// Returns the process of the cluster's live server; nil if there is none. It is found by `postmaster.pid`, or by the served data if
  /// that file is missing or the folder was moved.
  func postmaster() -> pid_t? { recordedPostmaster() ?? ServerProcess.all().first { $0.serves(self) }?.process }

  /// Returns the live server that `postmaster.pid` names.
  ///
  /// After a crash the number in the file may belong to another process, so the served data are checked.
  private func recordedPostmaster() -> pid_t? {
    guard let first = Files.read(processFile)?.split(separator: "\n").first, let process = pid_t(first),
      process > 1, let server = ServerProcess(process), server.serves(self)
    else { return nil }
    return process
  }

  /// Returns the reason why the cluster must not be used in its present state; nil if it may be used.
  func fault() -> ClusterError? { movedServerError() ?? (hasData ? nil : movedDataError() ?? missingDataError()) }

  /// Returns an error if the server of this cluster's data must not be used: its folder was moved, or its process file was removed. nil
  /// if there is no fault.
  func movedServerError() -> ClusterError? {
    let recorded = recordedPostmaster()
    // Without a fault, checking one process suffices.
    if let process = recorded, ServerProcess(process)?.home == home { return nil }
    guard let server = ServerProcess.all().first(where: { $0.serves(self) }) else { return nil }
    if server.home != home {
      return ClusterError(
        "cannot use the cluster in \"\(home)\": its folder was moved from \"\(server.home)\" while its server runs "
          + "(process \(server.process))",
        hint: "Stop it with payrecon database stop, or put the folder back; then start again. Nothing was changed.")
    }
    guard recorded == nil else { return nil }
    return ClusterError(
      "cannot use the cluster in \"\(home)\": its server runs (process \(server.process)), and its \"\(processFile)\" is "
        + "gone or names another process",
      hint: "PostgreSQL notices that within a minute and ends by itself; or stop it with payrecon database stop. "
        + "Then start again. Nothing was changed.")
  }

  /// Returns an error if a server that was started here still runs on data that were moved away; else nil.
  func movedDataError() -> ClusterError? {
    for server in ServerProcess.all() where server.home == home {
      guard let place = server.workingFolder, Files.exists(place), place != data else { continue }
      return ClusterError(
        "cannot use or make a cluster in \"\(home)\": the server that was started here still runs (process \(server.process)) "
          + "on data that were moved to \"\(place)\"",
        hint: "Put what was moved back to \"\(data)\"; where the whole state folder was moved, PAYRECON_STATE_DIR may name its "
          + "new place instead. To start over, end that server first: kill -INT \(server.process). Nothing was changed.")
    }
    return nil
  }

  /// Returns an error if existing data disappeared; nil if they exist or were never created.
  func missingDataError() -> ClusterError? {
    guard !hasData, Files.exists(readyMark) else { return nil }
    return ClusterError(
      "cannot use the cluster in \"\(home)\": it was made, and its data folder \"\(data)\" is gone or empty",
      hint: "Put the data back, from where they were moved or from a backup. To start over with nothing, remove "
        + "\"\(readyMark)\" and start again. Nothing was changed.")
  }
}
