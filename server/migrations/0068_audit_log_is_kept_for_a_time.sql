-- Installations may keep the audit log for a number of days. Entries are still never changed, and only the job that archives them
-- deletes them.
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before delete or update on audit_log
  for each row when (current_setting('parley.removing_audit_log', true) is distinct from 'on') execute function refuse_change();
