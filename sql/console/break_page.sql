-- purpose: a page of the ids of the open breaks as of the latest detection, most severe first, then oldest.
-- parameters: name, severity, app (text): empty for any; after (text): sort key of the previous page's last row; rows (bigint)
-- grain:   one row per open break
select open_breaks.break_id
from open_breaks
where open_breaks.place > :'after'::text collate "C"
    and (:'name'::text = '' or open_breaks.class = :'name'::text)
    and (:'app'::text = '' or open_breaks.bundle_id = :'app'::text)
    -- The sort key begins with the severity.
    and (
        :'severity'::text = ''
        or (
            open_breaks.place > (9 - severity_rank(:'severity'::text))::text collate "C"
            and open_breaks.place < (10 - severity_rank(:'severity'::text))::text collate "C"
        )
    )
order by open_breaks.place
limit :'rows'::bigint;
