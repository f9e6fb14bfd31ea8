-- purpose: files attached to a case, newest first.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row per file
select
    case_attachments.sha256 as attachment, case_attachments.name, case_attachments.byte_count, case_attachments.person,
    case_attachments.account, rfc3339(case_attachments.at) as at
from case_attachments
where case_attachments.case_id = :'case_id'::text
    and case_attachments.at <= :'as_of'::timestamptz
order by case_attachments.at desc, case_attachments.sha256;
