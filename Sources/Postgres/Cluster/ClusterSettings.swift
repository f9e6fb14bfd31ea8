internal import Glibc

/// The texts of the server's settings files, which every start rewrites.
struct ClusterSettings {
  var layout: ClusterLayout
  var hasLZ4: Bool

  /// Returns the text of postgresql.conf.
  ///
  /// - Source: PostgreSQL documentation, "Server Configuration".
  func postgresql() -> String {
    let memory = Self.memoryMegabytes()
    // A quarter of a small machine, an eighth of a large one. The frequently read pages of millions of orders fit into two gigabytes.
    let buffers = min(2048, max(32, min(512, memory / 4), memory / 8))
    let work = min(64, max(4, memory / 64))
    let lines: [(String, String)] = [
      ("data_directory", quoted(layout.data)),
      ("hba_file", quoted(layout.hba)),
      ("ident_file", quoted(layout.ident)),
      ("external_pid_file", "''"),
      ("listen_addresses", "''"),
      ("port", String(ClusterLayout.port)),
      ("unix_socket_directories", quoted(layout.socketFolder)),
      ("unix_socket_permissions", "0700"),
      ("max_connections", "50"),
      ("shared_buffers", "\(buffers)MB"),
      ("work_mem", "\(work)MB"),
      ("maintenance_work_mem", "\(work * 4)MB"),
      ("effective_cache_size", "\(max(64, memory / 2))MB"),
      ("dynamic_shared_memory_type", Self.hasRoomInShm() ? "posix" : "mmap"),
      ("fsync", "on"),
      ("synchronous_commit", "on"),
      ("wal_compression", hasLZ4 ? "lz4" : "on"),
      ("max_wal_size", "4GB"),
      ("min_wal_size", "128MB"),
      ("checkpoint_timeout", "15min"),
      // pg_basebackup needs two senders: one for the files, one for the log written during the backup.
      ("wal_level", "replica"),
      ("max_wal_senders", "2"),
      ("random_page_cost", "1.1"),
      ("jit", "off"),
      ("timezone", "'UTC'"),
      ("log_timezone", "'UTC'"),
      ("datestyle", "'iso, ymd'"),
      ("log_destination", "'stderr'"),
      ("logging_collector", "off"),
      ("log_min_messages", "warning"),
      ("log_checkpoints", "off"),
      ("log_line_prefix", "'%m [%p] %a '"),
      // Statement parameters are personal data and must not appear in the log.
      ("log_parameter_max_length", "0"),
      ("log_parameter_max_length_on_error", "0"),
      ("log_min_error_statement", "panic"),
    ]
    return "# Written by payrecon at every start; changes here are lost.\n"
      + lines.map { "\($0.0) = \($0.1)\n" }.joined()
  }

  /// Returns the text of pg_hba.conf, for the socket only. The cluster's owner and root authenticate as peers; other accounts need a
  /// password.
  func hba() -> String {
    let owner = ["all", "replication"].map { "local \($0) \(ClusterLayout.databaseUser) peer map=payrecon\n" }
    let people = "local all all scram-sha-256\n"
    return "# Written by payrecon at every start.\n" + owner.joined() + people
  }

  func ident() -> String {
    var names = ["root", layout.account.name, Account.current().name]
    names = names.enumerated().filter { !names[..<$0.offset].contains($0.element) }.map(\.element)
    return "# Written by payrecon at every start.\n"
      + names.map { "payrecon \"\($0)\" \(ClusterLayout.databaseUser)\n" }.joined()
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
  }

  /// Returns the memory of the machine, or of the container if it has less.
  private static func memoryMegabytes() -> Int {
    let machine = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
    let limit = Files.read("/sys/fs/cgroup/memory.max").flatMap { text in Int(text.prefix { $0.isNumber }) }
    return min(machine, limit ?? machine) / (1 << 20)
  }

  /// Whether `/dev/shm` has 1 GiB free. Containers often have 64 MB, which is too little for parallel queries.
  private static func hasRoomInShm() -> Bool {
    var room = statvfs()
    guard unsafe statvfs("/dev/shm", &room) == 0 else { return false }
    return Int(room.f_bavail) * Int(room.f_frsize) >= 1 << 30
  }
}
