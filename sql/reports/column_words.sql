-- purpose: description of the columns of every report, export and view: type, unit, meaning, and whether a column is a balance.
-- grain:   one row per relation and column; relation '' is the default for relations without an entry for the column, column
--          '' the relation itself
select
    text.relation, text.column_name, text.type, text.unit, text.description, balance.column_name is not null as is_balance
from payrecon.column_words as text
left join payrecon.column_balances as balance using (relation, column_name)
order by text.relation, text.column_name;
