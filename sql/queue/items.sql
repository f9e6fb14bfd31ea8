-- purpose: the breaks and signals that some cases are made of, where they were gathered from what stands now; who knows them
--          need not look at all cases.
-- parameters: case_ids (text[]), as_of (timestamptz)
-- grain:   one row: ids parted by blanks, or null where they are not known of every one of the cases
with kept as (
    select console_cases.case_id, console_cases.item_ids
    from console_gathered
    cross join console_cases
    where console_gathered.detected = cases_rest_on(:'as_of'::timestamptz)
        and console_gathered.as_of <= :'as_of'::timestamptz
        and console_cases.case_id = any(:'case_ids'::text[])
),
item as (
    select item.id from kept cross join lateral unnest(kept.item_ids) as item (id)
)
select
    case
        when (select count(*) from kept) = cardinality(:'case_ids'::text[])
            then (select coalesce(string_agg(item.id, ' ' order by item.id collate "C"), '') from item)
    end as item_ids;
