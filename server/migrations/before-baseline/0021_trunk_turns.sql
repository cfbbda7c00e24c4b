-- Whose turn it is on a trunk whose channels are taken: of the accounts that want one, the one that got one longest ago.
create table trunk_turns (
  trunk_id text not null references trunks on delete cascade,
  account_id text not null references accounts,
  served_at timestamptz not null default '-infinity',
  wanted_until timestamptz not null default '-infinity',
  primary key (trunk_id, account_id)
);
