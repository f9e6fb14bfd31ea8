-- purpose: adds evidence nested in the collected evidence; repeated until no row is new.
-- grain:   one row per new evidence item
insert into cut_evidence (sha256)
select distinct evidence_links.sha256
from cut_evidence
inner join evidence_links on evidence_links.parent_sha256 = cut_evidence.sha256
on conflict do nothing;
