internal import Glibc

/// Where the parts of a cluster lie, and who runs it.
///
/// The home folder and the settings in it belong to the caller; only `data`, `log` and the socket folder
/// belong to the server's account, so that root never writes where that account could have put a link.
struct ClusterLayout {
  static let port = 5432
  static let database = "payrecon"
  static let databaseUser = "payrecon"
  /// Beginning of the names of folders that become `data` once initdb is through.
  static let newDataPrefix = "data.new-"
  /// Folder for clusters whose state directory the server's account cannot reach.
  private static let sharedHomes = "/var/lib/payrecon/clusters"
  private static let pointerName = "cluster-location"
  private static let backPointerName = "state-directory"
  /// Bytes of a socket's path, without the closing null, that `sockaddr_un` holds.
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
  /// There once the database is made, which is the last step of the first start.
  var readyMark: String { "\(home)/ready" }

  var hasData: Bool { Files.exists("\(data)/PG_VERSION") }

  /// Major version of the data; nil before there are any.
  var dataVersion: Int? {
    hasData ? Files.read("\(data)/PG_VERSION").flatMap { text in Int(text.prefix { $0.isNumber }) } : nil
  }

  func newDataFolder() -> String {
    "\(home)/\(Self.newDataPrefix)\(String(UInt32.random(in: .min ... .max), radix: 36))"
  }

  /// Folder of the Unix socket: in the home folder, else a private one with a short name.
  var socketFolder: String {
    let folder = "\(home)/socket"
    guard Self.socketPath(in: folder).utf8.count > Self.socketPathBytesMax else { return folder }
    return "/tmp/payrecon-\(account.user)-\(Files.fingerprint(home))"
  }

  var socket: String { Self.socketPath(in: socketFolder) }

  private static func socketPath(in folder: String) -> String { "\(folder)/.s.PGSQL.\(port)" }

  /// libpq text for a database of the cluster.
  func conninfo(database: String = Self.database) -> String {
    let host = socketFolder.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "host='\(host)' port=\(Self.port) dbname=\(database) user=\(Self.databaseUser)"
  }

  /// The layout of a cluster that was made before; nil when the state directory has none.
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
      // Root follows the pointer only to where root itself puts clusters.
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
    // Data of somebody else's, say under sudo, go on being run by that account.
    guard let owner = Files.status(layout.data)?.st_uid, owner != 0, owner != layout.account.user else {
      return layout
    }
    guard let account = Account.named(owner) else {
      throw ClusterError(
        "cannot start the cluster in \"\(layout.data)\": its owner, user \(owner), has no account")
    }
    return ClusterLayout(home: home, account: account)
  }

  /// Where a server is that was started under a state directory from which its cluster was moved away; nil when there is none.
  static func departed(stateDirectory: String) throws(ClusterError) -> ClusterError? {
    let account = geteuid() == 0 ? try Account.unprivileged() : .current()
    return ClusterLayout(home: "\(Files.resolved(stateDirectory))/cluster", account: account).departed()
  }

  /// Chooses and makes the home folder of a new cluster. To be called under the lock.
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
      // A new name each time: a state directory that was removed and made again begins anew.
      home =
        "\(sharedHomes)/\(Files.fingerprint(state))-\(String(UInt32.random(in: .min ... .max), radix: 36))"
      try Files.makeFolders(sharedHomes, mode: 0o755)
    }
    // Passed through, not read, by the server's account.
    try Files.makeFolder(home, mode: 0o711, account: .current())
    try Files.write(state + "\n", to: "\(home)/\(backPointerName)", mode: 0o600)
    if home.hasPrefix(sharedHomes) {
      try Files.write(home + "\n", to: "\(state)/\(pointerName)", mode: 0o600)
    }
    return ClusterLayout(home: home, account: account)
  }

  /// Clusters of root's whose state directory is gone: nobody can use them, yet their servers hold memory.
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

  /// The server's process, when a live server of this cluster is there: named by `postmaster.pid`, or found by what it
  /// serves when that file is gone or the folder was moved.
  func postmaster() -> pid_t? { named() ?? ServerProcess.all().first { $0.serves(self) }?.process }

  /// The live server that `postmaster.pid` names.
  ///
  /// After a crash the number in the file may belong to any other process: what it serves tells.
  private func named() -> pid_t? {
    guard let first = Files.read(processFile)?.split(separator: "\n").first, let process = pid_t(first),
      process > 1, let server = ServerProcess(process), server.serves(self)
    else { return nil }
    return process
  }

  /// Why the cluster may not be used as it lies there; nil when it may.
  func fault() -> ClusterError? { misplaced() ?? (hasData ? nil : departed() ?? lostData()) }

  /// A server that serves this cluster's data and may not be used: its folder was moved under it, or its process file was
  /// removed.
  ///
  /// - Returns: what is the matter and what to do; nil when all is as it should be.
  func misplaced() -> ClusterError? {
    let isNamed = named()
    // One look at one process is all that it takes as long as nothing is the matter.
    if let process = isNamed, ServerProcess(process)?.home == home { return nil }
    guard let server = ServerProcess.all().first(where: { $0.serves(self) }) else { return nil }
    if server.home != home {
      return ClusterError(
        "cannot use the cluster in \"\(home)\": its folder was moved from \"\(server.home)\" while its server runs "
          + "(process \(server.process))",
        hint: "Stop it with payrecon database stop, or put the folder back; then start again. Nothing was changed.")
    }
    guard isNamed == nil else { return nil }
    return ClusterError(
      "cannot use the cluster in \"\(home)\": its server runs (process \(server.process)), and its \"\(processFile)\" is "
        + "gone or names another process",
      hint: "PostgreSQL notices that within a minute and ends by itself; or stop it with payrecon database stop. "
        + "Then start again. Nothing was changed.")
  }

  /// A server that was started here and whose data somebody moved away.
  func departed() -> ClusterError? {
    for server in ServerProcess.all() where server.home == home {
      guard let place = server.workingFolder, Files.exists(place), place != data else { continue }
      return ClusterError(
        "cannot use or make a cluster in \"\(home)\": the server that was started here still runs (process \(server.process)) "
          + "on data that were moved to \"\(place)\"",
        hint: "Put what was moved back to \"\(data)\"; where the whole state folder was moved, PAYRECON_STATE_DIR may name its "
          + "new place instead. To begin anew, end that server first: kill -INT \(server.process). Nothing was changed.")
    }
    return nil
  }

  /// Why data that were made once cannot be found; nil when they are there, or were never made.
  func lostData() -> ClusterError? {
    guard !hasData, Files.exists(readyMark) else { return nil }
    return ClusterError(
      "cannot use the cluster in \"\(home)\": it was made, and its data folder \"\(data)\" is gone or empty",
      hint: "Put the data back, from where they were moved or from a backup. To begin anew with nothing, remove "
        + "\"\(readyMark)\" and start again. Nothing was changed.")
  }
}
