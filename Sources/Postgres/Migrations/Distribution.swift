/// The distribution of large tables over the nodes of a Citus server: the distribution column of each. All other tables stay on the
/// coordinator, the node to which programs connect.
public struct Distribution: Sendable {
  /// A table of the list and its distribution column.
  struct Table: Sendable, Hashable {
    var name: String
    var key: String
  }

  /// The result of `distribute`.
  public struct Outcome: Sendable {
    /// Version of the extension.
    public var version: String
    /// Number of nodes with parts of tables.
    public var nodeCount: Int
    /// Tables that this call distributed.
    public var distributed: [String] = []
    /// Tables that are no longer in the list and were moved back to the coordinator.
    public var undistributed: [String] = []
    /// Number of tables that were distributed before and stay so.
    public var unchangedCount = 0
  }

  static func tables(of text: String) -> [Table] {
    text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let cells = line.split(separator: ",").map(String.init)
      return cells.count == 2 ? Table(name: cells[0], key: cells[1]) : nil
    }
  }

  /// Whether any table of the schema is distributed.
  static func exists(_ tx: inout DatabaseTransaction) throws(PostgresError) -> Bool {
    guard try version(&tx) != nil else { return false }
    return try !distributedTables(&tx).isEmpty
  }

  /// Returns the version of the extension; nil if the database does not have it.
  static func version(_ tx: inout DatabaseTransaction) throws(PostgresError) -> String? {
    try tx.rows(versionFile).first
  }

  /// Returns the names of the distributed tables. The extension must exist.
  static func distributedTables(_ tx: inout DatabaseTransaction) throws(PostgresError) -> Set<String> {
    Set(try tx.rows(tablesFile))
  }

  /// Returns the number of nodes with parts of tables. The extension must exist.
  static func nodeCount(_ tx: inout DatabaseTransaction) throws(PostgresError) -> Int {
    Int(try tx.rows(nodesFile).first ?? 0)
  }

  /// Allows the roles of statements to log in on all nodes. Creates the schemas and the function language on the nodes, which only an
  /// administrator may do.
  static func admitRoles(_ tx: inout DatabaseTransaction) throws(PostgresError) {
    try tx.execute("set local citus.enable_ddl_propagation = off; set local client_min_messages = error")
    try tx.execute(rolesText)
    try tx.execute("set local citus.enable_ddl_propagation = on")
    for schema in ["payrecon", "payrecon_past"] {
      let name = "\(schema).known_everywhere()"
      try tx.execute("create function \(name) returns integer language plpgsql as 'begin return 1; end'; drop function \(name)")
    }
  }

  /// Rewrites functions and views for queries over distributed tables. Creates functions on all nodes where nodes call them.
  static func adaptFunctions(_ tx: inout DatabaseTransaction) throws(PostgresError) {
    try tx.execute("set local client_min_messages = error")
    try tx.execute(functionsText)
    try tx.execute("set local citus.enable_ddl_propagation = on; set local client_min_messages = warning")
  }

  /// Returns the column types of the schema, by table and column.
  static func types(_ tx: inout DatabaseTransaction) throws(PostgresError) -> [Table: String] {
    Dictionary(uniqueKeysWithValues: try tx.rows(typesFile).map { (Table(name: $0, key: $1), $2) })
  }

  /// Distributes a table. Tables with distribution columns of one type are colocated, so equal keys are on one node.
  static func distribute(_ table: Table, beside other: String?, _ tx: inout DatabaseTransaction) throws(PostgresError) {
    let place = other.map { "payrecon.\($0)" } ?? "none"
    try tx.execute("select create_distributed_table('payrecon.\(table.name)'::regclass, '\(table.key)', colocate_with => '\(place)')")
  }

  /// Moves a table back to the coordinator. Its owner gets no additional privileges.
  static func undistribute(_ name: String, _ tx: inout DatabaseTransaction) throws(PostgresError) {
    try tx.execute(
      """
      do $undistribute$
      declare
          refused text;
      begin
          select string_agg(act, ', ') into refused
          from unnest(array['insert', 'update', 'delete', 'truncate']) as act
          where not has_table_privilege('payrecon.\(name)', act);
          perform undistribute_table('payrecon.\(name)'::regclass);
          if refused is not null then
              execute format('revoke %s on payrecon.\(name) from current_user', refused);
          end if;
      end
      $undistribute$
      """)
  }

  private static let versionFile = StatementFile(
    "extension Citus", "select extversion from pg_extension where extname = 'citus'", gives: .text)
  private static let tablesFile = StatementFile(
    "distributed tables",
    """
    select pg_class.relname::text
    from pg_dist_partition
    inner join pg_class on pg_class.oid = pg_dist_partition.logicalrelid
    inner join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    where pg_namespace.nspname = 'payrecon'
      and pg_dist_partition.partmethod = 'h'
    """, gives: .text)
  private static let typesFile = StatementFile(
    "types of columns",
    "select table_name::text, column_name::text, data_type::text from information_schema.columns where table_schema = 'payrecon'",
    gives: .text, .text, .text)
  private static let nodesFile = StatementFile(
    "nodes", "select count(*) from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'", gives: .int8)
  /// The nodes that commit asynchronously or do not report whether they do.
  static let asynchronousNodesFile = StatementFile(
    "nodes without durable commit", "select node from payrecon.nodes_without_durable_commit() order by node", gives: .text)
  /// Citus rejects SQL functions over distributed tables in statements with parameters, but not PL/pgSQL functions. Views of the past are
  /// materialized where they are queried. Nodes call functions that read no tables themselves.
  private static let functionsText = """
    do $functions$
    declare
        made record;
    begin
        for made in
            select
                pg_proc.prosrc, pg_get_functiondef(pg_proc.oid) as definition,
                case when pg_proc.proretset then 'return query ' || pg_proc.prosrc else 'return (' || pg_proc.prosrc || ')' end as body
            from pg_proc
            inner join pg_language on pg_language.oid = pg_proc.prolang
            where pg_proc.pronamespace = 'payrecon'::regnamespace
                and pg_language.lanname = 'sql'
                and pg_proc.prosqlbody is null
                and pg_proc.prosrc ~ 'payrecon\\.'
                and (pg_proc.proretset or pg_proc.provolatile <> 'i')
        loop
            execute replace(
                replace(made.definition, ' LANGUAGE sql', ' LANGUAGE plpgsql'), made.prosrc,
                E'\\n#variable_conflict use_column\\nbegin\\n' || rtrim(made.body, E' \\n;') || E';\\nend\\n'
            );
        end loop;
        for made in
            select pg_class.relname, pg_get_viewdef(pg_class.oid) as definition
            from pg_class
            where pg_class.relnamespace = 'payrecon_past'::regnamespace
                and pg_class.relkind = 'v'
            order by pg_class.oid
        loop
            execute format(
                'create or replace view payrecon_past.%I with (security_invoker = true) as '
                'with view_rows as materialized (%s) select * from view_rows', made.relname, rtrim(made.definition, ';')
            );
        end loop;
        for made in
            select pg_proc.oid::regprocedure as name
            from pg_proc
            where pg_proc.pronamespace in ('payrecon'::regnamespace, 'payrecon_past'::regnamespace)
                and pg_proc.prokind = 'f'
                and not pg_proc.proretset
                and (pg_proc.provolatile = 'i' or (pg_proc.provolatile = 's' and pg_proc.prosrc !~* '\\m(from|join)\\M'))
                and not exists (
                    select 1
                    from pg_depend
                    where pg_depend.classid = 'pg_proc'::regclass
                        and pg_depend.objid = pg_proc.oid
                        and pg_depend.refclassid = 'pg_class'::regclass
                )
            order by pg_proc.oid
        loop
            perform create_distributed_function(made.name);
        end loop;
    end
    $functions$
    """
  private static let rolesText = """
    do $roles$
    declare
        wanted text;
        refused text;
    begin
        for wanted in
            select rolname from pg_roles
            where rolname in (
                'payrecon_migrate', 'payrecon_jobs', 'payrecon_report', 'payrecon_review', 'payrecon_erase', 'payrecon_retain',
                'payrecon_reader'
            )
        loop
            execute format('alter role %I login', wanted);
            select answer.nodename || ':' || answer.nodeport || ': ' || answer.result
            into refused
            from run_command_on_workers(format(
                $node$
                set citus.enable_ddl_propagation = off;
                do $$
                begin
                    if exists (select 1 from pg_roles where rolname = %1$L) then
                        alter role %1$I login;
                    else
                        create role %1$I login;
                    end if;
                end
                $$
                $node$, wanted
            )) as answer
            where not answer.success;
            if refused is not null then
                raise exception 'could not let role % log in on node %', wanted, refused;
            end if;
        end loop;
    end
    $roles$
    """
}

extension Migrator {
  /// Distributes the large tables of `distribution.csv` over the nodes of the server. A later call distributes added tables and moves
  /// removed ones back.
  ///
  /// Functions and views are dropped and recreated, because a table whose row type a function returns cannot be distributed.
  ///
  /// - Throws: `MigrationError` without the extension, without nodes, or if a node could lose committed data; `PostgresError`.
  public func distribute(_ session: Session) async throws -> Distribution.Outcome {
    let tables = Distribution.tables(of: try files.text(SQLFiles.distribution))
    let newest = try steps().last?.name
    let functions = try replaceables(newest: newest).first { $0.name == "functions" }
    try await session.transaction { tx in
      try Self.checkNodes(&tx)
      try Distribution.admitRoles(&tx)
    }
    return try await session.transaction { tx in
      try Self.begin(&tx)
      try tx.execute("reset lock_timeout")
      let existing = try Distribution.distributedTables(&tx)
      let added = tables.filter { !existing.contains($0.name) }
      let removed = existing.subtracting(tables.map(\.name)).sorted()
      var outcome = Distribution.Outcome(
        version: try Distribution.version(&tx) ?? "", nodeCount: try Distribution.nodeCount(&tx),
        unchangedCount: existing.count - removed.count)
      guard !added.isEmpty || !removed.isEmpty else { return outcome }
      try tx.execute("set local citus.enable_ddl_propagation = on; set local citus.multi_shard_modify_mode = 'sequential'")
      try functions?.drop(&tx)
      for name in removed { try Distribution.undistribute(name, &tx) }
      let types = try Distribution.types(&tx)
      var beside: [String?: String] = [:]
      for table in tables where existing.contains(table.name) { beside[types[table]] = table.name }
      for table in added {
        try Distribution.distribute(table, beside: beside[types[table]], &tx)
        beside[types[table]] = table.name
      }
      (outcome.distributed, outcome.undistributed) = (added.map(\.name), removed)
      try functions?.apply(number: (Replaceable.appliedHashes(&tx)["functions"]?.count ?? 0) + 1, &tx)
      try Self.audit("tables_spread", subject: outcome.version, sha256: functions?.sha256 ?? "", &tx)
      return outcome
    }
  }

  private static func checkNodes(_ tx: inout DatabaseTransaction) throws {
    guard try Distribution.version(&tx) != nil else {
      throw MigrationError(
        description: "cannot distribute the tables: the database has no extension citus; on a server with Citus, an "
          + "administrator makes it there and on each node: create extension citus")
    }
    guard try Distribution.nodeCount(&tx) > 0 else {
      throw MigrationError(
        description: "cannot distribute the tables: the server has no nodes; an administrator adds them: "
          + "select citus_add_node('HOST', PORT)")
    }
    let nodes = try tx.rows(Distribution.asynchronousNodesFile)
    guard nodes.isEmpty else {
      throw MigrationError(
        description: "cannot distribute the tables: \(nodes.joined(separator: ", ")) would lose what it committed, should it be "
          + "killed, and the others keep, as synchronous_commit is off there or it does not answer; an administrator says there: "
          + "alter system set synchronous_commit = on; then: select pg_reload_conf()")
    }
  }
}
