-- purpose: Returns the text for Apple's answer to the request before a punishing decision.
create or replace function payrecon.apple_words(outcome text) returns text
language sql immutable parallel safe
as $$
    select case outcome
        when 'as_known' then 'Apple asked: as known'
        when 'differs' then 'Apple asked: it says otherwise, which was seen'
        when 'out_of_reach' then 'Apple could not be asked, which was accepted'
        when 'no_key' then 'Apple not asked: no key of the app'
        when 'nothing_to_ask' then 'Apple not asked: no transaction is named'
    end
$$;
