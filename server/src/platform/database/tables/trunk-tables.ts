import type { Filled, FilledTime } from "./column-types.ts";

/** Who changes a trunk or a route: people, or the configuration file alone. */
export type ManagedBy = "operator" | "configuration";

/** The ways into the telephone network, and how they fare. */
export interface TrunkTables {
  trunks: TrunkTable;
  trunk_turns: {
    trunk_id: string;
    account_id: string;
    served_at: FilledTime;
    wanted_until: FilledTime;
  };
  trunk_channels: {
    trunk_id: string;
    channels_max: number | null;
    calls_per_second: number | null;
    active_count: Filled<number>;
    next_send_at: FilledTime;
  };
  trunk_routes: {
    id: string;
    prefix: string;
    trunk_id: string;
    priority: Filled<number>;
    weight: Filled<number>;
    managed_by: Filled<ManagedBy>;
    created_at: FilledTime;
    updated_at: FilledTime;
  };
  trunk_caller_days: {
    trunk_id: string;
    caller_id: string;
    day: string;
    attempts: Filled<number>;
    rang: Filled<number>;
    answered: Filled<number>;
  };
  trunk_health: {
    trunk_id: string;
    worker_id: string;
    is_reachable: boolean | null;
    is_registered: boolean | null;
    circuit: "closed" | "open" | "half_open";
    trouble: string | null;
    reported_at: FilledTime;
  };
}

export interface TrunkTable {
  id: string;
  name: string;
  is_enabled: Filled<boolean>;
  managed_by: Filled<ManagedBy>;
  host: string;
  port: number | null;
  transport: "udp" | "tcp" | "tls";
  outbound_proxy: string | null;
  username: string | null;
  password_sealed: Buffer | null;
  from_host: string | null;
  public_host: string | null;
  public_port: number | null;
  allows_tcp_for_large: boolean;
  asserts_identity: boolean;
  no_response_ms: Filled<number>;
  session_timer_seconds: number | null;
  offers_reliable_ringing: boolean;
  stays_on_first_hop: boolean;
  number_format: "e164" | "digits";
  dial_prefix: string;
  caller_ids: string[];
  codecs: ("PCMU" | "PCMA")[];
  srtp: "off" | "optional" | "required";
  public_media_host: string | null;
  registers_as: string | null;
  ping_interval_seconds: number | null;
  created_at: FilledTime;
  updated_at: FilledTime;
}
