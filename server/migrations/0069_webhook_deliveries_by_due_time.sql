--! no-transaction
-- Claims find the deliveries that have been due for longest, instead of stepping through every endpoint that anything waits for.
create index concurrently if not exists webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
