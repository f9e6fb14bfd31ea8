-- purpose: items with new information: new or re-verified items, and everything nested in them. A row of a receipt is
--          repeated by every receipt that lists it.
-- grain:   one row per item
insert into informative_evidence (sha256)
select fresh_evidence.sha256
from fresh_evidence
union
select staged_evidence.sha256
from staged_evidence
inner join fresh_evidence on fresh_evidence.sha256 = staged_evidence.parent_sha256;
