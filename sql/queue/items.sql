-- purpose: the breaks and signals of some cases, if they were gathered from the current state. Callers that know them need
--          not read all cases.
-- parameters: case_ids (text[]), as_of (timestamptz)
-- grain:   one row: ids separated by spaces, or null if they are unknown for one of the cases
with gathered as (
    select console_cases.item_ids
    from console_gathered
    cross join console_cases
    where console_gathered.detected = cases_rest_on(:'as_of'::timestamptz)
        and console_gathered.as_of <= :'as_of'::timestamptz
        and console_cases.case_id = any(:'case_ids'::text[])
),
item as (select item.id from gathered cross join lateral unnest(gathered.item_ids) as item (id))
select
    case
        when (select count(*) from gathered) = cardinality(:'case_ids'::text[])
            then (select coalesce(string_agg(item.id, ' ' order by item.id collate "C"), '') from item)
    end as item_ids;
