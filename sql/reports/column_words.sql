-- purpose: the words for the columns of every report, export and view: type, unit and meaning, and whether it is a balance.
-- grain:   one row per relation and column; relation '' is for every relation that has no words of its own for the
--          column, column '' for the relation itself
select
    word.relation, word.column_name, word.type, word.unit, word.description, balance.column_name is not null as is_balance
from payrecon.column_words as word
left join payrecon.column_balances as balance
    on balance.relation = word.relation
    and balance.column_name = word.column_name
order by word.relation, word.column_name;
