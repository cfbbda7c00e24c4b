create table account_balances (
  account_id text not null,
  available_micros bigint not null default 0,
  held_micros bigint not null default 0,
  was_low_told boolean not null default false,
  constraint account_balances_pkey PRIMARY KEY (account_id),
  constraint account_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint balance_never_negative CHECK ((available_micros >= 0)),
  constraint held_never_negative CHECK ((held_micros >= 0))
);

create table accounts (
  id text not null,
  name text not null,
  daily_spend_cap_micros bigint,
  call_spend_cap_micros bigint,
  destination_spend_cap_micros bigint,
  credit_low_micros bigint not null default 1000000,
  hours_start text,
  hours_end text,
  recording_retention_days integer,
  transcript_retention_days integer,
  disclosure text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  pronunciations jsonb not null default '[]'::jsonb,
  call_retention_days integer,
  calls_removed_before timestamp(3) with time zone,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_call_retention_days_check CHECK (((call_retention_days >= 30) AND (call_retention_days <= 3650))),
  constraint accounts_call_spend_cap_micros_check CHECK ((call_spend_cap_micros >= 0)),
  constraint accounts_credit_low_micros_check CHECK ((credit_low_micros >= 0)),
  constraint accounts_daily_spend_cap_micros_check CHECK ((daily_spend_cap_micros >= 0)),
  constraint accounts_destination_spend_cap_micros_check CHECK ((destination_spend_cap_micros >= 0)),
  constraint accounts_disclosure_check CHECK (((char_length(disclosure) >= 1) AND (char_length(disclosure) <= 500))),
  constraint accounts_pronunciations_check CHECK ((jsonb_typeof(pronunciations) = 'array'::text)),
  constraint accounts_recording_retention_days_check CHECK (((recording_retention_days >= 1) AND (recording_retention_days <= 3650))),
  constraint accounts_transcript_retention_days_check CHECK (((transcript_retention_days >= 1) AND (transcript_retention_days <= 3650))),
  constraint hours_are_whole CHECK ((((hours_start IS NULL) = (hours_end IS NULL)) AND (hours_start < hours_end)))
);

create table agent_versions (
  id text not null,
  agent_id text not null,
  version integer not null,
  note text not null default ''::text,
  engine text,
  language text not null,
  flow jsonb not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  expanded_flow jsonb,
  constraint agent_versions_pkey PRIMARY KEY (id),
  constraint agent_versions_agent_id_version_key UNIQUE (agent_id, version),
  constraint agent_versions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);

CREATE TRIGGER agent_versions_frozen BEFORE DELETE OR UPDATE ON public.agent_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table agents (
  id text not null,
  account_id text not null,
  name text not null,
  description text not null default ''::text,
  engine text,
  language text not null,
  flow jsonb not null,
  revision integer not null default 1,
  published_version integer,
  published_revision integer,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_by text,
  deleted_at timestamp(3) with time zone,
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint agents_published_version_exists FOREIGN KEY (id, published_version) REFERENCES agent_versions(agent_id, version)
);

CREATE INDEX agents_by_account ON public.agents USING btree (account_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

create table alert_rules (
  account_id text not null,
  mode text not null,
  answer_rate jsonb,
  incidents jsonb,
  credit_low boolean not null default false,
  quiet_minutes integer not null default 60,
  email_owners boolean not null default true,
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint alert_rules_pkey PRIMARY KEY (account_id, mode),
  constraint alert_rules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint alert_rules_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint alert_rules_quiet_minutes_check CHECK ((quiet_minutes >= 0))
);

create table alerts (
  id text not null,
  account_id text not null,
  mode text not null,
  type text not null,
  cause jsonb not null,
  raised_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint alerts_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

CREATE INDEX alerts_by_age ON public.alerts USING btree (raised_at);
CREATE INDEX alerts_newest ON public.alerts USING btree (account_id, mode, id DESC);
CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (account_id, mode, type) WHERE (resolved_at IS NULL);

create table api_keys (
  id text not null,
  account_id text not null,
  mode text not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  digest bytea not null,
  scopes text[] not null,
  allowed_ips text[] not null default '{}'::text[],
  daily_spend_cap_micros bigint,
  created_by text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_digest_key UNIQUE (digest),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES members(id) ON DELETE SET NULL,
  constraint api_keys_daily_spend_cap_micros_check CHECK ((daily_spend_cap_micros >= 0)),
  constraint api_keys_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id, created_at DESC, id DESC);

CREATE TRIGGER api_keys_changed AFTER UPDATE OF revoked_at, expires_at, scopes, allowed_ips, daily_spend_cap_micros ON public.api_keys FOR EACH ROW EXECUTE FUNCTION tell_api_key_changed();

create table audit_log (
  id text not null,
  account_id text,
  actor text not null,
  action text not null,
  target text,
  ip text,
  client text,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE INDEX audit_log_by_account ON public.audit_log USING btree (account_id, created_at DESC, id DESC);

CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW WHEN ((current_setting('parley.removing_audit_log'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION refuse_change();

create table call_attempts (
  call_id text not null,
  ordinal integer not null,
  run_id text not null,
  carrier text not null,
  dial_id text not null,
  party text not null default 'callee'::text,
  trunk_id text,
  record jsonb,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  ended_at timestamp(3) with time zone,
  cause text,
  code integer,
  reason text,
  constraint call_attempts_pkey PRIMARY KEY (call_id, ordinal),
  constraint call_attempts_dial_id_key UNIQUE (dial_id),
  constraint call_attempts_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id),
  constraint call_attempts_run_id_fkey FOREIGN KEY (run_id) REFERENCES call_runs(id),
  constraint call_attempts_party_check CHECK ((party = ANY (ARRAY['callee'::text, 'transfer'::text])))
);

CREATE INDEX call_attempts_on_trunks ON public.call_attempts USING btree (trunk_id) WHERE ((trunk_id IS NOT NULL) AND (ended_at IS NULL));

create table call_batch_rows (
  batch_id text not null,
  number integer not null,
  phone_number text not null,
  fields jsonb not null,
  status text not null default 'waiting'::text,
  call_id text,
  refusal jsonb,
  constraint call_batch_rows_pkey PRIMARY KEY (batch_id, number),
  constraint call_batch_rows_call_id_key UNIQUE (call_id),
  constraint call_batch_rows_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES call_batches(id) ON DELETE CASCADE,
  constraint call_batch_rows_number_check CHECK ((number > 0)),
  constraint call_batch_rows_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'placed'::text, 'refused'::text, 'canceled'::text]))),
  constraint placed_has_call CHECK (((status = 'placed'::text) = (call_id IS NOT NULL)))
);

CREATE INDEX call_batch_rows_waiting ON public.call_batch_rows USING btree (batch_id, number) WHERE (status = 'waiting'::text);

create table call_batches (
  id text not null,
  account_id text not null,
  mode text not null,
  api_key_id text,
  member_id text,
  name text not null,
  request jsonb not null,
  status text not null default 'running'::text,
  paused_because text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint call_batches_pkey PRIMARY KEY (id),
  constraint call_batches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint call_batches_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint call_batches_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE SET NULL,
  constraint call_batches_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint call_batches_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'done'::text, 'canceled'::text])))
);

CREATE INDEX call_batches_newest ON public.call_batches USING btree (account_id, mode, created_at DESC, id DESC);
CREATE INDEX call_batches_running ON public.call_batches USING btree (created_at, id) WHERE (status = 'running'::text);

create table call_events (
  call_id text not null,
  sequence integer not null,
  type text not null,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint call_events_pkey PRIMARY KEY (call_id, sequence)
) partition by RANGE (call_id);

CREATE UNIQUE INDEX one_analyzed_event_per_call ON ONLY public.call_events USING btree (call_id) WHERE (type = 'call.analyzed'::text);
CREATE UNIQUE INDEX one_final_event_per_call ON ONLY public.call_events USING btree (call_id) WHERE (type = ANY (ARRAY['call.completed'::text, 'call.failed'::text]));

CREATE TRIGGER call_events_append_only BEFORE DELETE OR UPDATE ON public.call_events FOR EACH ROW WHEN ((current_setting('parley.removing_calls'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION refuse_change();

create table call_keywords (
  call_id text not null,
  account_id text not null,
  words tsvector not null,
  constraint call_keywords_pkey PRIMARY KEY (call_id),
  constraint call_keywords_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE INDEX call_keywords_by_word ON public.call_keywords USING gin (words) WITH (fastupdate=off);

create table call_notes (
  call_id text not null,
  account_id text not null,
  tags text[] not null default '{}'::text[],
  note text not null default ''::text,
  changed_at timestamp(3) with time zone not null default clock_timestamp(),
  changed_by text,
  constraint call_notes_pkey PRIMARY KEY (call_id),
  constraint call_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table call_runs (
  id text not null,
  call_id text not null,
  fence bigint not null,
  worker_id text not null,
  claimed_at timestamp(3) with time zone not null default clock_timestamp(),
  renewed_at timestamp(3) with time zone not null default clock_timestamp(),
  lease_expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  outcome text,
  constraint call_runs_pkey PRIMARY KEY (id),
  constraint call_runs_call_id_fence_key UNIQUE (call_id, fence),
  constraint call_runs_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id),
  constraint call_runs_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES workers(id)
) with (fillfactor=70);

CREATE INDEX call_runs_open ON public.call_runs USING btree (worker_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX one_live_run_per_call ON public.call_runs USING btree (call_id) WHERE (ended_at IS NULL);

create table call_shares (
  id text not null,
  call_id text not null,
  account_id text not null,
  mode text not null,
  digest bytea not null,
  has_recording boolean not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  created_by text,
  expires_at timestamp(3) with time zone not null,
  constraint call_shares_pkey PRIMARY KEY (id),
  constraint call_shares_digest_key UNIQUE (digest),
  constraint call_shares_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint call_shares_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

CREATE INDEX call_shares_by_call ON public.call_shares USING btree (call_id);
CREATE INDEX call_shares_by_expiry ON public.call_shares USING btree (expires_at);

create table call_views (
  id text not null,
  account_id text not null,
  name text not null,
  query jsonb not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint call_views_pkey PRIMARY KEY (id),
  constraint call_views_account_id_name_key UNIQUE (account_id, name),
  constraint call_views_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table calls (
  id text not null,
  account_id text not null,
  mode text not null,
  api_key_id text,
  member_id text,
  phone_number text not null,
  agent_id text not null,
  agent_version integer not null,
  engine text not null,
  from_number text,
  variables jsonb not null default '{}'::jsonb,
  metadata jsonb not null default '{}'::jsonb,
  consent jsonb,
  simulation jsonb,
  voicemail jsonb,
  max_duration_seconds integer not null,
  ring_timeout_seconds integer not null,
  record boolean not null default true,
  calling_hours text not null default 'wait'::text,
  status text not null default 'initiated'::text,
  state text not null default 'queued'::text,
  fence bigint not null default 0,
  version integer not null default 1,
  event_sequence integer not null default 0,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  scheduled_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone not null default clock_timestamp(),
  admitted_at timestamp(3) with time zone,
  dialing_at timestamp(3) with time zone,
  answered_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  hangup_requested_at timestamp(3) with time zone,
  network text,
  duration_seconds integer,
  end_reason text,
  ended_by text,
  answered_by text,
  carrier jsonb,
  gate jsonb,
  quality jsonb,
  collected jsonb,
  latency jsonb,
  analysis jsonb,
  recording jsonb,
  incidents jsonb not null default '[]'::jsonb,
  recording_erased_at timestamp(3) with time zone,
  transcript_erased_at timestamp(3) with time zone,
  data_erased_at timestamp(3) with time zone,
  route_per_minute_micros bigint not null default 0,
  engine_per_minute_micros bigint not null default 0,
  bridge_per_minute_micros bigint not null default 0,
  bridged_after_seconds integer,
  is_charged boolean not null default true,
  held_micros bigint not null default 0,
  held_on date,
  billed_seconds integer,
  cost_micros bigint,
  follows_call_id text,
  followed_by_call_id text,
  redials smallint not null default 0,
  engine_parts jsonb,
  callee_language text,
  trace_context text,
  constraint calls_pkey PRIMARY KEY (id),
  constraint calls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint calls_agent_id_agent_version_fkey FOREIGN KEY (agent_id, agent_version) REFERENCES agent_versions(agent_id, version),
  constraint calls_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint calls_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint calls_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE SET NULL,
  constraint calls_bridge_per_minute_micros_check CHECK ((bridge_per_minute_micros >= 0)),
  constraint calls_bridged_after_seconds_check CHECK ((bridged_after_seconds >= 0)),
  constraint calls_calling_hours_check CHECK ((calling_hours = ANY (ARRAY['wait'::text, 'fail'::text, 'ignore'::text]))),
  constraint calls_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint calls_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'claimed'::text, 'dialing'::text, 'ringing'::text, 'talking'::text, 'ended'::text]))),
  constraint calls_status_check CHECK ((status = ANY (ARRAY['initiated'::text, 'in_progress'::text, 'completed'::text, 'failed'::text]))),
  constraint ended_has_reason CHECK (((state <> 'ended'::text) OR ((end_reason IS NOT NULL) AND (ended_at IS NOT NULL)))),
  constraint ended_means_final CHECK (((state = 'ended'::text) = (status = ANY (ARRAY['completed'::text, 'failed'::text])))),
  constraint incidents_are_a_short_list CHECK (((jsonb_typeof(incidents) = 'array'::text) AND (jsonb_array_length(incidents) <= 20))),
  constraint talking_is_in_progress CHECK (((state <> 'talking'::text) OR (status = 'in_progress'::text)))
) with (fillfactor=90);

CREATE INDEX calls_being_recorded ON public.calls USING btree (ended_at) WHERE ((recording ->> 'status'::text) = 'recording'::text);
CREATE INDEX calls_by_agent_version ON public.calls USING btree (account_id, mode, agent_id, GREATEST(agent_version, 0), created_at DESC, id DESC) WHERE (state = 'ended'::text);
CREATE INDEX calls_by_end_reason ON public.calls USING btree (account_id, mode, end_reason, created_at DESC, id DESC) WHERE (end_reason IS NOT NULL);
CREATE INDEX calls_by_number ON public.calls USING btree (account_id, mode, phone_number, created_at DESC, id DESC);
CREATE INDEX calls_by_outcome ON public.calls USING btree (account_id, mode, "left"(COALESCE((analysis ->> 'outcome'::text), end_reason), 64), created_at DESC, id DESC) WHERE (state = 'ended'::text);
CREATE INDEX calls_ended_by_agent ON public.calls USING btree (account_id, mode, agent_id, created_at DESC, id DESC) WHERE (state = 'ended'::text);
CREATE INDEX calls_ended_by_api_key ON public.calls USING btree (account_id, mode, COALESCE(api_key_id, ''::text), created_at DESC, id DESC) WHERE (state = 'ended'::text);
CREATE INDEX calls_ended_by_engine ON public.calls USING btree (account_id, mode, engine, created_at DESC, id DESC) WHERE (state = 'ended'::text);
CREATE INDEX calls_ended_by_status ON public.calls USING btree (account_id, mode, status, created_at DESC, id DESC) WHERE (state = 'ended'::text);
CREATE UNIQUE INDEX calls_follow_up_once ON public.calls USING btree (follows_call_id) WHERE (follows_call_id IS NOT NULL);
CREATE INDEX calls_newest ON public.calls USING btree (account_id, mode, created_at DESC, id DESC);
CREATE INDEX calls_recorded ON public.calls USING btree (ended_at, id) WHERE ((recording ->> 'status'::text) = 'ready'::text);
CREATE INDEX calls_recording_erased ON public.calls USING btree (recording_erased_at, id) WHERE (recording_erased_at IS NOT NULL);
CREATE INDEX calls_unfinished ON public.calls USING btree (account_id, mode, state) WHERE (state <> 'ended'::text);
CREATE INDEX calls_waiting ON public.calls USING btree (account_id, mode, due_at, id) WHERE (state = 'queued'::text);
CREATE INDEX calls_waiting_by_age ON public.calls USING btree (due_at) WHERE (state = 'queued'::text);
CREATE INDEX calls_waiting_by_deadline ON public.calls USING btree (GREATEST(created_at, scheduled_at)) WHERE (state = 'queued'::text);
CREATE INDEX calls_with_recording ON public.calls USING btree (account_id, ended_at) WHERE ((recording IS NOT NULL) AND (recording_erased_at IS NULL));
CREATE INDEX calls_with_transcript ON public.calls USING btree (account_id, ended_at) WHERE ((answered_at IS NOT NULL) AND (transcript_erased_at IS NULL));

CREATE TRIGGER call_end_is_final BEFORE UPDATE OF status, end_reason, ended_by, ended_at, cost_micros, duration_seconds ON public.calls FOR EACH ROW WHEN ((old.state = 'ended'::text)) EXECUTE FUNCTION guard_call_end();
CREATE TRIGGER call_state_moves BEFORE UPDATE OF state ON public.calls FOR EACH ROW EXECUTE FUNCTION guard_call_state();
CREATE TRIGGER calls_batch_rows_go_with_them AFTER DELETE ON public.calls REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_batch_rows_of_calls();
CREATE CONSTRAINT TRIGGER calls_count_by_agent_when_ended AFTER UPDATE OF state ON public.calls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state = 'ended'::text) AND (old.state <> 'ended'::text))) EXECUTE FUNCTION count_ended_call_by_agent();
CREATE CONSTRAINT TRIGGER calls_count_when_ended AFTER UPDATE OF state ON public.calls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state = 'ended'::text) AND (old.state <> 'ended'::text))) EXECUTE FUNCTION count_ended_call();
CREATE CONSTRAINT TRIGGER calls_count_when_queued AFTER INSERT ON public.calls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state = 'queued'::text) AND (current_setting('parley.restoring'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION count_queued_call('joined');
CREATE CONSTRAINT TRIGGER calls_count_when_queued_again AFTER UPDATE OF state ON public.calls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state = 'queued'::text) AND (old.state <> 'queued'::text))) EXECUTE FUNCTION count_queued_call('joined');
CREATE CONSTRAINT TRIGGER calls_count_when_taken AFTER UPDATE OF state ON public.calls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state <> 'queued'::text) AND (old.state = 'queued'::text))) EXECUTE FUNCTION count_queued_call('left');
CREATE TRIGGER calls_join_their_lane_again AFTER UPDATE OF state, due_at ON public.calls FOR EACH ROW WHEN (((new.state = 'queued'::text) AND ((old.state <> 'queued'::text) OR (new.due_at < old.due_at)))) EXECUTE FUNCTION note_waiting_call();
CREATE TRIGGER calls_join_their_lane_new AFTER INSERT ON public.calls FOR EACH ROW WHEN (((new.state = 'queued'::text) AND (current_setting('parley.restoring'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION note_waiting_call();
CREATE TRIGGER calls_notes_go_with_them AFTER DELETE ON public.calls REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_notes_of_calls();
CREATE TRIGGER conversation_needs_answer BEFORE INSERT OR UPDATE OF collected, latency, answered_by, callee_language ON public.calls FOR EACH ROW WHEN (((new.answered_at IS NULL) AND (NOT ((new.collected IS NULL) AND (new.latency IS NULL) AND (new.answered_by IS NULL) AND (new.callee_language IS NULL))))) EXECUTE FUNCTION guard_conversation();

create table device_sign_ins (
  id text not null,
  device_code_digest bytea not null,
  user_code text not null,
  client text not null,
  ip text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  is_denied boolean not null default false,
  account_id text,
  member_id text,
  mode text,
  scopes text[],
  constraint device_sign_ins_pkey PRIMARY KEY (id),
  constraint device_sign_ins_device_code_digest_key UNIQUE (device_code_digest),
  constraint device_sign_ins_user_code_key UNIQUE (user_code),
  constraint device_sign_ins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint device_sign_ins_check CHECK (((account_id IS NULL) = (member_id IS NULL))),
  constraint device_sign_ins_check1 CHECK (((account_id IS NULL) = (mode IS NULL))),
  constraint device_sign_ins_check2 CHECK (((account_id IS NULL) = (scopes IS NULL))),
  constraint device_sign_ins_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

CREATE INDEX device_sign_ins_expired ON public.device_sign_ins USING btree (expires_at);

create table dispatch_lanes (
  account_id text not null,
  mode text not null,
  concurrency_max integer not null default 20,
  calls_per_second double precision not null default 2,
  queued_max integer not null default 10000,
  active_count integer not null default 0,
  next_send_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  last_served_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint dispatch_lanes_pkey PRIMARY KEY (account_id, mode),
  constraint dispatch_lanes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint dispatch_lanes_active_count_check CHECK ((active_count >= 0)),
  constraint dispatch_lanes_calls_per_second_check CHECK ((calls_per_second > (0)::double precision)),
  constraint dispatch_lanes_concurrency_max_check CHECK ((concurrency_max >= 0)),
  constraint dispatch_lanes_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint dispatch_lanes_queued_max_check CHECK ((queued_max >= 0))
);

CREATE TRIGGER lane_within_limit BEFORE UPDATE OF active_count ON public.dispatch_lanes FOR EACH ROW EXECUTE FUNCTION guard_lane();
CREATE TRIGGER lanes_are_unblocked AFTER UPDATE OF active_count, concurrency_max, calls_per_second, next_send_at ON public.dispatch_lanes FOR EACH ROW WHEN (((new.active_count < old.active_count) OR (new.concurrency_max > old.concurrency_max) OR (new.calls_per_second <> old.calls_per_second) OR (new.next_send_at < old.next_send_at))) EXECUTE FUNCTION unblock_lane();

create table engine_rates (
  engine text not null,
  per_minute_micros bigint not null,
  constraint engine_rates_pkey PRIMARY KEY (engine),
  constraint engine_rates_per_minute_micros_check CHECK ((per_minute_micros >= 0))
);

create table failed_attempts (
  subject text not null,
  window_start timestamp(3) with time zone not null,
  failures integer not null,
  constraint failed_attempts_pkey PRIMARY KEY (subject, window_start)
);

CREATE INDEX failed_attempts_by_age ON public.failed_attempts USING btree (window_start);

create table gate_counts (
  account_id text not null,
  kind text not null,
  subject text not null,
  window_start timestamp(3) with time zone not null,
  calls integer not null,
  constraint gate_counts_pkey PRIMARY KEY (account_id, kind, subject, window_start),
  constraint gate_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint gate_counts_calls_check CHECK ((calls > 0)),
  constraint gate_counts_kind_check CHECK ((kind = ANY (ARRAY['number'::text, 'range'::text, 'country'::text])))
);

CREATE INDEX gate_counts_by_age ON public.gate_counts USING btree (window_start);

create table gate_rules (
  account_id text,
  countries text[],
  rate_max_micros bigint,
  calls_per_number_and_day integer,
  calls_per_range_and_hour integer,
  calls_per_country_and_hour integer,
  hours_start text,
  hours_end text,
  may_ignore_hours boolean,
  constraint gate_rules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint gate_rules_calls_per_country_and_hour_check CHECK ((calls_per_country_and_hour >= 0)),
  constraint gate_rules_calls_per_number_and_day_check CHECK ((calls_per_number_and_day >= 0)),
  constraint gate_rules_calls_per_range_and_hour_check CHECK ((calls_per_range_and_hour >= 0)),
  constraint gate_rules_rate_max_micros_check CHECK ((rate_max_micros >= 0)),
  constraint hours_are_whole CHECK ((((hours_start IS NULL) = (hours_end IS NULL)) AND (hours_start < hours_end)))
);

CREATE UNIQUE INDEX one_gate_per_account ON public.gate_rules USING btree (COALESCE(account_id, ''::text));

create table idempotency_records (
  account_id text not null,
  mode text not null,
  method text not null,
  path text not null,
  idempotency_key text not null,
  asked_by text not null default 'key'::text,
  fingerprint bytea not null,
  status integer not null,
  body text not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint idempotency_records_pkey PRIMARY KEY (account_id, mode, method, path, idempotency_key, asked_by),
  constraint idempotency_records_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE INDEX idempotency_records_by_age ON public.idempotency_records USING btree (created_at);

create table leaving_months (
  lower_id text not null,
  upper_id text not null,
  since timestamp(3) with time zone not null default clock_timestamp(),
  constraint leaving_months_pkey PRIMARY KEY (lower_id)
);

create table ledger_transfers (
  id text not null,
  account_id text not null,
  kind text not null,
  call_id text,
  note text not null default ''::text,
  available_micros bigint not null default 0,
  held_micros bigint not null default 0,
  earned_micros bigint not null default 0,
  funded_micros bigint not null default 0,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint ledger_transfers_pkey PRIMARY KEY (id),
  constraint ledger_transfers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint ledger_transfers_kind_check CHECK ((kind = ANY (ARRAY['sign_up_credit'::text, 'credit_added'::text, 'credit_removed'::text, 'hold'::text, 'hold_extended'::text, 'settled'::text, 'released'::text]))),
  constraint transfer_sums_to_zero CHECK (((((available_micros + held_micros) + earned_micros) + funded_micros) = 0))
);

CREATE INDEX ledger_transfers_by_account ON public.ledger_transfers USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX ledger_transfers_by_call ON public.ledger_transfers USING btree (call_id) WHERE (call_id IS NOT NULL);
CREATE UNIQUE INDEX one_hold_per_call ON public.ledger_transfers USING btree (call_id) WHERE (kind = 'hold'::text);
CREATE UNIQUE INDEX one_settlement_per_call ON public.ledger_transfers USING btree (call_id) WHERE (kind = ANY (ARRAY['settled'::text, 'released'::text]));
CREATE UNIQUE INDEX one_sign_up_credit_per_account ON public.ledger_transfers USING btree (account_id) WHERE (kind = 'sign_up_credit'::text);

CREATE TRIGGER ledger_append_only BEFORE DELETE OR UPDATE ON public.ledger_transfers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_applied AFTER INSERT ON public.ledger_transfers FOR EACH ROW EXECUTE FUNCTION apply_transfer();

create table links (
  id text not null,
  kind text not null,
  member_id text not null,
  token_digest bytea not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint links_pkey PRIMARY KEY (id),
  constraint links_token_digest_key UNIQUE (token_digest),
  constraint links_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint links_kind_check CHECK ((kind = ANY (ARRAY['claim'::text, 'invite'::text, 'reset'::text])))
);

CREATE INDEX links_by_member ON public.links USING btree (member_id);

create table mcp_servers (
  id text not null,
  account_id text not null,
  name text not null,
  url text not null,
  header_names text[] not null,
  headers_sealed bytea not null,
  timeout_ms integer not null,
  is_enabled boolean not null default true,
  checked_at timestamp with time zone,
  problem text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  constraint mcp_servers_pkey PRIMARY KEY (id),
  constraint mcp_servers_account_id_name_key UNIQUE (account_id, name),
  constraint mcp_servers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE INDEX mcp_servers_of_account ON public.mcp_servers USING btree (account_id, id DESC);

create table mcp_tools (
  server_id text not null,
  name text not null,
  digest text not null,
  definition jsonb not null,
  is_offered boolean not null,
  approved_digest text,
  approved_definition jsonb,
  approved_by text,
  approved_at timestamp with time zone,
  constraint mcp_tools_pkey PRIMARY KEY (server_id, name),
  constraint mcp_tools_server_id_fkey FOREIGN KEY (server_id) REFERENCES mcp_servers(id) ON DELETE CASCADE,
  constraint mcp_tools_check CHECK (((approved_digest IS NULL) = (approved_definition IS NULL))),
  constraint mcp_tools_check1 CHECK (((approved_digest IS NULL) = (approved_at IS NULL)))
);

create table members (
  id text not null,
  account_id text not null,
  email text,
  password_hash text,
  role text not null,
  is_operator boolean not null default false,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint members_pkey PRIMARY KEY (id),
  constraint members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint members_email_check CHECK ((email = lower(email))),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);

CREATE INDEX members_by_account ON public.members USING btree (account_id, created_at, id);
CREATE UNIQUE INDEX members_by_email ON public.members USING btree (email);

create table model_providers (
  name text not null,
  api_key_sealed bytea,
  last_four text,
  base_url text,
  model text,
  use text not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint model_providers_pkey PRIMARY KEY (name),
  constraint ending_belongs_to_a_key CHECK (((last_four IS NULL) OR (api_key_sealed IS NOT NULL))),
  constraint model_providers_use_check CHECK ((use = ANY (ARRAY['first'::text, 'fallback'::text, 'off'::text])))
);

CREATE UNIQUE INDEX one_model_is_asked_first ON public.model_providers USING btree ((true)) WHERE (use = 'first'::text);

CREATE TRIGGER model_providers_changed AFTER INSERT OR DELETE OR UPDATE ON public.model_providers FOR EACH STATEMENT EXECUTE FUNCTION tell_models_changed();

create table outbox (
  id text not null,
  account_id text not null,
  mode text not null,
  type text not null,
  call_id text,
  sequence integer,
  body text not null,
  endpoint_id text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint outbox_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id),
  constraint outbox_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id)
);

CREATE UNIQUE INDEX one_analyzed_outbox_row_per_call ON public.outbox USING btree (call_id) WHERE (type = 'call.analyzed'::text);
CREATE UNIQUE INDEX one_final_outbox_row_per_call ON public.outbox USING btree (call_id) WHERE (type = ANY (ARRAY['call.completed'::text, 'call.failed'::text]));
CREATE INDEX outbox_by_account ON public.outbox USING btree (account_id, mode, created_at DESC, id DESC);
CREATE INDEX outbox_by_age ON public.outbox USING brin (created_at);
CREATE INDEX outbox_for_one ON public.outbox USING btree (endpoint_id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX outbox_of_call ON public.outbox USING btree (call_id) WHERE (call_id IS NOT NULL);

CREATE TRIGGER outbox_queues_deliveries AFTER INSERT ON public.outbox FOR EACH ROW EXECUTE FUNCTION queue_deliveries();

create table provider_rates (
  provider text not null,
  unit text not null,
  price_micros bigint not null,
  constraint provider_rates_pkey PRIMARY KEY (provider, unit),
  constraint provider_rates_price_micros_check CHECK ((price_micros >= 0)),
  constraint provider_rates_unit_check CHECK ((unit = ANY (ARRAY['recognition_minute'::text, 'synthesis_1000_characters'::text, 'input_1m_tokens'::text, 'output_1m_tokens'::text])))
);

create table queued_counts (
  account_id text not null,
  mode text not null,
  bucket smallint not null,
  calls integer not null,
  constraint queued_counts_pkey PRIMARY KEY (account_id, mode, bucket),
  constraint queued_counts_account_id_mode_fkey FOREIGN KEY (account_id, mode) REFERENCES dispatch_lanes(account_id, mode)
) with (fillfactor=50);

create unlogged table rate_windows (
  bucket text not null,
  window_start bigint not null,
  granted integer not null,
  last_grant integer not null,
  constraint rate_windows_pkey PRIMARY KEY (bucket)
);

create table rates (
  prefix text not null,
  per_minute_micros bigint not null,
  description text not null default ''::text,
  constraint rates_pkey PRIMARY KEY (prefix),
  constraint rates_per_minute_micros_check CHECK ((per_minute_micros >= 0)),
  constraint rates_prefix_check CHECK ((prefix ~ '^\+[0-9]*$'::text))
);

create table recording_objects (
  call_id text not null,
  upload_id text,
  parts jsonb not null default '[]'::jsonb,
  stored_at timestamp(3) with time zone,
  claimed_until timestamp(3) with time zone not null default '-infinity'::timestamp with time zone,
  constraint recording_objects_pkey PRIMARY KEY (call_id),
  constraint recording_objects_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);

create table recording_peaks (
  call_id text not null,
  samples_per_peak integer not null,
  callee bytea not null,
  agent bytea not null,
  constraint recording_peaks_pkey PRIMARY KEY (call_id),
  constraint recording_peaks_agent_check CHECK ((length(agent) <= 2000)),
  constraint recording_peaks_callee_check CHECK ((length(callee) <= 2000)),
  constraint recording_peaks_samples_per_peak_check CHECK ((samples_per_peak > 0))
) partition by RANGE (call_id);

create table recovery_codes (
  member_id text not null,
  code_digest bytea not null,
  used_at timestamp(3) with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (member_id, code_digest),
  constraint recovery_codes_member_id_fkey FOREIGN KEY (member_id) REFERENCES second_factors(member_id) ON DELETE CASCADE
);

create table redials (
  call_id text not null,
  call_at timestamp(3) with time zone not null,
  next_try_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint redials_pkey PRIMARY KEY (call_id),
  constraint redials_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id) ON DELETE CASCADE
);

CREATE INDEX redials_by_next_try ON public.redials USING btree (next_try_at);

create table scenario_results (
  run_id text not null,
  ordinal integer not null,
  scenario jsonb not null,
  call_id text,
  result jsonb,
  constraint scenario_results_pkey PRIMARY KEY (run_id, ordinal),
  constraint scenario_results_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id),
  constraint scenario_results_run_id_fkey FOREIGN KEY (run_id) REFERENCES scenario_runs(id)
);

CREATE INDEX scenario_results_by_call ON public.scenario_results USING btree (call_id) WHERE (call_id IS NOT NULL);

create table scenario_runs (
  id text not null,
  account_id text not null,
  agent_id text not null,
  medium text not null,
  agent_version integer,
  placed_by jsonb,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  finished_at timestamp(3) with time zone,
  constraint scenario_runs_pkey PRIMARY KEY (id),
  constraint scenario_runs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint scenario_runs_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint scenario_runs_medium_check CHECK ((medium = ANY (ARRAY['text'::text, 'audio'::text])))
);

CREATE INDEX scenario_runs_unfinished ON public.scenario_runs USING btree (created_at) WHERE (finished_at IS NULL);

create table scenarios (
  id text not null,
  account_id text not null,
  agent_id text not null,
  name text not null,
  steps jsonb not null,
  variables jsonb not null,
  tool_replies jsonb not null,
  expect jsonb not null,
  made_from_call_id text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint scenarios_pkey PRIMARY KEY (id),
  constraint scenarios_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint scenarios_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);

CREATE INDEX scenarios_by_agent ON public.scenarios USING btree (agent_id, created_at, id);

create table second_factors (
  member_id text not null,
  secret_sealed bytea not null,
  confirmed_at timestamp(3) with time zone,
  last_step bigint not null default 0,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint second_factors_pkey PRIMARY KEY (member_id),
  constraint second_factors_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

create table sign_in_challenges (
  token_digest bytea not null,
  member_id text not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  expires_at timestamp(3) with time zone not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (token_digest),
  constraint sign_in_challenges_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

CREATE INDEX sign_in_challenges_by_member ON public.sign_in_challenges USING btree (member_id);

create table sign_ins (
  id text not null,
  member_id text not null,
  token_digest bytea not null,
  ip text,
  client text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  last_seen_at timestamp(3) with time zone not null default clock_timestamp(),
  expires_at timestamp(3) with time zone not null,
  constraint sign_ins_pkey PRIMARY KEY (id),
  constraint sign_ins_token_digest_key UNIQUE (token_digest),
  constraint sign_ins_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

CREATE INDEX sign_ins_by_expiry ON public.sign_ins USING btree (expires_at);
CREATE INDEX sign_ins_by_member ON public.sign_ins USING btree (member_id);

create table spend_days (
  spender_id text not null,
  day date not null,
  micros bigint not null,
  constraint spend_days_pkey PRIMARY KEY (spender_id, day)
);

create table suppressions (
  account_id text not null,
  phone_number text not null,
  reason text not null default ''::text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint suppressions_pkey PRIMARY KEY (account_id, phone_number),
  constraint suppressions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE INDEX suppressions_by_age ON public.suppressions USING btree (account_id, created_at DESC, phone_number);

create table tool_secrets (
  account_id text not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamp(3) with time zone,
  constraint tool_secrets_pkey PRIMARY KEY (account_id),
  constraint tool_secrets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint previous_tool_secret_is_whole CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)))
);

create table transcript_items (
  call_id text not null,
  ordinal integer not null,
  type text not null,
  turn integer,
  start_ms integer not null,
  item jsonb not null,
  constraint transcript_items_pkey PRIMARY KEY (call_id, ordinal),
  constraint transcript_items_ordinal_check CHECK ((ordinal > 0)),
  constraint transcript_items_type_check CHECK ((type = ANY (ARRAY['speech'::text, 'decision'::text, 'tool_call'::text, 'tool_result'::text, 'node'::text, 'dtmf'::text, 'note'::text])))
) partition by RANGE (call_id);

CREATE TRIGGER transcript_needs_answer AFTER INSERT ON public.transcript_items REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION guard_transcript();
CREATE TRIGGER transcript_revisions_go_with_items AFTER DELETE ON public.transcript_items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_revisions_of_items();

comment on column transcript_items.start_ms is 'Orders the items. Words stand before the tool that was asked while they were spoken.';

create table transcript_passes (
  call_id text not null,
  model text not null,
  status text not null,
  attempts integer not null default 1,
  lease_until timestamp(3) with time zone not null,
  reason text,
  finished_at timestamp(3) with time zone,
  constraint transcript_passes_pkey PRIMARY KEY (call_id),
  constraint transcript_passes_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id),
  constraint transcript_passes_attempts_check CHECK ((attempts > 0)),
  constraint transcript_passes_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text])))
);

create table transcript_revisions (
  call_id text not null,
  ordinal integer not null,
  text text not null,
  constraint transcript_revisions_pkey PRIMARY KEY (call_id, ordinal)
) partition by RANGE (call_id);

create table transcript_words (
  call_id text not null,
  words tsvector not null,
  constraint transcript_words_pkey PRIMARY KEY (call_id),
  constraint transcript_words_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);

CREATE INDEX transcript_words_by_word ON public.transcript_words USING gin (words) WITH (fastupdate=off);

create table trunk_caller_days (
  trunk_id text not null,
  caller_id text not null,
  day date not null,
  attempts integer not null default 0,
  rang integer not null default 0,
  answered integer not null default 0,
  constraint trunk_caller_days_pkey PRIMARY KEY (trunk_id, caller_id, day),
  constraint trunk_caller_days_trunk_id_fkey FOREIGN KEY (trunk_id) REFERENCES trunks(id) ON DELETE CASCADE
);

CREATE INDEX trunk_caller_days_by_age ON public.trunk_caller_days USING btree (day);

create table trunk_channels (
  trunk_id text not null,
  channels_max integer,
  calls_per_second double precision,
  active_count integer not null default 0,
  next_send_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint trunk_channels_pkey PRIMARY KEY (trunk_id),
  constraint trunk_channels_trunk_id_fkey FOREIGN KEY (trunk_id) REFERENCES trunks(id) ON DELETE CASCADE,
  constraint trunk_channels_active_count_check CHECK ((active_count >= 0)),
  constraint trunk_channels_calls_per_second_check CHECK ((calls_per_second > (0)::double precision)),
  constraint trunk_channels_channels_max_check CHECK (((channels_max >= 1) AND (channels_max <= 100000)))
);

CREATE TRIGGER trunk_limits_changed AFTER UPDATE OF channels_max, calls_per_second ON public.trunk_channels FOR EACH STATEMENT EXECUTE FUNCTION tell_trunks_changed();
CREATE TRIGGER trunk_within_limit BEFORE UPDATE OF active_count ON public.trunk_channels FOR EACH ROW EXECUTE FUNCTION guard_trunk_channels();

create table trunk_health (
  trunk_id text not null,
  worker_id text not null,
  is_reachable boolean,
  is_registered boolean,
  circuit text not null,
  trouble text,
  reported_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint trunk_health_pkey PRIMARY KEY (trunk_id, worker_id),
  constraint trunk_health_trunk_id_fkey FOREIGN KEY (trunk_id) REFERENCES trunks(id) ON DELETE CASCADE,
  constraint trunk_health_circuit_check CHECK ((circuit = ANY (ARRAY['closed'::text, 'open'::text, 'half_open'::text])))
);

create table trunk_routes (
  id text not null,
  prefix text not null,
  trunk_id text not null,
  priority integer not null default 0,
  weight integer not null default 1,
  managed_by text not null default 'operator'::text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint trunk_routes_pkey PRIMARY KEY (id),
  constraint one_route_per_prefix_and_trunk UNIQUE (prefix, trunk_id),
  constraint trunk_routes_trunk_id_fkey FOREIGN KEY (trunk_id) REFERENCES trunks(id),
  constraint trunk_routes_managed_by_check CHECK ((managed_by = ANY (ARRAY['operator'::text, 'configuration'::text]))),
  constraint trunk_routes_prefix_check CHECK ((prefix ~ '^[0-9]{0,15}$'::text)),
  constraint trunk_routes_priority_check CHECK ((priority >= 0)),
  constraint trunk_routes_weight_check CHECK ((weight >= 0))
);

CREATE INDEX trunk_routes_by_trunk ON public.trunk_routes USING btree (trunk_id);

CREATE TRIGGER trunk_routes_changed AFTER INSERT OR DELETE OR UPDATE ON public.trunk_routes FOR EACH STATEMENT EXECUTE FUNCTION tell_trunks_changed();

create table trunk_turns (
  trunk_id text not null,
  account_id text not null,
  served_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  wanted_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint trunk_turns_pkey PRIMARY KEY (trunk_id, account_id),
  constraint trunk_turns_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint trunk_turns_trunk_id_fkey FOREIGN KEY (trunk_id) REFERENCES trunks(id) ON DELETE CASCADE
);

create table trunks (
  id text not null,
  name text not null,
  is_enabled boolean not null default true,
  managed_by text not null default 'operator'::text,
  host text not null,
  port integer,
  transport text not null default 'udp'::text,
  outbound_proxy text,
  username text,
  password_sealed bytea,
  from_host text,
  public_host text,
  public_port integer,
  allows_tcp_for_large boolean not null default false,
  asserts_identity boolean not null default false,
  no_response_ms integer not null default 4000,
  session_timer_seconds integer,
  offers_reliable_ringing boolean not null default true,
  stays_on_first_hop boolean not null default false,
  number_format text not null default 'e164'::text,
  dial_prefix text not null default ''::text,
  caller_ids text[] not null default '{}'::text[],
  codecs text[] not null,
  srtp text not null default 'off'::text,
  public_media_host text,
  registers_as text,
  ping_interval_seconds integer,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  kind text not null default 'sip'::text,
  public_key text,
  constraint trunks_pkey PRIMARY KEY (id),
  constraint trunk_credentials_are_whole CHECK (((username IS NULL) = (password_sealed IS NULL))),
  constraint trunk_public_address_is_whole CHECK (((public_host IS NULL) = (public_port IS NULL))),
  constraint trunk_registers_with_credentials CHECK (((registers_as IS NULL) OR (username IS NOT NULL))),
  constraint trunks_codecs_check CHECK ((cardinality(codecs) > 0)),
  constraint trunks_kind_check CHECK ((kind ~ '^[a-z]+$'::text)),
  constraint trunks_managed_by_check CHECK ((managed_by = ANY (ARRAY['operator'::text, 'configuration'::text]))),
  constraint trunks_name_check CHECK ((name <> ''::text)),
  constraint trunks_no_response_ms_check CHECK (((no_response_ms >= 1000) AND (no_response_ms <= 30000))),
  constraint trunks_number_format_check CHECK ((number_format = ANY (ARRAY['e164'::text, 'digits'::text]))),
  constraint trunks_ping_interval_seconds_check CHECK ((ping_interval_seconds > 0)),
  constraint trunks_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint trunks_public_port_check CHECK (((public_port >= 1) AND (public_port <= 65535))),
  constraint trunks_session_timer_seconds_check CHECK ((session_timer_seconds >= 90)),
  constraint trunks_srtp_check CHECK ((srtp = ANY (ARRAY['off'::text, 'optional'::text, 'required'::text]))),
  constraint trunks_transport_check CHECK ((transport = ANY (ARRAY['udp'::text, 'tcp'::text, 'tls'::text])))
);

CREATE UNIQUE INDEX trunks_by_name ON public.trunks USING btree (lower(name));

CREATE TRIGGER trunks_changed AFTER INSERT OR DELETE OR UPDATE ON public.trunks FOR EACH STATEMENT EXECUTE FUNCTION tell_trunks_changed();

create table usage_hours (
  account_id text not null,
  mode text not null,
  hour_at timestamp with time zone not null,
  agent_id text not null,
  agent_version integer not null,
  engine text not null,
  api_key_id text not null,
  outcome text not null,
  calls integer not null,
  answered integer not null,
  failed integer not null,
  talk_seconds bigint not null,
  cost_micros bigint not null,
  turns integer not null,
  interruptions integer not null,
  incidents integer not null,
  replies numeric not null default 0,
  constraint usage_hours_pkey PRIMARY KEY (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome),
  constraint usage_hours_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint usage_hours_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table usage_quarters (
  account_id text not null,
  mode text not null,
  quarter_at timestamp(3) with time zone not null,
  end_reason text not null,
  calls integer not null,
  answered integer not null,
  failed integer not null,
  talk_seconds bigint not null,
  cost_micros bigint not null,
  interruptions integer,
  constraint usage_quarters_pkey PRIMARY KEY (account_id, mode, quarter_at, end_reason),
  constraint usage_quarters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint usage_quarters_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table usage_replies (
  account_id text not null,
  mode text not null,
  quarter_at timestamp(3) with time zone not null,
  bin integer not null,
  replies integer not null,
  constraint usage_replies_pkey PRIMARY KEY (account_id, mode, quarter_at, bin),
  constraint usage_replies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint usage_replies_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table voice_tries (
  actor_id text not null,
  try_id text not null,
  expires_at timestamp(3) with time zone not null,
  constraint voice_tries_pkey PRIMARY KEY (actor_id)
);

create table waiting_lanes (
  account_id text not null,
  mode text not null,
  is_ready boolean not null,
  due_at timestamp with time zone not null,
  blocked_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  served_at timestamp with time zone not null,
  constraint waiting_lanes_pkey PRIMARY KEY (account_id, mode),
  constraint waiting_lanes_account_id_mode_fkey FOREIGN KEY (account_id, mode) REFERENCES dispatch_lanes(account_id, mode)
) with (fillfactor=50);

CREATE INDEX waiting_lanes_by_time ON public.waiting_lanes USING btree (GREATEST(due_at, blocked_until)) WHERE (NOT is_ready);
CREATE INDEX waiting_lanes_by_turn ON public.waiting_lanes USING btree (served_at) WHERE is_ready;

create table webhook_attempts (
  delivery_id text not null,
  fence integer not null,
  started_at timestamp(3) with time zone not null,
  latency_ms integer not null,
  is_success boolean not null,
  status integer,
  reason text not null,
  response_body text,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, fence),
  constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE
);

CREATE INDEX webhook_attempts_by_age ON public.webhook_attempts USING brin (started_at);

create table webhook_deliveries (
  id text not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  call_id text,
  status text not null,
  is_asked_for boolean not null default false,
  try_count integer not null default 0,
  attempt_count integer not null default 0,
  next_attempt_at timestamp(3) with time zone,
  claimed_until timestamp(3) with time zone,
  fence integer not null default 0,
  last_attempt_at timestamp(3) with time zone,
  last_status integer,
  last_reason text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  delivered_at timestamp(3) with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_event_id_endpoint_id_key UNIQUE (event_id, endpoint_id),
  constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id),
  constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES outbox(id),
  constraint pending_has_a_time CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'held'::text])))
);

CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING brin (created_at);
CREATE INDEX webhook_deliveries_by_call ON public.webhook_deliveries USING btree (call_id) WHERE (call_id IS NOT NULL);
CREATE INDEX webhook_deliveries_claimed ON public.webhook_deliveries USING btree (endpoint_id) WHERE (claimed_until IS NOT NULL);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (status = 'pending'::text);

create table webhook_endpoints (
  id text not null,
  account_id text not null,
  mode text not null,
  url text not null,
  event_types text[],
  description text not null default ''::text,
  header_names text[] not null default '{}'::text[],
  headers_sealed bytea not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamp(3) with time zone,
  is_enabled boolean not null default true,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  failures_in_a_row integer not null default 0,
  paused_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  warned_at timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  deleted_at timestamp(3) with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint disabled_has_a_reason CHECK (((is_enabled = (disabled_reason IS NULL)) AND (is_enabled = (disabled_at IS NULL)))),
  constraint previous_secret_has_an_end CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['member'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

CREATE INDEX webhook_endpoints_of_account ON public.webhook_endpoints USING btree (account_id, mode, id DESC) WHERE (deleted_at IS NULL);

create table worker_pulse (
  is_only_row boolean not null default true,
  beat_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  steady_since timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint worker_pulse_pkey PRIMARY KEY (is_only_row),
  constraint worker_pulse_is_only_row_check CHECK (is_only_row)
);

create table workers (
  id text not null,
  internal_url text,
  slots_max integer not null,
  draining boolean not null default false,
  started_at timestamp(3) with time zone not null default clock_timestamp(),
  seen_at timestamp(3) with time zone not null default clock_timestamp(),
  calls_held integer not null default 0,
  calls_max integer,
  limited_by jsonb,
  constraint workers_pkey PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION public.add_month(table_name text, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  month timestamp := date_trunc('month', moment at time zone 'utc');
  from_id text := id_at('call', month at time zone 'utc');
  to_id text := id_at('call', (month + interval '1 month') at time zone 'utc');
  child text := table_name || to_char(month, '_YYYY_MM');
  spare text := table_name || '_default';
begin
  if not pg_try_advisory_xact_lock(7275540) then return false; end if;
  perform 1 from month_partitions() p where p.parent = table_name and p.lower_id < to_id and p.upper_id > from_id;
  if found then return false; end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', child, table_name);
  -- Rows that belong to the new partition must not be in the default one when it is attached, nor be added meanwhile.
  execute format('lock table %I in access exclusive mode', spare);
  perform set_config('parley.removing_calls', 'on', true);
  execute format('with moved as (delete from %I where call_id >= %L and call_id < %L returning *) insert into %I select * from moved',
    spare, from_id, to_id, child);
  perform set_config('parley.removing_calls', 'off', true);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', table_name, child, from_id, to_id);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.apply_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if 'on' in (current_setting('parley.restoring', true), current_setting('parley.acts_by_name', true)) then return null; end if;
  perform apply_transfer(new);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.apply_transfer(transfer ledger_transfers)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update account_balances
    set available_micros = available_micros + transfer.available_micros, held_micros = held_micros + transfer.held_micros,
      was_low_told = was_low_told and transfer.kind <> 'credit_added'
    where account_id = transfer.account_id;
  if not found then
    raise exception 'account % has no balance', transfer.account_id;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_waiting_calls(slots integer, claiming_worker text, run_id_start text, lease_seconds double precision)
 RETURNS TABLE(call calls, send_in_ms double precision, available_micros bigint, is_suppressed boolean, has_more boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  lane record;
  calls_max integer;
  moment timestamptz;
begin
  -- Calls that another statement locks are left to a later look. They must not make the calls of other lanes wait, too.
  for look in 1..3 loop
    select * into lane from take_waiting_lane();
    if not found then return; end if;
    moment := clock_timestamp();
    -- Calls are claimed no further ahead than a second, so that a slow lane does not park calls in one worker.
    calls_max := least(slots, lane.free, greatest(1, floor(least(1e6, (1 - lane.wait_ms / 1000) * lane.calls_per_second)))::integer);
    return query
      with due as (
        select c.id from calls c
        where c.account_id = lane.account_id and c.mode = lane.mode and c.state = 'queued' and c.due_at <= moment
          -- Left to the job that expires it: claimed again and again it would never expire.
          and greatest(c.created_at, c.scheduled_at) >= moment - interval '24 hours'
        order by c.due_at, c.id limit calls_max
        for update skip locked
      ), claimed as (
        update calls c set state = 'claimed', fence = c.fence + 1, version = c.version + 1
        from due where c.id = due.id returning c as call
      ), begun as (
        insert into call_runs (id, call_id, fence, worker_id, lease_expires_at)
        select run_id_start || right(replace(gen_random_uuid()::text, '-', ''), 16), (k.call).id, (k.call).fence, claiming_worker,
          statement_timestamp() + make_interval(secs => lease_seconds)
        from claimed k
      ), charged as (
        update dispatch_lanes l set active_count = l.active_count + counted.calls, last_served_at = clock_timestamp(),
          next_send_at = greatest(l.next_send_at, clock_timestamp()) + make_interval(secs => counted.calls / l.calls_per_second)
        from (select count(*)::integer as calls from claimed) counted
        where l.account_id = lane.account_id and l.mode = lane.mode and counted.calls > 0
      )
      select k.call, lane.wait_ms + (row_number() over (order by (k.call).due_at, (k.call).id) - 1) * 1000 / lane.calls_per_second,
        (select b.available_micros from account_balances b where b.account_id = lane.account_id),
        exists (select from suppressions s where s.account_id = lane.account_id and s.phone_number = (k.call).phone_number),
        count(*) over () = calls_max
          or exists (select from waiting_lanes w where w.is_ready and (w.account_id, w.mode) <> (lane.account_id, lane.mode))
      from claimed k;
    if found then return; end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.count_call_by_agent(call_id text)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into usage_hours as u
  select c.account_id, c.mode, date_trunc('hour', c.created_at, 'utc'), c.agent_id, greatest(c.agent_version, 0), c.engine,
    coalesce(c.api_key_id, ''), left(coalesce(c.analysis->>'outcome', c.end_reason), 64),
    1, (c.answered_at is not null)::int, (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), coalesce(c.cost_micros, 0),
    coalesce((c.latency->>'turns')::int, 0), coalesce((c.latency->>'interruptions')::int, 0), jsonb_array_length(c.incidents),
    (
      select coalesce(sum(('1' || repeat('0', 12 * reply_bin((t.item->'timing'->>'totalMs')::numeric)))::numeric), 0)
      from transcript_items t
      where t.call_id = c.id and t.type = 'speech' and t.item->'timing'->>'totalMs' is not null
    )
  from calls c where c.id = count_call_by_agent.call_id and c.state = 'ended'
  on conflict (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome) do update set
    calls = u.calls + excluded.calls, answered = u.answered + excluded.answered, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, cost_micros = u.cost_micros + excluded.cost_micros,
    turns = u.turns + excluded.turns, interruptions = u.interruptions + excluded.interruptions,
    incidents = u.incidents + excluded.incidents, replies = u.replies + excluded.replies
$function$;

CREATE OR REPLACE FUNCTION public.count_ended_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_quarters as u
  select c.account_id, c.mode, quarter_of(c.created_at), c.end_reason, 1, (c.answered_at is not null)::int,
    (c.status = 'failed')::int, coalesce(c.duration_seconds, 0), case when c.is_charged then coalesce(c.cost_micros, 0) else 0 end,
    coalesce((c.latency->>'interruptions')::int, 0)
  from calls c where c.id = new.id
  on conflict (account_id, mode, quarter_at, end_reason) do update set
    calls = u.calls + 1, answered = u.answered + excluded.answered, failed = u.failed + excluded.failed,
    talk_seconds = u.talk_seconds + excluded.talk_seconds, cost_micros = u.cost_micros + excluded.cost_micros,
    -- What is not known stays so.
    interruptions = u.interruptions + excluded.interruptions;
  insert into usage_replies as u
  select new.account_id, new.mode, quarter_of(new.created_at), reply_bin((t.item->'timing'->>'totalMs')::numeric) as bin, count(*)
  from transcript_items t
  where t.call_id = new.id and t.type = 'speech' and t.item->'timing'->>'totalMs' is not null
  group by bin order by bin
  on conflict (account_id, mode, quarter_at, bin) do update set replies = u.replies + excluded.replies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_ended_call_by_agent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform count_call_by_agent(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_queued_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into queued_counts as q (account_id, mode, bucket, calls)
  values (new.account_id, new.mode, pg_backend_pid() % 16, case when tg_argv[0] = 'joined' then 1 else -1 end)
  on conflict (account_id, mode, bucket) do update set calls = q.calls + excluded.calls;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.first_due_call(owner_id text, call_mode text)
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$
  select due_at from calls
  where account_id = owner_id and mode = call_mode and state = 'queued'
    and greatest(created_at, scheduled_at) >= clock_timestamp() - interval '24 hours'
  order by due_at limit 1
$function$;

CREATE OR REPLACE FUNCTION public.forget_batch_rows_of_calls()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from call_batch_rows where call_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_notes_of_calls()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from call_keywords where call_id in (select id from gone);
  delete from call_notes where call_id in (select id from gone);
  delete from call_shares where call_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_revisions_of_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare call record;
begin
  -- One call at a time, so that only the partition of that call is read.
  for call in select g.call_id, array_agg(g.ordinal) as ordinals from gone g group by g.call_id loop
    delete from transcript_revisions r where r.call_id = call.call_id and r.ordinal = any (call.ordinals);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_call_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'call % has ended', old.id using errcode = 'integrity_constraint_violation', constraint = 'call_ends_once';
end $function$;

CREATE OR REPLACE FUNCTION public.guard_call_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state = 'ended' then
    raise exception 'call % has ended', old.id using errcode = 'integrity_constraint_violation', constraint = 'call_ends_once';
  end if;
  if not (
    (old.state = 'queued' and new.state in ('claimed', 'ended')) or
    (old.state = 'claimed' and new.state in ('queued', 'dialing', 'ended')) or
    (old.state = 'dialing' and new.state in ('ringing', 'talking', 'ended')) or
    (old.state = 'ringing' and new.state in ('talking', 'ended')) or
    (old.state = 'talking' and new.state = 'ended')
  ) then
    raise exception 'call % cannot go from % to %', old.id, old.state, new.state
      using errcode = 'integrity_constraint_violation', constraint = 'call_state_moves';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'call % was never answered and can have no conversation', new.id
    using errcode = 'check_violation', constraint = 'conversation_needs_answer';
end $function$;

CREATE OR REPLACE FUNCTION public.guard_lane()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.active_count > old.active_count and new.active_count > new.concurrency_max then
    raise exception 'lane %/% would exceed % calls at once', new.account_id, new.mode, new.concurrency_max
      using errcode = 'check_violation', constraint = 'lane_within_limit';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_transcript()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare unanswered text;
begin
  -- A backup may have items of a month that was leaving.
  if current_setting('parley.restoring', true) = 'on' then return null; end if;
  select a.call_id into unanswered from added a left join calls c on c.id = a.call_id where c.answered_at is null limit 1;
  if unanswered is not null then
    raise exception 'call % was never answered and can have no transcript', unanswered
      using errcode = 'check_violation', constraint = 'transcript_needs_answer';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_trunk_channels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.active_count > old.active_count and new.active_count > new.channels_max then
    raise exception 'trunk % would exceed % calls at once', new.trunk_id, new.channels_max
      using errcode = 'check_violation', constraint = 'trunk_within_limit';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.id_at(prefix text, moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * place)) & 31)::int + 1, 1), '' order by place desc)
  from (select floor(extract(epoch from moment) * 1000)::bigint as ms) t, generate_series(0, 9) place
$function$;

CREATE OR REPLACE FUNCTION public.moment_of_id(id text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when id ~ '^[a-z]+_[0-9a-hjkmnp-tv-z]{10}' then (
    select to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(split_part(id, '_', 2), place, 1)) - 1)::bigint << (5 * (10 - place))) / 1000)
    from generate_series(1, 10) place
  ) end
$function$;

CREATE OR REPLACE FUNCTION public.month_partitions()
 RETURNS TABLE(parent text, name text, lower_id text, upper_id text)
 LANGUAGE sql
 STABLE
AS $function$
  select p.relname::text, c.relname::text,
    case when b.bound like 'FOR VALUES FROM (MINVALUE)%' then '' else substring(b.bound from 'FROM \(''([^'']+)''\)') end,
    substring(b.bound from 'TO \(''([^'']+)''\)')
  from pg_partitioned_table t
  join pg_class p on p.oid = t.partrelid and p.relnamespace = 'public'::regnamespace
  join pg_inherits i on i.inhparent = p.oid
  join pg_class c on c.oid = i.inhrelid
  cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
$function$;

CREATE OR REPLACE FUNCTION public.note_waiting_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare known waiting_lanes;
begin
  loop
    select * into known from waiting_lanes w where w.account_id = new.account_id and w.mode = new.mode for key share;
    exit when found;
    insert into waiting_lanes (account_id, mode, is_ready, due_at, served_at)
    values (new.account_id, new.mode, new.due_at <= clock_timestamp(), new.due_at, coalesce(
      (select l.last_served_at from dispatch_lanes l where l.account_id = new.account_id and l.mode = new.mode), '-infinity'
    ))
    on conflict do nothing;
    if found then return null; end if;
  end loop;
  if not known.is_ready and known.due_at > new.due_at then
    update waiting_lanes w set due_at = new.due_at
    where w.account_id = new.account_id and w.mode = new.mode and w.due_at > new.due_at;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.post_transfer(transfer_id text, owner_id text, transfer_kind text, about_call text, transfer_note text, available bigint, held bigint, earned bigint, funded bigint)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare transfer ledger_transfers;
begin
  perform set_config('parley.acts_by_name', 'on', true);
  insert into ledger_transfers (id, account_id, kind, call_id, note, available_micros, held_micros, earned_micros, funded_micros)
  values (transfer_id, owner_id, transfer_kind, about_call, transfer_note, available, held, earned, funded)
  returning * into transfer;
  perform set_config('parley.acts_by_name', 'off', true);
  perform apply_transfer(transfer);
  return transfer.id;
end $function$;

CREATE OR REPLACE FUNCTION public.quarter_of(moment timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select date_bin('15 minutes', moment, timestamptz '2000-01-01 00:00:00+00') $function$;

CREATE OR REPLACE FUNCTION public.queue_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A backup has the deliveries too.
  if 'on' in (current_setting('parley.restoring', true), current_setting('parley.acts_by_name', true)) then return null; end if;
  perform queue_deliveries(new);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_deliveries(event outbox)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into webhook_deliveries (id, endpoint_id, event_id, event_type, call_id, status, is_asked_for, next_attempt_at, created_at)
  select 'dlv_' || substr(event.id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), e.id, event.id, event.type, event.call_id,
    case when e.is_enabled or event.endpoint_id is not null then 'pending' else 'held' end,
    event.endpoint_id is not null,
    case when e.is_enabled or event.endpoint_id is not null then timestamptz '-infinity' end,
    event.created_at
  from webhook_endpoints e
  where e.account_id = event.account_id and e.mode = event.mode and e.deleted_at is null
    and case when event.endpoint_id is null then e.event_types is null or event.type = any(e.event_types) else e.id = event.endpoint_id end;
  if found then perform pg_notify('parley_webhooks', ''); end if;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_event(event outbox)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  insert into webhook_deliveries (id, endpoint_id, event_id, event_type, call_id, status, is_asked_for, next_attempt_at, created_at)
  select 'dlv_' || substr(event.id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), e.id, event.id, event.type, event.call_id,
    case when e.is_enabled or event.endpoint_id is not null then 'pending' else 'held' end,
    event.endpoint_id is not null,
    case when e.is_enabled or event.endpoint_id is not null then timestamptz '-infinity' end,
    event.created_at
  from webhook_endpoints e
  where e.account_id = event.account_id and e.mode = event.mode and e.deleted_at is null
    and case when event.endpoint_id is null then e.event_types is null or event.type = any(e.event_types) else e.id = event.endpoint_id end;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% rows are never changed', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.remove_calls(call_ids text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
declare
  gone text[];
  -- Those of them whose rows do not leave with their month.
  single text[];
begin
  select coalesce(array_agg(id), '{}') into gone from (
    select id from calls where id = any (call_ids) and state = 'ended' for update skip locked
  ) ended;
  single := array(
    select id from unnest(gone) id where not exists (select 1 from leaving_months m where id >= m.lower_id and id < m.upper_id)
  );
  perform set_config('parley.removing_calls', 'on', true);
  delete from webhook_deliveries where event_id in (select id from outbox where call_id = any (gone));
  delete from outbox where call_id = any (gone);
  update scenario_results set call_id = null where call_id = any (gone);
  delete from transcript_items where call_id = any (single);
  delete from transcript_words where call_id = any (gone);
  delete from transcript_passes where call_id = any (gone);
  delete from recording_peaks where call_id = any (single);
  delete from call_attempts where call_id = any (gone);
  delete from call_runs where call_id = any (gone);
  delete from call_events where call_id = any (single);
  delete from calls where id = any (gone);
  perform set_config('parley.removing_calls', 'off', true);
  return query select unnest(gone);
end $function$;

CREATE OR REPLACE FUNCTION public.reply_bin(ms numeric)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select round(ln(greatest(ms, 1)) / ln(1.05))::integer $function$;

CREATE OR REPLACE FUNCTION public.report_event(event_id text, owner_id text, event_mode text, event_type text, about_call text, call_sequence integer, event_body text, only_endpoint text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare event outbox;
begin
  perform set_config('parley.acts_by_name', 'on', true);
  insert into outbox (id, account_id, mode, type, call_id, sequence, body, endpoint_id)
  values (event_id, owner_id, event_mode, event_type, about_call, call_sequence, event_body, only_endpoint)
  returning * into event;
  perform set_config('parley.acts_by_name', 'off', true);
  return case when queue_event(event) then event.id end;
end $function$;

CREATE OR REPLACE FUNCTION public.take_waiting_lane()
 RETURNS TABLE(account_id text, mode text, free integer, calls_per_second double precision, wait_ms double precision)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  lane record;
  first_due timestamptz;
  skipped text[] := '{}';
  -- A variable, because an index is not searched for what is compared with a volatile function.
  moment timestamptz := clock_timestamp();
begin
  update waiting_lanes w set is_ready = true
  from (
    select t.account_id, t.mode from waiting_lanes t where not t.is_ready and greatest(t.due_at, t.blocked_until) <= moment
    order by greatest(t.due_at, t.blocked_until) limit 100
    for no key update skip locked
  ) due where w.account_id = due.account_id and w.mode = due.mode;
  loop
    select w.account_id, w.mode, l.concurrency_max - l.active_count as free, l.calls_per_second, l.next_send_at into lane
    from waiting_lanes w join dispatch_lanes l on l.account_id = w.account_id and l.mode = w.mode
    where w.is_ready and w.account_id || '/' || w.mode <> all (skipped)
    order by w.served_at limit 1
    for no key update of w, l skip locked;
    if not found then return; end if;
    -- Calls are claimed up to a second before they are sent.
    if lane.free <= 0 or lane.next_send_at > clock_timestamp() + interval '1 second' then
      update waiting_lanes w set is_ready = false,
        blocked_until = case when lane.free <= 0 then 'infinity' else lane.next_send_at - interval '1 second' end
      where w.account_id = lane.account_id and w.mode = lane.mode;
      continue;
    end if;
    first_due := first_due_call(lane.account_id, lane.mode);
    if first_due <= clock_timestamp() then
      update waiting_lanes w set served_at = clock_timestamp() where w.account_id = lane.account_id and w.mode = lane.mode;
      return query select lane.account_id, lane.mode, lane.free, lane.calls_per_second,
        (greatest(0, extract(epoch from greatest(lane.next_send_at, clock_timestamp()) - clock_timestamp())) * 1000)::float8;
      return;
    end if;
    -- Nothing is due. A request that is about to commit may be about to change that, and then holds the row against this lock.
    perform 1 from waiting_lanes w where w.account_id = lane.account_id and w.mode = lane.mode for update skip locked;
    if not found then
      skipped := skipped || (lane.account_id || '/' || lane.mode);
      continue;
    end if;
    first_due := first_due_call(lane.account_id, lane.mode);
    if first_due is not null then
      update waiting_lanes w set is_ready = first_due <= clock_timestamp(), due_at = first_due, blocked_until = '-infinity'
      where w.account_id = lane.account_id and w.mode = lane.mode;
    elsif exists (select 1 from calls c where c.account_id = lane.account_id and c.mode = lane.mode and c.state = 'queued') then
      -- Only calls that are about to expire.
      update waiting_lanes w set is_ready = false, due_at = clock_timestamp() + interval '1 minute'
      where w.account_id = lane.account_id and w.mode = lane.mode;
    else
      delete from waiting_lanes w where w.account_id = lane.account_id and w.mode = lane.mode;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.tell_api_key_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('parley_api_keys', old.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tell_models_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('parley_models', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tell_trunks_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('parley_trunks', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.unblock_lane()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update waiting_lanes w set blocked_until = '-infinity'
  where w.account_id = new.account_id and w.mode = new.mode and w.blocked_until > '-infinity'
    and (w.blocked_until = 'infinity' or new.calls_per_second <> old.calls_per_second or new.next_send_at < old.next_send_at);
  return null;
end $function$;
