-- purpose: Returns a span in the largest unit that divides it: `14d`, `30h`, `5m`.
create or replace function payrecon.duration_text(span interval) returns text
language sql immutable strict parallel safe
return case
    when mod(extract(epoch from span)::bigint, 86400) = 0 then extract(epoch from span)::bigint / 86400 || 'd'
    when mod(extract(epoch from span)::bigint, 3600) = 0 then extract(epoch from span)::bigint / 3600 || 'h'
    else extract(epoch from span)::bigint / 60 || 'm'
end;
