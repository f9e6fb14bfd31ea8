-- purpose: records the text in which a notification was posted, since an order may carry the hash of that text. Evidence is
--          stored by one transaction at a time (39_store_lock.sql), so a new link is inserted once.
-- parameters: batch_id (bigint)
-- grain:   one row per new link
insert into evidence_links (sha256, parent_sha256, batch_id)
with posted as materialized (
    select distinct staged_evidence.sha256, staged_evidence.body_sha256
    from staged_evidence
    inner join evidence on evidence.sha256 = staged_evidence.sha256
    where staged_evidence.body_sha256 is not null
),
known as materialized (
    select evidence_links.sha256, evidence_links.parent_sha256
    from (select distinct posted.body_sha256 from posted) as body
    inner join evidence_links on evidence_links.parent_sha256 = body.body_sha256
)
select link.sha256, link.body_sha256, :'batch_id'::bigint
from (
    select posted.sha256, posted.body_sha256 from posted
    except
    select known.sha256, known.parent_sha256 from known
) as link;
