-- purpose: deletes files attached to an erased user's case, unless another case has the same file.
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
