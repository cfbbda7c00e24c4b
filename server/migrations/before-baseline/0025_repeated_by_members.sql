-- Members may repeat a request too. The keys of an account share what they repeat; each member has their own.

alter table idempotency_records
  add column asked_by text not null default 'key',
  drop constraint idempotency_records_pkey,
  add primary key (account_id, mode, method, path, idempotency_key, asked_by);
