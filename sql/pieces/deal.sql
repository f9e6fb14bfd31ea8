-- purpose: what pieces hold is about to be known; whoever asks for one waits until it is.
-- parameters: job (text): match or detect
-- grain:   one row per piece of which it was not known
update pieces
set is_dealt = true
where job = :'job'::text
    and not is_dealt;
