import type { Trunk, TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";

/**
 * Trunks with the public address of this machine, where the operator configured one. A
 * trunk's own setting takes precedence. `port` is that of SIP over UDP and TCP; TLS has the one after it.
 */
export function publicTrunks(directory: TrunkDirectory, publicHost: string | null, port: number): TrunkDirectory {
  if (publicHost === null) return directory;
  const withPublicAddress = ({ sip, publicMediaHost, ...trunk }: Trunk): Trunk => ({
    ...trunk,
    publicMediaHost: publicMediaHost ?? publicHost,
    sip: {
      ...sip,
      publicAddress: sip.publicAddress ?? { host: publicHost, port: sip.transport === "tls" ? port + 1 : port },
    },
  });
  return { ...directory, trunks: directory.trunks.map(withPublicAddress) };
}

/** The trunks for a carrier that only ends orphaned legs: without registration and pings. */
export function silentTrunks(directory: TrunkDirectory): TrunkDirectory {
  const silent = (trunk: Trunk): Trunk => ({ ...trunk, registersAs: null, pingIntervalMs: null });
  return { ...directory, trunks: directory.trunks.map(silent) };
}
