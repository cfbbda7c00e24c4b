-- How the agents of an account say words: a list of {"written", "spoken"}.
alter table accounts add column pronunciations jsonb not null default '[]'
  check (jsonb_typeof(pronunciations) = 'array');
