-- purpose: the bytes of a file that is attached to a case.
-- parameters: case_id, sha256 (text)
-- grain:   one row; none where it is not attached, or was forgotten
select attachment_bodies.body
from case_attachments
inner join attachment_bodies on attachment_bodies.sha256 = case_attachments.sha256
where case_attachments.case_id = :'case_id'::text
    and case_attachments.sha256 = :'sha256'::text;
