-- purpose: the claims that name the keys of a round, from both sides, each looked up once; the ladder reads them, too.
-- parameters: round (integer)
-- grain:   one row per claim
insert into scope_claim (key, kind, side, id, route, batch_id, round)
select
    match_keys.key, match_keys.kind, match_keys.side, match_keys.id, match_keys.route, match_keys.batch_id,
    :'round'::integer
from scope_key
inner join match_keys
    on match_keys.key = scope_key.key
    and match_keys.kind = scope_key.kind
where scope_key.round = :'round'::integer
    and scope_key.kind in ('transaction_id', 'line_item', 'original', 'evidence', 'order_id')
union all
select
    match_keys.key, match_keys.kind, match_keys.side, match_keys.id, match_keys.route, match_keys.batch_id,
    :'round'::integer
from scope_told
inner join match_keys
    on match_keys.key = scope_told.sha256
    and match_keys.kind = 'evidence'
where scope_told.round = :'round'::integer;
