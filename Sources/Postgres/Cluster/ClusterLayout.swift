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

  /// The server's process, when `postmaster.pid` names a live server of this cluster.
  ///
  /// After a crash the number in the file may belong to any other process. Its command line tells; its
  /// working folder would too, but root in a container may not look at that.
  func postmaster() -> pid_t? {
    guard let first = Files.read(processFile)?.split(separator: "\n").first, let process = pid_t(first),
      process > 1, let command = Files.read("/proc/\(process)/cmdline")
    else { return nil }
    let words = command.split(separator: "\0")
    guard let program = words.first, program.hasSuffix("postgres") else { return nil }
    return words.contains { $0 == home } ? process : nil
  }
}
