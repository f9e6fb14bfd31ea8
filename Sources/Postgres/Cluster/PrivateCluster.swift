internal import CLibPQ
internal import Glibc
internal import SystemCalls

/// The PostgreSQL server that payrecon runs itself. It is created in the state directory on first use and listens only on a Unix socket.
///
/// The server keeps running after the command that started it, for later commands. PostgreSQL refuses to run as root. For root it
/// therefore runs as account `postgres`, else `nobody`. If that account cannot reach the state directory, the data are stored under
/// `/var/lib/payrecon/clusters`.
///
/// The calls block, so the actor has a dedicated queue.
public actor PrivateCluster {
  /// Maximum wait for another command that starts or stops the same cluster.
  private static let lockWait = Duration.seconds(300)
  /// Maximum wait for a server that is recovering.
  private static let startWait = Duration.seconds(300)
  /// Maximum wait for a live server that does not answer, before it is restarted.
  private static let silenceWait = Duration.seconds(15)
  /// Maximum wait for the end of a server after the stop signal.
  private static let stopWait = Duration.seconds(120)
  /// Maximum wait for leftover processes of a killed server.
  private static let leftoverWait = Duration.seconds(30)
  /// Pause between two checks of a server or a lock.
  private static let pauseMicroseconds: UInt32 = 50_000
  /// Log size above which a start renames the log. One older log is kept.
  private static let logBytesMax = 64 << 20

  private let stateDirectory: String
  private let executor = SerialQueueExecutor(label: "payrecon.cluster")

  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// - Parameter stateDirectory: created on first use.
  public init(stateDirectory: String) { self.stateDirectory = stateDirectory }

  /// Creates and starts the server as far as needed. Returns the libpq connection string.
  public func start() throws(ClusterError) -> String {
    // A running server is used without a lock or another process.
    if let layout = try ClusterLayout.existing(stateDirectory: stateDirectory), isAnswering(layout) {
      if let fault = layout.fault() { throw fault }
      return layout.conninfo()
    }
    if let fault = try absentFault() { throw fault }
    try requireUsableName()
    try Files.makeFolders(stateDirectory, mode: geteuid() == 0 ? 0o755 : 0o700)
    let lock = try ClusterLock(directory: stateDirectory, wait: Self.lockWait)
    defer { lock.release() }
    let layout: ClusterLayout
    if let made = try ClusterLayout.existing(stateDirectory: stateDirectory) {
      layout = made
    } else {
      for other in ClusterLayout.abandoned() where other.postmaster() != nil { try stop(other) }
      layout = try ClusterLayout.make(stateDirectory: stateDirectory)
    }
    if let fault = layout.fault() { throw fault }
    // Another command may have done the work while this one waited for the lock.
    if isAnswering(layout) { return layout.conninfo() }
    let binaries = try ServerBinaries.find(majorVersion: layout.dataVersion)
    if !layout.hasData { try makeData(layout, binaries) }
    try startServer(layout, binaries)
    if !Files.exists(layout.readyMark) { try makeDatabase(layout) }
    return layout.conninfo()
  }

  /// Characters that PostgreSQL does not accept in the path of a socket or of initdb's data folder.
  private static let unusableCharacters = ",$\"`\n\r"

  /// Throws if the state folder has a name in which PostgreSQL does not start.
  private func requireUsableName() throws(ClusterError) {
    let path = Machine.absolutePath(stateDirectory)
    guard let found = path.first(where: { Self.unusableCharacters.contains($0) }) else { return }
    let name = found.isNewline ? "a line break" : "the character \(found)"
    throw ClusterError(
      "cannot use \"\(path)\" as state folder: PostgreSQL does not start in a path with \(name)",
      hint: "Name another folder in PAYRECON_STATE_DIR, without comma, dollar sign, double quote and backtick. Nothing was changed.")
  }

  /// Returns an error if a server still runs although its cluster is missing here; else nil.
  private func absentFault() throws(ClusterError) -> ClusterError? {
    try ClusterLayout.existing(stateDirectory: stateDirectory) == nil
      ? try ClusterLayout.movedDataError(stateDirectory: stateDirectory) : nil
  }

  /// Starts an existing server and returns the libpq connection string. Creates nothing.
  ///
  /// - Throws: `ClusterError`, also if there is no cluster.
  public func startExisting() throws(ClusterError) -> String {
    if case .absent = try status() {
      throw ClusterError(
        "there is no database yet: nothing was ever kept under \"\(stateDirectory)\"",
        hint: "Name the right state folder in PAYRECON_STATE_DIR, or the server in PAYRECON_DATABASE_URL; "
          + "payrecon init makes a new one.")
    }
    return try start()
  }

  /// Interrupts running statements and stops the server; data stay. Does nothing if it is not running.
  public func stop() throws(ClusterError) {
    if let fault = try absentFault() { throw fault }
    guard try ClusterLayout.existing(stateDirectory: stateDirectory) != nil else { return }
    let lock = try ClusterLock(directory: stateDirectory, wait: Self.lockWait)
    defer { lock.release() }
    guard let layout = try ClusterLayout.existing(stateDirectory: stateDirectory) else { return }
    try stop(layout)
  }

  /// Restarts the server after a crash. A stopped server stays stopped, and a running one is not touched.
  public func restartAfterCrash() throws(ClusterError) {
    // A stopped server removes its process file; a killed one leaves it.
    guard let layout = try ClusterLayout.existing(stateDirectory: stateDirectory), layout.postmaster() == nil,
      Files.exists(layout.processFile)
    else { return }
    _ = try start()
  }

  /// Returns whether the server runs, and its paths. Changes nothing.
  public func status() throws(ClusterError) -> ClusterStatus {
    guard let layout = try ClusterLayout.existing(stateDirectory: stateDirectory) else {
      guard let fault = try absentFault() else { return .absent(stateDirectory: stateDirectory) }
      return .unusable(home: stateDirectory, reason: fault.description)
    }
    if let fault = layout.fault() { return .unusable(home: layout.home, reason: fault.description) }
    guard layout.hasData else { return .absent(stateDirectory: stateDirectory) }
    guard let process = layout.postmaster() else { return .stopped(home: layout.home) }
    return .running(process: process, home: layout.home, conninfo: layout.conninfo())
  }

  /// Allows accounts with passwords if an older payrecon started the server without them. The server must be running.
  public func admitAccounts() throws(ClusterError) {
    guard let layout = try ClusterLayout.existing(stateDirectory: stateDirectory) else { return }
    let lock = try ClusterLock(directory: stateDirectory, wait: Self.lockWait)
    defer { lock.release() }
    let hba = ClusterSettings(layout: layout, hasLZ4: false).hba()
    guard Files.read(layout.hba) != hba else { return }
    try Files.write(hba, to: layout.hba, mode: 0o644)
    do throws(PostgresError) {
      let settings = ConnectionSettings(conninfo: layout.conninfo(database: "postgres"), applicationName: "payrecon accounts")
      try Connection(settings).execute("select pg_reload_conf()")
    } catch {
      throw ClusterError("could not have the server in \"\(layout.home)\" read who may connect: \(error)")
    }
  }

  private func stop(_ layout: ClusterLayout) throws(ClusterError) {
    guard let process = layout.postmaster() else {
      // If the data were moved away from a running server, it is not stopped.
      if !layout.hasData, let fault = layout.movedDataError() { throw fault }
      return
    }
    let binaries = try ServerBinaries.find(majorVersion: layout.dataVersion)
    guard layout.movedServerError() == nil else { return try end(process, layout) }
    let outcome = try run(["\(binaries.folder)/pg_ctl", "stop", "-D", layout.data, "-m", "fast", "-w", "-t", "120"], layout)
    guard outcome.status == 0 || layout.postmaster() == nil else {
      throw ClusterError("could not stop PostgreSQL in \"\(layout.home)\": \(outcome.output)")
    }
    // The server removes its process file before it ends. A check during that time would report a lost file.
    try awaitEnd(of: process, layout)
  }

  /// Stops a server whose folder was moved. pg_ctl could find another server's files there.
  private func end(_ process: pid_t, _ layout: ClusterLayout) throws(ClusterError) {
    // SIGINT requests a fast shutdown.
    guard kill(process, SIGINT) == 0 || errno == ESRCH else {
      throw ClusterError("could not stop PostgreSQL, process \(process): \(SystemFault.text(errno))")
    }
    try awaitEnd(of: process, layout)
  }

  private func awaitEnd(of process: pid_t, _ layout: ClusterLayout) throws(ClusterError) {
    let end = ContinuousClock.now + Self.stopWait
    while layout.postmaster() == process {
      guard ContinuousClock.now < end else {
        throw ClusterError(
          "could not stop PostgreSQL, process \(process), within \(Self.stopWait.components.seconds) s",
          hint: "See which sessions it waits for, or end it: kill -QUIT \(process).")
      }
      usleep(Self.pauseMicroseconds)
    }
  }

  /// Runs initdb in a temporary folder, so that an interrupted run leaves no data that look complete.
  ///
  /// - Source: PostgreSQL documentation, initdb.
  private func makeData(_ layout: ClusterLayout, _ binaries: ServerBinaries) throws(ClusterError) {
    // Removes leftovers of interrupted starts. Their initdb may still be writing, so the new folder gets another name.
    for name in Files.names(in: layout.home) where name.hasPrefix(ClusterLayout.newDataPrefix) {
      _ = try ChildProcess.run(["/bin/rm", "-rf", "--", "\(layout.home)/\(name)"], directory: "/")
    }
    let newData = layout.newDataFolder()
    try Files.makeFolder(newData, mode: 0o700, account: layout.account)
    let outcome = try run(
      [
        "\(binaries.folder)/initdb", "-D", newData, "-U", ClusterLayout.databaseUser, "--locale=C", "-E", "UTF8",
        "--data-checksums", "--auth=peer", "--no-instructions",
      ], layout)
    guard outcome.status == 0 else {
      throw ClusterError(
        "could not make the database cluster in \"\(layout.home)\": \(outcome.output)",
        hint: "See that the disk has 100 MB free and that account \"\(layout.account.name)\" may write there."
      )
    }
    guard unsafe rename(newData, layout.data) == 0 else { throw Files.failure("finish", layout.data) }
  }

  /// Starts the server after removing leftovers of an earlier one.
  private func startServer(_ layout: ClusterLayout, _ binaries: ServerBinaries) throws(ClusterError) {
    if layout.postmaster() != nil {
      if awaitAnswer(layout) { return }
      // The server runs without a socket, for example after a cleanup of /tmp.
      try stop(layout)
    }
    try clearLeftovers(layout)
    let settings = ClusterSettings(layout: layout, hasLZ4: binaries.supportsLZ4())
    try Files.makeFolder(layout.logFolder, mode: 0o700, account: layout.account)
    try Files.makeFolder(layout.socketFolder, mode: 0o700, account: layout.account)
    try Files.write(settings.postgresql(), to: layout.settings, mode: 0o644)
    try Files.write(settings.hba(), to: layout.hba, mode: 0o644)
    try Files.write(settings.ident(), to: layout.ident, mode: 0o644)
    if let log = Files.status(layout.log), log.st_size > Self.logBytesMax {
      unsafe rename(layout.log, "\(layout.log).1")
    }
    let arguments = [
      "\(binaries.folder)/pg_ctl", "start", "-D", layout.home, "-l", layout.log, "-w",
      "-t", String(Self.startWait.components.seconds), "-s",
    ]
    let end = ContinuousClock.now + Self.leftoverWait
    while true {
      let outcome = try run(arguments, layout)
      if outcome.status == 0 { return }
      // Processes of a killed server keep its shared memory for a moment, so the start is retried.
      guard ContinuousClock.now < end, logTail(layout).contains("is still in use") else {
        throw ClusterError(
          "could not start PostgreSQL in \"\(layout.home)\": \(outcome.output); \(logTail(layout))",
          hint: "The whole log is \(layout.log).")
      }
      usleep(Self.pauseMicroseconds * 10)
    }
  }

  /// Removes the process files of a server that is gone. Their process id may belong to another process.
  private func clearLeftovers(_ layout: ClusterLayout) throws(ClusterError) {
    for path in [layout.processFile, "\(layout.socket).lock", layout.socket] where Files.exists(path) {
      guard unsafe unlink(path) == 0 || errno == ENOENT else { throw Files.failure("remove the leftover", path) }
    }
  }

  private func makeDatabase(_ layout: ClusterLayout) throws(ClusterError) {
    let settings = ConnectionSettings(conninfo: layout.conninfo(database: "postgres"), applicationName: "payrecon start")
    do throws(PostgresError) {
      let connection = try Connection(settings)
      try connection.execute("create database \(ClusterLayout.database) template template0")
    } catch {
      // An interrupted start may have created the database already.
      guard case .server(let refusal) = error, refusal.sqlState == .duplicateDatabase else {
        throw ClusterError("could not make the database \"\(ClusterLayout.database)\": \(error)")
      }
    }
    try Files.write("", to: layout.readyMark, mode: 0o644)
  }

  private func awaitAnswer(_ layout: ClusterLayout) -> Bool {
    let start = ContinuousClock.now
    while layout.postmaster() != nil {
      let answer = ping(layout)
      if answer == PQPING_OK { return true }
      // A server that rejects connections is recovering, which may take long.
      let wait = answer == PQPING_REJECT ? Self.startWait : Self.silenceWait
      if ContinuousClock.now - start > wait { return false }
      usleep(Self.pauseMicroseconds)
    }
    return false
  }

  /// Whether the server accepts connections and its database exists.
  private func isAnswering(_ layout: ClusterLayout) -> Bool {
    Files.exists(layout.readyMark) && Files.exists(layout.socket) && ping(layout) == PQPING_OK
  }

  /// Returns the state of the server.
  ///
  /// - Source: libpq, PQping.
  private func ping(_ layout: ClusterLayout) -> PGPing {
    unsafe PQping(layout.conninfo(database: "postgres") + " connect_timeout=5")
  }

  private func logTail(_ layout: ClusterLayout) -> String {
    let outcome = try? ChildProcess.run(["/usr/bin/tail", "-n", "6", layout.log], directory: "/")
    return outcome?.output ?? ""
  }

  /// Runs a server program as the server's account.
  private func run(_ arguments: [String], _ layout: ClusterLayout) throws(ClusterError) -> ChildProcess.Outcome {
    guard layout.account.user != geteuid() else { return try ChildProcess.run(arguments, directory: layout.home) }
    let candidates = ["/usr/bin/setpriv", "/bin/setpriv", "/sbin/setpriv"]
    guard let setpriv = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw ClusterError(
        "could not run \"\(arguments[0])\" as account \"\(layout.account.name)\": setpriv is not installed",
        hint: "Install it: apt-get install util-linux; or run payrecon as an ordinary user.")
    }
    let prefix = [setpriv, "--reuid=\(layout.account.user)", "--regid=\(layout.account.group)", "--clear-groups", "--no-new-privs", "--"]
    return try ChildProcess.run(prefix + arguments, directory: layout.home)
  }
}

public enum ClusterStatus: Sendable, CustomStringConvertible {
  /// No cluster has been created.
  case absent(stateDirectory: String)
  case stopped(home: String)
  case running(process: Int32, home: String, conninfo: String)
  /// The cluster exists but must not be used in its present state.
  case unusable(home: String, reason: String)

  public var description: String {
    switch self {
    case .absent(let state): "not made yet, state directory \(state)"
    case .stopped(let home): "stopped, in \(home)"
    case .unusable(_, let reason): "not usable: \(reason)"
    case .running(let process, let home, let conninfo): "running, process \(process), in \(home), \(conninfo)"
    }
  }
}
