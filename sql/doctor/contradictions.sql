-- purpose: decisions about orders and charges that nobody took back and that contradict each other: from before that was refused.
-- parameters: as_of (timestamptz)
-- grain:   one row per pair of decisions, the one that counts first
with said as materialized (
    select
        words.action, words.order_id, words.charge_id, words.case_id, words.at, words.decision_id, settles.thing, settles.settled
    from pair_words_at(:'as_of'::timestamptz) as words
    cross join lateral pair_settles(words.order_id, words.charge_id, words.action) as settles
)
select distinct
    newer.action || ' of order "' || newer.order_id || '" and charge "' || newer.charge_id || '" in case "' || newer.case_id || '"'
        as newer,
    older.action || ' of order "' || older.order_id || '" and charge "' || older.charge_id || '" in case "' || older.case_id || '"'
        as older
from said as newer
inner join said as older on older.thing = newer.thing and older.settled <> newer.settled
where (newer.at, newer.decision_id) > (older.at, older.decision_id)
order by newer, older;
