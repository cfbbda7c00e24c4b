-- What signs the requests of an account's tools, sealed. After a rotation the one before signs beside it for a while.
create table tool_secrets (
  account_id text primary key references accounts,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz(3),
  constraint previous_tool_secret_is_whole check ((previous_secret_sealed is null) = (previous_secret_until is null))
);
