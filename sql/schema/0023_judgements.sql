-- purpose: verdicts on evidence as dated knowledge: with which roots, apps and reader each was found, and what is found
--          anew when one of these changed. A row of evidence keeps its first verdict, sealed with its bytes; each later
--          one is a row of judgements. Genuine stays genuine: a signature that held once was Apple's.

-- What verdicts rest on: trusted roots, our apps, the version of the reading itself.
create table payrecon.readers (
    reader_sha256 text collate "C" not null,
    anchors_sha256 text collate "C" not null,
    apps text collate "C" not null,
    version integer not null,
    constraint readers_pkey primary key (reader_sha256)
);
-- The reader that judged a batch of evidence; null for batches from before this migration, and of other input.
alter table payrecon.batches add column reader_sha256 text collate "C";
alter table payrecon.batches drop constraint batches_kind;
alter table payrecon.batches
add constraint batches_kind check (kind in ('orders', 'users', 'catalogue', 'apple', 'judgement'));

-- A later verdict on evidence whose first one was not genuine; the newest counts. Sealed by chunks, as evidence is.
-- replaced_by: the same item is known under that hash since what it lies in is genuine.
create table payrecon.judgements (
    sha256 text collate "C" not null,
    batch_id bigint not null,
    chunk bigint not null,
    reader_sha256 text collate "C" not null,
    verdict text collate "C" not null,
    reason text collate "C" not null,
    kind text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    charge_id text collate "C",
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    replaced_by text collate "C",
    signed_at timestamptz,
    constraint judgements_pkey primary key (sha256, batch_id, chunk),
    constraint judgements_verdict check (verdict in ('genuine', 'forged', 'malformed', 'foreign', 'pending'))
);
create index judgements_chunk on payrecon.judgements (batch_id, chunk);

-- Items that came by themselves and are, or hold, something that is not genuine: what is read anew, and by whom it was
-- read last; empty for a program from before this migration. A work list: what is genuine throughout leaves it.
create table payrecon.unproven_evidence (
    sha256 text collate "C" not null,
    is_from_apple boolean not null,
    reader_sha256 text collate "C" not null,
    constraint unproven_evidence_pkey primary key (sha256, is_from_apple)
);
insert into payrecon.unproven_evidence (sha256, is_from_apple, reader_sha256)
with recursive holder as (
    select evidence.sha256
    from payrecon.evidence
    where evidence.verdict <> 'genuine'
    union
    select evidence_links.parent_sha256
    from holder
    inner join payrecon.evidence_links on evidence_links.sha256 = holder.sha256
)
select evidence.sha256, evidence.kind = 'verify_receipt' and evidence.reason <> 'unsigned', ''
from holder
inner join payrecon.evidence on evidence.sha256 = holder.sha256
where not exists (select from payrecon.evidence_links where evidence_links.sha256 = evidence.sha256);

do $$
begin
    -- As with evidence: nobody, the owner included, changes or removes a verdict.
    execute format(
        'revoke update, delete, truncate on payrecon.judgements, payrecon.readers from %I',
        (select tableowner from pg_tables where schemaname = 'payrecon' and tablename = 'judgements')
    );
end
$$;
