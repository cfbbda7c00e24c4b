-- Every country that has a rate may be called. The price cap stays as a rule that an operator sets; the one that this
-- table began with goes, unless an operator has ever changed the rules and so left it there.
update gate_rules set rate_max_micros = null
where account_id is null and rate_max_micros = 500000
  and not exists (select 1 from audit_log where action = 'gate.changed' and target = 'installation');
