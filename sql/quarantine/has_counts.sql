-- purpose: whether the endpoint has counts that no batch has taken over.
-- grain:   one row
select
    exists (select 1 from refused_notifications)
    or exists (select 1 from door_counts where door_counts.kind = 'repeated') as has_counted;
