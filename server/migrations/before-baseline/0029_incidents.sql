-- Failures of the service itself during a call, as the API shows them. Bounded: repeats are counted in one entry.
alter table calls add column incidents jsonb not null default '[]'
  constraint incidents_are_a_short_list check (jsonb_typeof(incidents) = 'array' and jsonb_array_length(incidents) <= 20);
