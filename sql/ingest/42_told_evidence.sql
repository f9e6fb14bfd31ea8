-- purpose: which items something new says: those that are new or judged anew, and what lies in them, known or not. A row of a
--          receipt is said again by every receipt that lists it.
-- parameters: none
-- grain:   one row per item said
insert into told_evidence (sha256)
select fresh_evidence.sha256
from fresh_evidence
union
select staged_evidence.sha256
from staged_evidence
inner join fresh_evidence on fresh_evidence.sha256 = staged_evidence.parent_sha256;
