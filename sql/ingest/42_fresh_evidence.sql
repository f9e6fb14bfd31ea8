-- purpose: which staged items are not known yet; a repeat costs this one look-up.
-- parameters: none
-- grain:   one row per item not known: the first of its hash in the chunk by reception, then source
insert into fresh_evidence (sha256, item)
select distinct on (staged_evidence.sha256) staged_evidence.sha256, staged_evidence.item
from staged_evidence
where not exists (select from evidence where evidence.sha256 = staged_evidence.sha256)
order by staged_evidence.sha256, staged_evidence.received_at, staged_evidence.source, staged_evidence.item;
