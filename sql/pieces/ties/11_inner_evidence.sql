-- purpose: what lies in such evidence belongs to it; again and again, until nothing more does.
-- grain:   one row per piece of evidence that is new
insert into cut_evidence (sha256)
select distinct evidence_links.sha256
from cut_evidence
inner join evidence_links on evidence_links.parent_sha256 = cut_evidence.sha256
on conflict do nothing;
