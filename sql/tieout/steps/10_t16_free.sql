-- purpose: T16: Apple's lines of trials and codes, with price and proceeds of zero; ours are counted apart.
-- grain:   one pair per cell of Apple's at price 0
insert into tie_pair (cause, l1_no, l3_no, units, detail)
select 'T16', null, cell_no, l3_left, phrase('detail.counts_only')
from tie_rest
where price = 0
    and extended = 0
    and l3_left > 0;
