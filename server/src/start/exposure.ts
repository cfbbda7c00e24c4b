import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../platform/config/settings.ts";
import { StartError } from "./start-error.ts";

const MARK = "behind-a-proxy";

/** Whether the service, which by its settings is for this machine alone, turned out to be reachable from elsewhere. */
export interface Exposure {
  isSeen(): boolean;
  /** Called with each request that says that a proxy passed it on. */
  noteForwarded(): void;
  /** 1 once a proxy was seen; shared with threads. */
  readonly flag: Int32Array;
  /** What an operator is to do about it, or null. */
  notice(): string | null;
}

const NOTICE =
  "A request came through a proxy that PARLEY_TRUST_PROXY does not name, so this service is not for this machine alone. " +
  "Sign-up and customers' URLs to this machine, which are open there by default, were shut. Set PARLEY_PUBLIC_URL and " +
  "PARLEY_TRUST_PROXY; set PARLEY_SIGN_UP and PARLEY_OUTBOUND_ALLOW if you want either open.";

/**
 * A service that listens on loopback without a configured proxy trusts every client that reaches it. The first request
 * that was passed on by a proxy shows that this is not so. What was opened by default is closed from then on, even
 * after a restart; what the operator opened by a setting stays.
 */
export function watchExposure(settings: Settings, log: { warn(fields: object, message: string): void }): Exposure {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const mark = join(settings.dataDir, MARK);
  const isSeen = () => Atomics.load(flag, 0) === 1;
  const opensSignUp = settings.signUp === "open" && !settings.isSignUpChosen;
  const opensLoopback = settings.isForThisMachineAlone && settings.outboundAllow === null;
  const canBeExposed = opensSignUp || opensLoopback;

  function shut(): void {
    Atomics.store(flag, 0, 1);
    log.warn({ notice: NOTICE }, "request received through an undeclared proxy");
  }

  if (canBeExposed && existsSync(mark)) shut();
  return {
    flag,
    isSeen,
    notice: () => (isSeen() ? NOTICE : null),
    noteForwarded() {
      if (!canBeExposed || isSeen()) return;
      shut();
      try {
        writeFileSync(mark, `${NOTICE}\n`, { mode: 0o600 });
      } catch (error) {
        log.warn({ error, mark }, "detected proxy could not be stored; it is lost at the next restart");
      }
    },
  };
}

export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  /** The settings that named them. */
  readonly hostSetting: string;
  readonly portSetting: string;
}

/** Why a port could not be opened, with a message for the operator where it helps. */
export function explainListening(error: unknown, { host, port, hostSetting, portSetting }: ListeningPlace): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(`Port ${port} on ${host} is taken by another program. Stop it, or set ${portSetting}.`);
    case "EACCES":
      return new StartError(`This account may not listen on port ${port}. Set ${portSetting} to 1024 or above.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`${host} is not an address of this machine. Set ${hostSetting}.`);
    default:
      return error;
  }
}
