-- What the agent took each turn of the callee for, and by which evidence, is an item of the transcript too.
alter table transcript_items drop constraint transcript_items_type_check;
alter table transcript_items add constraint transcript_items_type_check
  check (type in ('speech', 'decision', 'tool_call', 'tool_result', 'node', 'dtmf', 'note'));

-- Items are ordered by this: where an item stands among the others, which is mostly when it began.
comment on column transcript_items.start_ms is 'Orders the items. Words stand before the tool that was asked while they were spoken.';
