-- For trunks of vendors that sign what they send with a key of their own, such as Telnyx. It is not a secret.
alter table trunks add column public_key text;
