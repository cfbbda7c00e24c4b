import type { Database } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import type { Identities } from "./authenticate.ts";
import type { BoundRoute } from "./handler.ts";
import type { Pages } from "./pages.ts";
import type { RateLimiter } from "./rate-limit.ts";

export interface ApiServerOptions {
  readonly db: Database;
  readonly log: Log;
  readonly identities: Identities;
  readonly routes: readonly BoundRoute[];
  readonly cookieName: string;
  readonly ownOrigins: () => readonly string[];
  readonly trustProxy: readonly string[];
  /** Per account and mode, over all processes. */
  readonly accountLimiter: RateLimiter;
  /** Per address, for requests that name no account. */
  readonly addressLimiter: RateLimiter;
  /** Origins whose pages may use the API by key. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Whether people reach the service by https. */
  readonly https?: boolean;
  /** What people see at paths that no route has. */
  readonly pages?: Pages;
  /** How long a client may take to send a whole request. Default: 30 seconds. */
  readonly requestTimeoutMs?: number;
  /** Called with each request that says that a proxy passed it on, where no proxy is trusted. */
  readonly onForwarded?: () => void;
  readonly nowMs: () => number;
  onReply(route: string, status: number, seconds: number): void;
}
