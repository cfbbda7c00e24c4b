-- How long a trunk may leave a request without any response before the next trunk is tried.

alter table trunks
  add column no_response_ms integer not null default 4000 check (no_response_ms between 1000 and 30000);
