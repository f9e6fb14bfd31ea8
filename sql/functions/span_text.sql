-- purpose: a span of seconds as people read it: `165 s`, `59 min`, `47 h`, `12 days`.
create or replace function payrecon.span_text(seconds bigint) returns text
language sql immutable strict parallel safe
return case
    when seconds < 180 then seconds || ' s'
    when seconds < 10800 then seconds / 60 || ' min'
    when seconds < 172800 then seconds / 3600 || ' h'
    else seconds / 86400 || ' days'
end;
