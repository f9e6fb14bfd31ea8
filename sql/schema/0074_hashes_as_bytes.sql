-- purpose: hashes of evidence stand as their 32 bytes where they stood as 64 letters; what people and programs read and write stays
--          letters. This file and the two behind it write each table once, in a transaction each, so that what one replaced is free
--          before the next begins: room is needed for a second copy of the evidence, the largest of the three.
--          A column by which a table is spread over nodes cannot become another type: all are put on the node that programs connect
--          to, which needs room for them, until they are spread again (payrecon database distribute).
do $$
declare
    spread text[] := '{}';
    hashed constant text[] := array[
        'evidence', 'evidence_links', 'transactions', 'uploads', 'notifications', 'renewal_infos', 'judgements', 'unproven_evidence',
        'unrecognized_values', 'missed_notifications', 'orders', 'order_versions', 'refused_claims', 'ended_refused_claims',
        'piece_refused_claims'
    ];
    views text;
    place text;
    refused text;
begin
    if to_regclass('pg_catalog.pg_dist_partition') is not null then
        execute $spread$
            select coalesce(array_agg(pg_class.relname::text order by pg_class.relname), '{}')
            from pg_dist_partition
            inner join pg_class on pg_class.oid = pg_dist_partition.logicalrelid
            where pg_class.relnamespace = 'payrecon'::regnamespace
                and pg_dist_partition.partmethod = 'h'
        $spread$ into spread;
    end if;
    -- Views are made anew behind the schema; what somebody else built on one is named and stops the upgrade.
    with recursive resting as (
        select pg_class.oid
        from pg_class
        where pg_class.relnamespace = 'payrecon'::regnamespace
            and pg_class.relname = any(hashed || spread)
        union
        select pg_rewrite.ev_class
        from resting
        inner join pg_depend on pg_depend.refobjid = resting.oid
        inner join pg_rewrite on pg_rewrite.oid = pg_depend.objid
        where pg_depend.classid = 'pg_rewrite'::regclass
    )
    select string_agg(pg_class.oid::regclass::text, ', ')
    into views
    from resting
    inner join pg_class on pg_class.oid = resting.oid
    where pg_class.relnamespace in ('payrecon'::regnamespace, 'payrecon_past'::regnamespace)
        and pg_class.relkind = 'v';
    if views is not null then
        execute 'drop view ' || views;
    end if;
    foreach place in array spread loop
        place := format('payrecon.%I', place);
        select string_agg(act, ', ')
        into refused
        from unnest(array['insert', 'update', 'delete', 'truncate']) as act
        where not has_table_privilege(place, act);
        perform undistribute_table(place::regclass);
        if refused is not null then
            execute format('revoke %s on %s from current_user', refused, place);
        end if;
    end loop;
end
$$;

alter table payrecon.evidence alter column sha256 type bytea using decode(sha256, 'hex');
analyze payrecon.evidence;
