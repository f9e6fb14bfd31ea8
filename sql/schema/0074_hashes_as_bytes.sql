-- purpose: hashes of evidence stand as their 32 bytes where they stood as 64 letters; what people and programs read and write stays
--          letters. This file and the two behind it write each table once, in a transaction each, so that what one replaced is free
--          before the next begins: room is needed for a second copy of the evidence, the largest of the three.
--          A column by which a table is spread over nodes cannot become another type.
do $$
declare
    is_spread boolean := false;
    views text;
begin
    if to_regclass('pg_catalog.pg_dist_partition') is not null then
        execute $found$
            select exists (
                select 1
                from pg_dist_partition
                inner join pg_class on pg_class.oid = pg_dist_partition.logicalrelid
                where pg_class.relnamespace = 'payrecon'::regnamespace
                    and pg_dist_partition.partmethod = 'h'
            )
        $found$ into is_spread;
    end if;
    if is_spread then
        raise exception using message =
            'the large tables lie on several nodes, and hashes by which some are spread become bytes: put each of them on one node first '
            '(select undistribute_table(logicalrelid) from pg_dist_partition where partmethod = ''h''), upgrade, and spread them again '
            'with payrecon database distribute';
    end if;
    -- Views are made anew behind the schema; what somebody else built on one is named and stops the upgrade.
    with recursive resting as (
        select pg_rewrite.ev_class as oid
        from pg_depend
        inner join pg_rewrite on pg_rewrite.oid = pg_depend.objid
        where pg_depend.classid = 'pg_rewrite'::regclass
            and pg_depend.refobjid in (
                select pg_class.oid
                from pg_class
                where pg_class.relnamespace = 'payrecon'::regnamespace
                    and pg_class.relname in (
                        'evidence', 'evidence_links', 'transactions', 'uploads', 'notifications', 'renewal_infos', 'judgements',
                        'unproven_evidence', 'unrecognized_values', 'missed_notifications', 'orders', 'order_versions',
                        'refused_claims', 'ended_refused_claims', 'piece_refused_claims'
                    )
            )
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
    where pg_class.relnamespace in ('payrecon'::regnamespace, 'payrecon_past'::regnamespace);
    if views is not null then
        execute 'drop view ' || views;
    end if;
end
$$;

alter table payrecon.evidence alter column sha256 type bytea using decode(sha256, 'hex');
analyze payrecon.evidence;
