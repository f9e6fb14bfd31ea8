internal import Glibc
internal import SystemCalls

/// PostgreSQL's server programs of one version.
struct ServerBinaries {
  /// Folder of `initdb`, `pg_ctl` and `postgres`.
  var folder: String
  var majorVersion: Int

  /// Returns the newest version, or the version that existing data need.
  ///
  /// The search covers `PAYRECON_PG_BIN`, then `PATH`, then the folders of Debian, Ubuntu and Red Hat.
  static func find(majorVersion wanted: Int?) throws(ClusterError) -> ServerBinaries {
    var found: [Int] = []
    for candidate in candidates() where isComplete(candidate) {
      // PATH may contain links to only some of the programs.
      let folder = Files.resolved("\(candidate)/postgres").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      guard isComplete(folder) else { continue }
      guard let version = try version(of: folder) else { continue }
      if version == wanted ?? version, version >= oldestVersion {
        return ServerBinaries(folder: folder, majorVersion: version)
      }
      found.append(version)
    }
    let have = found.isEmpty ? "none are installed" : "only version \(found.map(String.init).joined(separator: ", "))"
    if let wanted {
      throw ClusterError(
        "could not find the PostgreSQL \(wanted) programs that the cluster's data needs: \(have)",
        hint: "Install them: apt-get install postgresql-\(wanted); or set PAYRECON_PG_BIN to their folder.")
    }
    throw ClusterError(
      "could not find the PostgreSQL server programs (initdb, pg_ctl, postgres), version \(oldestVersion) or newer: "
        + have,
      hint: "Install them: apt-get install postgresql; or set PAYRECON_PG_BIN to their folder, "
        + "or PAYRECON_DATABASE_URL to a server that runs already.")
  }

  /// Whether the server supports LZ4 compression of its write-ahead log.
  func supportsLZ4() -> Bool {
    let path = "\(folder)/pg_config"
    guard unsafe access(path, X_OK) == 0 else { return false }
    do throws(ClusterError) {
      return try ChildProcess.run([path, "--configure"], directory: "/").output.contains("--with-lz4")
    } catch {
      return false
    }
  }

  /// Oldest version that supports the SQL of this program.
  private static let oldestVersion = 14

  private static func candidates() -> [String] {
    if let given = Machine.variable("PAYRECON_PG_BIN") { return [given] }
    var folders = (Machine.variable("PATH") ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    let versions = Files.names(in: "/usr/lib/postgresql").compactMap { Int($0) }.sorted(by: >)
    folders += versions.map { "/usr/lib/postgresql/\($0)/bin" }
    let others = Files.names(in: "/usr").filter { $0.hasPrefix("pgsql-") }.compactMap { Int($0.dropFirst(6)) }
    folders += others.sorted(by: >).map { "/usr/pgsql-\($0)/bin" }
    return folders + ["/usr/local/pgsql/bin"]
  }

  private static func isComplete(_ folder: String) -> Bool {
    ["initdb", "pg_ctl", "postgres"].allSatisfy { unsafe access("\(folder)/\($0)", X_OK) == 0 }
  }

  /// Returns the major version from `postgres (PostgreSQL) 15.14 (Debian …)`.
  private static func version(of folder: String) throws(ClusterError) -> Int? {
    let output = try ChildProcess.run(["\(folder)/postgres", "--version"], directory: "/").output
    return output.split(separator: " ").lazy.compactMap { Int($0.prefix { $0.isNumber }) }.first
  }
}
