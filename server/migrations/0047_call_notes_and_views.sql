-- Words by which a call is found besides those spoken in it: its metadata, tags and note. Written together with them.
create table call_keywords (
  call_id text primary key,
  account_id text not null references accounts on delete cascade,
  words tsvector not null
);
create index call_keywords_by_word on call_keywords using gin (words) with (fastupdate = off);

insert into call_keywords (call_id, account_id, words)
select c.id, c.account_id,
  to_tsvector('simple', regexp_replace(
    regexp_replace(lower(normalize(m.text, nfkd)), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))
  || array_to_tsvector(array[c.account_id || ':' || c.mode])
from calls c, lateral (select string_agg(key || ' ' || value, ' ') as text from jsonb_each_text(c.metadata)) m
where c.metadata <> '{}';

-- What members write about a call.
create table call_notes (
  call_id text primary key,
  account_id text not null references accounts on delete cascade,
  tags text[] not null default '{}',
  note text not null default '',
  changed_at timestamptz(3) not null default clock_timestamp(),
  changed_by text
);

-- Links by which anyone can see one call until they expire. Only the digest of the token is stored.
create table call_shares (
  id text primary key,
  call_id text not null,
  account_id text not null references accounts on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  digest bytea not null unique,
  has_recording boolean not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  created_by text,
  expires_at timestamptz(3) not null
);
create index call_shares_by_call on call_shares (call_id);
create index call_shares_by_expiry on call_shares (expires_at);

-- Filters of the list of calls that members of an account saved under a name.
create table call_views (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  query jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (account_id, name)
);

-- What is written about a call goes with it.
create function forget_notes_of_calls() returns trigger language plpgsql as $$
begin
  delete from call_keywords where call_id in (select id from gone);
  delete from call_notes where call_id in (select id from gone);
  delete from call_shares where call_id in (select id from gone);
  return null;
end $$;
create trigger calls_notes_go_with_them after delete on calls referencing old table as gone
  for each statement execute function forget_notes_of_calls();
