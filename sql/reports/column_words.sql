-- purpose: the words for the columns of every report, export and view: type, unit and meaning.
-- grain:   one row per relation and column; relation '' is for every relation that has no words of its own for the
--          column, column '' for the relation itself
select relation, column_name, type, unit, description
from payrecon.column_words
order by relation, column_name;
