internal import FoundationEssentials

/// A part of the schema without stored facts, which is recreated whenever its text changes: `functions` (with procedures and views) or
/// `reference` data.
///
/// `payrecon.applied_texts` stores the hash of every applied text. A text that was applied and later replaced belongs to an older program
/// and is rejected, unless `restoring`.
struct Replaceable: Sendable {
  /// Name of the part and of its folder under the SQL folder.
  let name: String
  let files: [(path: String, text: String)]
  let sha256: String

  /// - Parameter salt: text besides the files whose change recreates the part.
  init(_ name: String, files: SQLFiles, salt: String, hash: @Sendable ([UInt8]) -> String) throws(PostgresError) {
    self.name = name
    var found: [(path: String, text: String)] = []
    for path in files.paths where path.hasPrefix("\(name)/") { found.append((path, try files.text(path))) }
    self.files = found
    sha256 = hash(Array(found.map { "\($0.path)\n\($0.text)\n" }.joined().utf8) + Array(salt.utf8))
  }

  /// Returns whether the part must be applied.
  ///
  /// - Parameter applied: hashes of the applied texts, the newest last.
  func isPending(applied: [String], restoring: Bool) throws(MigrationError) -> Bool {
    if applied.last == sha256 { return false }
    guard restoring || !applied.contains(sha256) else {
      throw MigrationError(
        description: "cannot use the database: another payrecon has replaced the \(name) of this one "
          + "(\(sha256.prefix(16))) by its own (\((applied.last ?? "").prefix(16))); use the newer payrecon, "
          + "or have this one's back with payrecon init")
    }
    return true
  }

  /// Applies the part and stores its hash.
  ///
  /// - Parameter number: how many times the part was applied, including this time.
  func apply(number: Int, _ tx: inout DatabaseTransaction) throws {
    var isGranting = false
    switch name {
    case "functions": isGranting = try createFunctions(&tx)
    default: for file in files { try fill(file, &tx) }
    }
    try tx.send(Self.insertFile, ["part": .text(name), "number": .int4(Int32(number)), "sha256": .text(sha256)])
    // Grants change the catalog rows of objects, so they would look as if this transaction had created them.
    if isGranting { try tx.execute("call payrecon.grant_roles()") }
  }

  /// Drops the functions, procedures and views of the files and of their last version, and creates those of the files.
  ///
  /// An object on which another one depends, such as a user's view, is not dropped but replaced.
  ///
  /// - Returns: whether there is a procedure that grants privileges.
  private func createFunctions(_ tx: inout DatabaseTransaction) throws -> Bool {
    let scripts = files.map(FunctionScript.init)
    try drop(&tx)
    let isDistributed = try Distribution.exists(&tx)
    // Most functions read tables that are only on this node.
    try tx.execute("set local citus.enable_ddl_propagation = off")
    for script in FunctionScript.inOrder(scripts) { try tx.execute(script.text, file: script.path) }
    if isDistributed { try Distribution.adaptFunctions(&tx) }
    return scripts.contains { $0.created.contains("payrecon.grant_roles") }
  }

  /// Drops functions, procedures and views, except those on which another object depends.
  func drop(_ tx: inout DatabaseTransaction) throws {
    let own = Set(files.map(FunctionScript.init).flatMap(\.created)).sorted()
    for statement in try tx.rows(Self.dropFile, ["names": .textArray(own)]) { try tx.execute(statement) }
  }

  /// Copies the rows of `reference/NAME.csv` into the table NAME. New keys are added and known ones overwritten. Removed keys stay,
  /// because earlier records refer to them.
  private func fill(_ file: (path: String, text: String), _ tx: inout DatabaseTransaction) throws {
    let table = "payrecon." + quoted(file.path.dropFirst(name.count + 1).dropLast(".csv".count))
    let header = file.text.prefix { !$0.isNewline }
    let columns = header.split(separator: ",").map { quoted($0) }
    let key = try tx.rows(Self.keyFile, ["table": .text(table)])
    guard !key.isEmpty else {
      throw MigrationError(description: "cannot use \(file.path): there is no table \(table) with a primary key")
    }
    let list = columns.joined(separator: ", ")
    try tx.execute("create temporary table reference_rows (like \(table) including defaults) on commit drop")
    try tx.copyIn(
      "copy reference_rows (\(list)) from stdin with (format csv, header match, encoding 'utf8')", text: file.text,
      file: file.path)
    let others = columns.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    try tx.execute(
      """
      insert into \(table) (\(list)) select \(list) from reference_rows
      on conflict (\(key.joined(separator: ", "))) do \(others.isEmpty ? "nothing" : "update set \(others)");
      drop table reference_rows
      """, file: file.path)
  }

  private func quoted(_ name: some StringProtocol) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Returns the hashes of the applied texts, by part, the newest last.
  static func appliedHashes(_ tx: inout DatabaseTransaction) throws(PostgresError) -> [String: [String]] {
    Dictionary(grouping: try tx.rows(appliedFile), by: \.0).mapValues { $0.map(\.1) }
  }

  static let tableText = """
    create table payrecon.applied_texts (
      part text collate "C" not null,
      number integer not null,
      sha256 text collate "C" not null,
      objects text[] collate "C" not null,
      constraint made_parts_pkey primary key (part, number)
    );
    """
  private static let appliedFile = StatementFile(
    "applied texts", "select part, sha256 from payrecon.applied_texts order by part, number", gives: .text, .text)
  /// The functions, procedures and views, as the common table expression `object`.
  private static let objects = """
    object as (
      select 'pg_proc'::regclass as catalog, pg_proc.oid, pg_proc.xmin, pg_namespace.nspname || '.' || pg_proc.proname as name,
        format(
          '%I.%I(%s)', pg_namespace.nspname, pg_proc.proname, pg_get_function_identity_arguments(pg_proc.oid)
        ) as identity
      from pg_proc
      inner join pg_namespace on pg_namespace.oid = pg_proc.pronamespace
      where pg_namespace.nspname in ('payrecon', 'payrecon_past')
      union all
      select 'pg_class'::regclass, pg_class.oid, pg_class.xmin, pg_namespace.nspname || '.' || pg_class.relname,
        format('%I.%I', pg_namespace.nspname, pg_class.relname)
      from pg_class
      inner join pg_namespace on pg_namespace.oid = pg_class.relnamespace
      where pg_namespace.nspname in ('payrecon', 'payrecon_past')
        and pg_class.relkind = 'v'
    )
    """

  /// The transaction id in the catalog identifies the objects that this transaction created.
  private static let insertFile = StatementFile(
    "applied text",
    """
    with \(objects)
    insert into payrecon.applied_texts (part, number, sha256, objects)
    select
      :'part'::text, :'number'::integer, :'sha256'::text,
      coalesce(array_agg(object.identity order by object.identity) filter (where :'part'::text = 'functions'), '{}')
    from object
    where object.xmin::text = (pg_current_xact_id()::text::bigint % 4294967296)::text
    """)
  /// Views are dropped first, because they depend on functions. One statement drops all objects of a kind, because they depend on each
  /// other.
  private static let dropFile = StatementFile(
    "functions to drop",
    """
    with recursive \(objects),
    own as (
      select object.*
      from object
      where object.name = any(:'names'::text[])
        or object.identity in (
          select unnest(applied_texts.objects)
          from payrecon.applied_texts
          where applied_texts.part = 'functions'
            and applied_texts.number = (select max(newest.number) from payrecon.applied_texts as newest where newest.part = 'functions')
        )
    ),
    -- Who rests on whom; a view rests on things by its rule.
    dependency as (
      select
        case when pg_rewrite.oid is null then pg_depend.classid::regclass else 'pg_class'::regclass end as catalog,
        coalesce(pg_rewrite.ev_class, pg_depend.objid) as oid, own.catalog as on_catalog, own.oid as on_oid
      from own
      inner join pg_depend
        on pg_depend.refclassid = own.catalog
        and pg_depend.refobjid = own.oid
        and pg_depend.deptype in ('n', 'a')
      left join pg_rewrite
        on pg_depend.classid = 'pg_rewrite'::regclass
        and pg_rewrite.oid = pg_depend.objid
    ),
    kept as (
      select dependency.on_catalog as catalog, dependency.on_oid as oid
      from dependency
      where not exists (select 1 from own where own.catalog = dependency.catalog and own.oid = dependency.oid)
      union
      select dependency.on_catalog, dependency.on_oid
      from kept
      inner join dependency
        on dependency.catalog = kept.catalog
        and dependency.oid = kept.oid
    )
    select
      case own.catalog when 'pg_class'::regclass then 'drop view ' else 'drop routine ' end
      || string_agg(own.identity, ', ' order by own.identity)
    from own
    where not exists (select 1 from kept where kept.catalog = own.catalog and kept.oid = own.oid)
    group by own.catalog
    order by own.catalog = 'pg_proc'::regclass
    """, gives: .text)
  private static let keyFile = StatementFile(
    "primary key",
    """
    select '"' || replace(pg_attribute.attname, '"', '""') || '"'
    from pg_index
    inner join pg_attribute
      on pg_attribute.attrelid = pg_index.indrelid
      and pg_attribute.attnum = any(pg_index.indkey)
    where pg_index.indrelid = to_regclass(:'table'::text)
      and pg_index.indisprimary
    order by array_position(pg_index.indkey::smallint[], pg_attribute.attnum)
    """, gives: .text)
}

/// A file of functions, procedures and views, with the names that it creates and mentions.
struct FunctionScript: Sendable {
  let path: String
  let text: String
  /// Names with their schema, such as `payrecon.rfc3339`.
  let created: [String]
  let mentioned: Set<String>

  init(path: String, text: String) {
    self.path = path
    self.text = text
    let name = /payrecon(_past)?\.[a-z_0-9]+/
    let creation = /create (or replace )?(function|procedure|view) (?<name>payrecon(_past)?\.[a-z_0-9]+)/
    created = text.matches(of: creation).map { String($0.output.name) }
    mentioned = Set(text.matches(of: name).map { String($0.output.0) })
  }

  /// Returns the files in an order in which each follows the files that create the names that it mentions. Other files, and files that
  /// mention each other, are sorted by name.
  static func inOrder(_ scripts: [FunctionScript]) -> [FunctionScript] {
    var creators: [String: Int] = [:]
    for (index, script) in scripts.enumerated() { for name in script.created { creators[name] = index } }
    var ordered: [FunctionScript] = []
    var visited: Set<Int> = []
    func visit(_ index: Int) {
      guard visited.insert(index).inserted else { return }
      for other in Set(scripts[index].mentioned.compactMap { creators[$0] }).sorted() { visit(other) }
      ordered.append(scripts[index])
    }
    for index in scripts.indices { visit(index) }
    return ordered
  }
}
