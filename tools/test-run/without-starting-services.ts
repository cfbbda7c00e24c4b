import { existsSync, rmSync, writeFileSync } from "node:fs";

const START_POLICY = "/usr/sbin/policy-rc.d";
/** What Debian's init scripts understand as "this may not be started". */
const REFUSAL = "#!/bin/sh\nexit 101\n";

/**
 * Debian starts a service as soon as it is installed, unless a policy says no. The tests need programs, not services: a
 * running kamailio or PostgreSQL would take their ports. An existing policy is left unchanged.
 */
export function withoutStartingServices<T>(work: () => T, policyFile = START_POLICY): T {
  if (existsSync(policyFile)) return work();
  writeFileSync(policyFile, REFUSAL, { mode: 0o755 });
  try {
    return work();
  } finally {
    rmSync(policyFile);
  }
}
