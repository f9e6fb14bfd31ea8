-- purpose: what was attached to an erased user's case is gone, unless another case has it, too.
-- parameters: user_id (text)
-- grain:   one row per file
delete from attachment_bodies
where attachment_bodies.sha256 in (
    select case_attachments.sha256 from case_attachments where case_attachments.case_id = case_id_of('user', :'user_id'::text)
)
    and attachment_bodies.sha256 not in (
        select case_attachments.sha256
        from case_attachments
        where case_attachments.case_id <> case_id_of('user', :'user_id'::text)
    );
