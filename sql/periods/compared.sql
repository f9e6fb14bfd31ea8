-- purpose: the signed and the newest tie-out of each closed period.
-- grain:   one row per closed period that was tied out again
select compared.fiscal_period, compared.first_as_of as signed_at, compared.as_of as newest_at
from restated_tieouts(true) as compared
where compared.as_of <> compared.first_as_of
order by compared.fiscal_period;
