-- Trunks that are reached by the API of a vendor instead of SIP. The service knows the kinds. Their credentials are kept like those of SIP
-- trunks: the name of the account as username, its secret as password.
alter table trunks add column kind text not null default 'sip' check (kind ~ '^[a-z]+$');
