-- Whose language models are asked, as operators set it. What the environment of a process sets wins over it.
create table model_providers (
  name text primary key,
  -- Encrypted with a key derived from the installation's secret, and only readable in this row. The last characters are
  -- kept beside it, so that people can tell keys apart.
  api_key_sealed bytea,
  last_four text,
  base_url text,
  model text,
  use text not null check (use in ('first', 'fallback', 'off')),
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  constraint ending_belongs_to_a_key check (last_four is null or api_key_sealed is not null)
);
create unique index one_model_is_asked_first on model_providers ((true)) where use = 'first';

-- Every process takes them up when they change.
create function tell_models_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_models', '');
  return null;
end $$;
create trigger model_providers_changed after insert or update or delete on model_providers
  for each statement execute function tell_models_changed();
