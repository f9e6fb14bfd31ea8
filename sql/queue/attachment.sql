-- purpose: the bytes of a file attached to a case.
-- parameters: case_id, sha256 (text)
-- grain:   one row; none if it is not attached or was deleted
select attachment_bodies.body
from case_attachments
inner join attachment_bodies on attachment_bodies.sha256 = case_attachments.sha256
where case_attachments.case_id = :'case_id'::text
    and case_attachments.sha256 = :'sha256'::text;
