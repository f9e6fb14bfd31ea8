/// The reason why the database cannot get this program's schema.
public struct MigrationError: Error, Sendable, CustomStringConvertible {
  public let description: String
}

/// Creates and updates the schema.
///
/// The files `schema/SUBJECT.sql` are the baseline, applied once in one transaction. The files `schema/NNNN_what.sql` are changes since
/// version 1.0, applied once each, in order. The files in `functions` and `reference` are applied again whenever their text changes.
///
/// Migrations cannot be undone; a new file corrects a mistake. `payrecon.migrations` stores the hash of each text, so a changed text is
/// rejected.
public struct Migrator: Sendable {
  /// Key of the advisory lock that allows one migrator at a time ("payrecon" in ASCII).
  private static let lockKey: Int64 = 0x7061_7972_6563_6F6E
  /// Maximum wait of one migrator for another, which may be building large indexes.
  private static let lockWait = "15min"
  private static let folder = "schema/"

  let files: SQLFiles
  private let hash: @Sendable ([UInt8]) -> String

  /// - Parameters:
  ///   - files: files under `schema/`, `functions/` and `reference/` are used.
  ///   - hash: hexadecimal SHA-256 of a file's bytes.
  public init(files: SQLFiles, hash: @escaping @Sendable ([UInt8]) -> String) {
    self.files = files
    self.hash = hash
  }

  /// Returns the names of pending parts in order: schema files, then `functions` and `reference`. Takes no lock and changes nothing.
  ///
  /// - Parameter restoring: whether functions and reference data are pending if a newer program replaced them.
  /// - Throws: `MigrationError` if files and database contradict each other, `PostgresError`.
  public func pending(on session: Session, restoring: Bool = false) async throws -> [String] {
    let known = try steps()
    let parts = try replaceables(newest: known.last?.name)
    return try await session.transaction(.readOnlySnapshot) { tx in
      let applied = try Self.isPresent("migrations", &tx) ? Self.applied(&tx) : []
      let hashes = try Self.isPresent("applied_texts", &tx) ? Replaceable.appliedHashes(&tx) : [:]
      return try Self.pending(known, applied: applied).map(\.name)
        + parts.filter { try $0.isPending(applied: hashes[$0.name] ?? [], restoring: restoring) }.map(\.name)
    }
  }

  /// Applies everything that is pending and returns the names of the applied parts.
  ///
  /// - Parameter restoring: whether functions and reference data are applied if a newer program replaced them.
  /// - Throws: `MigrationError` if files and database contradict each other. `PostgresError` with file and position if the server
  ///   rejects one; earlier files stay applied.
  public func migrate(_ session: Session, restoring: Bool = false) async throws -> [String] {
    // Usually nothing is pending. That case must not wait for a lock or need the privilege to change the schema.
    guard try await !pending(on: session, restoring: restoring).isEmpty else { return [] }
    let known = try steps()
    var names: [String] = []
    while let name = try await applyNext(of: known, on: session) { names.append(name) }
    return try await names + replace(newest: known.last?.name, restoring: restoring, on: session)
  }

  /// Takes the lock until the end of the transaction, so that the list of migrations stays current. Acts as the schema's owner, who then
  /// owns all objects.
  static func begin(_ tx: inout DatabaseTransaction) throws(PostgresError) {
    try tx.execute("set local lock_timeout = '\(lockWait)'")
    try tx.execute("select pg_advisory_xact_lock(\(lockKey))")
    // Without distributed tables, other nodes need no definitions, and the owner could not log in to them.
    let isDistributed = try Distribution.exists(&tx)
    try tx.execute("set local citus.enable_ddl_propagation = \(isDistributed)")
    if try !isPresent("migrations", &tx) { try tx.execute(tableText) }
    for owner in try tx.rows(ownerFile) { try tx.execute("set local role \(owner)") }
  }

  /// Applies the first pending file and returns its name; nil if nothing is pending.
  private func applyNext(of known: [Step], on session: Session) async throws -> String? {
    try await session.transaction { tx in
      try Self.begin(&tx)
      try tx.execute("reset lock_timeout")
      guard let step = try Self.pending(known, applied: Self.applied(&tx)).first else { return nil }
      let start = ContinuousClock.now
      for script in step.scripts { try tx.execute(script.text, file: script.path) }
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
      try tx.send(
        Self.insertFile,
        ["number": .int4(step.number), "name": .text(step.name), "sha256": .text(step.sha256), "duration_ms": .int8(milliseconds)])
      try Self.audit("migration_applied", subject: step.name, sha256: step.sha256, &tx)
      return step.name
    }
  }

  /// Recreates functions and reference data whose text changed, in one transaction, and returns their names.
  private func replace(newest: String?, restoring: Bool, on session: Session) async throws -> [String] {
    let parts = try replaceables(newest: newest)
    return try await session.transaction { tx in
      try Self.begin(&tx)
      if try !Self.isPresent("applied_texts", &tx) { try tx.execute(Replaceable.tableText) }
      let hashes = try Replaceable.appliedHashes(&tx)
      let pending = try parts.filter { try $0.isPending(applied: hashes[$0.name] ?? [], restoring: restoring) }
      for part in pending {
        let hasAudit = try Self.hasAudit(&tx)
        try part.apply(number: (hashes[part.name]?.count ?? 0) + 1, &tx)
        // The functions include the one that appends audit entries. Earlier migrations are recorded now.
        if !hasAudit {
          for step in try Self.applied(&tx) {
            try Self.audit("migration_applied", subject: step.name, sha256: step.sha256, &tx)
          }
        }
        try Self.audit("\(part.name)_made", subject: part.name, sha256: part.sha256, &tx)
      }
      return pending.map(\.name)
    }
  }

  /// Returns the functions and reference data of the folder, without empty parts.
  func replaceables(newest: String?) throws -> [Replaceable] {
    // A view has the columns that its table had at creation, so a newer schema recreates the views.
    let parts = [
      try Replaceable("functions", files: files, salt: newest ?? "", hash: hash),
      try Replaceable("reference", files: files, salt: "", hash: hash),
    ]
    return parts.filter { !$0.files.isEmpty }
  }

  /// Returns the baseline as number 0, then the numbered files from 1 without a gap.
  func steps() throws -> [Step] {
    let scripts = try files.paths.filter { $0.hasPrefix(Self.folder) }.map { (path: $0, text: try files.text($0)) }
    let isNumbered = { (path: String) in path.dropFirst(Self.folder.count).first?.isNumber ?? false }
    let baseline = scripts.filter { !isNumbered($0.path) }
    var steps = baseline.isEmpty ? [] : [Step(number: 0, name: "baseline", scripts: baseline, hash: hash)]
    for (index, script) in scripts.filter({ isNumbered($0.path) }).enumerated() {
      let name = String(script.path.dropFirst(Self.folder.count).dropLast(".sql".count))
      guard name.wholeMatch(of: /[0-9]{4}_.+/) != nil, let number = Int32(name.prefix(4)) else {
        throw MigrationError(description: "cannot use \"\(files.directory)/\(script.path)\": a migration is named like 0001_what.sql")
      }
      guard number == index + 1 else {
        let fault =
          number == index
          ? "\(steps[steps.count - 1].name) and \(name) share a number" : "number \(index + 1) is missing, \(name) comes instead"
        throw MigrationError(description: "cannot use the migrations in \"\(files.directory)\": \(fault)")
      }
      steps.append(Step(number: number, name: name, scripts: [script], hash: hash))
    }
    guard !steps.isEmpty else { throw MigrationError(description: "could not find migrations in \"\(files.directory)/schema\"") }
    return steps
  }

  private typealias AppliedStep = (number: Int32, name: String, sha256: String)

  /// Returns the files after the applied ones. The applied ones must be the first files, unchanged.
  private static func pending(_ known: [Step], applied: [AppliedStep]) throws -> ArraySlice<Step> {
    for (index, row) in applied.enumerated() {
      guard index < known.count else {
        throw MigrationError(
          description:
            "cannot use the database: it holds migration \(row.name), which this program does not have; "
            + "use the newer payrecon that made it")
      }
      let step = known[index]
      guard row.number == step.number, row.name == step.name else {
        throw MigrationError(
          description:
            "cannot use the database: its migration \(row.number) is \(row.name), here it is \(step.name); "
            + "use the payrecon that made it, or another database")
      }
      guard row.sha256 == step.sha256 else {
        if step.number == 0 {
          throw MigrationError(
            description: "cannot use the database: it was made by another version of payrecon; "
              + "use the payrecon that made it, or another database")
        }
        throw MigrationError(
          description: "cannot use migration \(step.name): it was changed after it had been applied "
            + "(applied \(row.sha256), now \(step.sha256)); restore it and put the change into a new file")
      }
    }
    return known.dropFirst(applied.count)
  }

  /// Whether a table exists. Reads the catalog because `to_regclass` may answer from a cache older than the lock.
  private static func isPresent(_ table: String, _ tx: inout DatabaseTransaction) throws(PostgresError) -> Bool {
    try tx.rows(presentFile, ["table": .text(table)]).first ?? false
  }

  private static func applied(_ tx: inout DatabaseTransaction) throws(PostgresError) -> [AppliedStep] {
    try tx.rows(appliedFile).map { (number: $0, name: $1, sha256: $2) }
  }

  /// Whether the function that appends to the audit chain exists.
  private static func hasAudit(_ tx: inout DatabaseTransaction) throws(PostgresError) -> Bool {
    try tx.rows(hasAuditFile).first ?? false
  }

  /// Appends an entry to the audit chain if its function exists.
  static func audit(_ act: String, subject: String, sha256: String, _ tx: inout DatabaseTransaction) throws(PostgresError) {
    guard try hasAudit(&tx) else { return }
    try tx.send(auditFile, ["act": .text(act), "subject": .text(subject), "sha256": .text(sha256)])
  }

  private static let hasAuditFile = StatementFile(
    "function of the audit chain",
    """
    select exists (
      select 1 from pg_proc where pronamespace = to_regnamespace('payrecon') and proname = 'audit_append'
    )
    """, gives: .bool)
  private static let auditFile = StatementFile(
    "audit of a migration",
    """
    select payrecon.audit_append(
      now(), 'payrecon', :'act'::text, :'subject'::text, json_build_object('sha256', :'sha256'::text)::text
    )
    """)
  /// The schema's owner if the login is another role that may act as the owner.
  private static let ownerFile = StatementFile(
    "owner of the schema",
    """
    select quote_ident(pg_roles.rolname)
    from pg_namespace
    inner join pg_roles on pg_roles.oid = pg_namespace.nspowner
    where pg_namespace.nspname = 'payrecon'
      and pg_roles.rolname <> current_user
      and pg_has_role(current_user, pg_roles.oid, 'MEMBER')
    """, gives: .text)
  private static let tableText = """
    create schema if not exists payrecon;
    create table payrecon.migrations (
      number integer primary key,
      name text collate "C" not null,
      sha256 text collate "C" not null,
      duration_ms bigint not null
    );
    """
  private static let presentFile = StatementFile(
    "table of the schema",
    """
    select exists (
      select 1
      from pg_class
      where relnamespace = (select oid from pg_namespace where nspname = 'payrecon')
        and relname = :'table'::text
    )
    """, gives: .bool)
  private static let appliedFile = StatementFile(
    "applied migrations", "select number, name, sha256 from payrecon.migrations order by number", gives: .int4, .text, .text)
  private static let insertFile = StatementFile(
    "applied migration",
    """
    insert into payrecon.migrations (number, name, sha256, duration_ms)
    values (:'number'::integer, :'name'::text, :'sha256'::text, :'duration_ms'::bigint)
    """)
}

/// A migration: files that are applied in one transaction.
struct Step: Sendable {
  var number: Int32
  /// Name of the file without its extension, or `baseline`.
  var name: String
  var scripts: [(path: String, text: String)]
  var sha256: String

  init(number: Int32, name: String, scripts: [(path: String, text: String)], hash: ([UInt8]) -> String) {
    self.number = number
    self.name = name
    self.scripts = scripts
    sha256 = hash(Array(scripts.map(\.text).joined().utf8))
  }
}
