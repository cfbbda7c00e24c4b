-- Who changed a draft last, as the audit log names people: a member's id or a key's id. Null for what was never changed.
alter table agents add column updated_by text;
