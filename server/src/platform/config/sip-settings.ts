import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";

const RTP_PORTS = /^(\d{1,5})-(\d{1,5})$/;
const RTP_PORT_MIN = 1024;
const MEDIA_THREADS_DEFAULT_MAX = 8;

const address = z.string().refine((text) => isIP(text) !== 0, "must be an IP address");
const path = z.string().min(1).optional();

/** The telephony settings, by their names in the environment and in the settings file. */
export const SIP_SETTINGS = {
  PARLEY_SIP_HOST: z
    .string()
    .default("0.0.0.0,::")
    .refine((text) => {
      const families = text.split(",").map((each) => isIP(each.trim()));
      return families.length <= 2 && !families.includes(0) && new Set(families).size === families.length;
    }, "must be an IP address, or an IPv4 and an IPv6 address separated by a comma")
    .describe(
      "The address for SIP and audio, or an IPv4 and an IPv6 address separated by a comma; `::` is ignored on machines without IPv6. No port is opened until there is a trunk.",
    ),
  PARLEY_SIP_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_534)
    .default(5060)
    .describe(
      "The port for SIP over UDP and TCP; TLS uses the next one. Further processes on the machine use the next free pair. `0` picks free ones.",
    ),
  PARLEY_SIP_PUBLIC_HOST: address
    .optional()
    .describe(
      "The public address of this machine for trunks, behind NAT. It is used for trunks of the same family (IPv4 or IPv6). A trunk can have its own. Default: the machine's address.",
    ),
  PARLEY_RTP_PORTS: z
    .string()
    .default("16384-32767")
    .refine((text) => {
      const { first, last } = readPorts(text);
      return first >= RTP_PORT_MIN && last <= 65_535 && first + (first % 2) < last;
    }, `must be first-last, from ${RTP_PORT_MIN} to 65535, with room for at least a pair`)
    .describe(
      "The UDP ports for audio, two per call. Each process that conducts calls on a machine needs its own range.",
    ),
  PARLEY_SIP_TLS_KEY: path.describe(
    "The file of our private key for trunks that require a client certificate, in PEM.",
  ),
  PARLEY_SIP_TLS_CERT: path.describe("The file of the certificate for that key, in PEM."),
  PARLEY_SIP_TLS_CA: path.describe(
    "A file of additional certificate authorities to trust, in PEM, for trunks with private certificates.",
  ),
  PARLEY_MEDIA_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      `The number of threads for audio. Default: one less than the number of cores, at least 1 and at most ${MEDIA_THREADS_DEFAULT_MAX}.`,
    ),
};
type RawSipSettings = z.infer<z.ZodObject<typeof SIP_SETTINGS>>;

export interface SipSettings {
  readonly host: string;
  /** An address of the other family. */
  readonly secondHost: string | null;
  readonly port: number;
  readonly publicHost: string | null;
  readonly rtpPorts: { readonly first: number; readonly last: number };
  readonly tlsPaths: { readonly key: string | null; readonly cert: string | null; readonly ca: string | null };
  readonly mediaThreads: number;
}

/** Fills in what can be derived. Files are named from the folder the service is started from. */
export function toSipSettings(raw: RawSipSettings, folder: string): SipSettings {
  const [host = "", secondHost = null] = raw.PARLEY_SIP_HOST.split(",").map((each) => each.trim());
  const absolute = (file: string | undefined) => (file === undefined ? null : resolve(folder, file));
  return {
    host,
    secondHost,
    port: raw.PARLEY_SIP_PORT,
    publicHost: raw.PARLEY_SIP_PUBLIC_HOST ?? null,
    rtpPorts: readPorts(raw.PARLEY_RTP_PORTS),
    tlsPaths: {
      key: absolute(raw.PARLEY_SIP_TLS_KEY),
      cert: absolute(raw.PARLEY_SIP_TLS_CERT),
      ca: absolute(raw.PARLEY_SIP_TLS_CA),
    },
    mediaThreads:
      raw.PARLEY_MEDIA_THREADS ?? Math.min(MEDIA_THREADS_DEFAULT_MAX, Math.max(1, availableParallelism() - 1)),
  };
}

/** Validates combinations of settings. */
export function findSipMistakes({ port, publicHost, tlsPaths }: SipSettings): string[] {
  const mistakes: string[] = [];
  if ((tlsPaths.key === null) !== (tlsPaths.cert === null))
    mistakes.push("PARLEY_SIP_TLS_KEY and PARLEY_SIP_TLS_CERT: both are required");
  if (publicHost !== null && port === 0)
    mistakes.push("PARLEY_SIP_PUBLIC_HOST: requires a PARLEY_SIP_PORT other than 0");
  return mistakes;
}

export interface SipTls {
  readonly key?: string;
  readonly cert?: string;
  readonly ca?: string;
}

/** Reads the files named by the settings. Throws with a message for the operator if one cannot be read. */
export function readSipTls({ tlsPaths }: Pick<SipSettings, "tlsPaths">): SipTls {
  const read = (file: string | null, setting: string) => {
    if (file === null) return null;
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      throw new Error(`${setting}: ${(error as Error).message}`, { cause: error });
    }
  };
  const key = read(tlsPaths.key, "PARLEY_SIP_TLS_KEY");
  const cert = read(tlsPaths.cert, "PARLEY_SIP_TLS_CERT");
  const ca = read(tlsPaths.ca, "PARLEY_SIP_TLS_CA");
  return { ...(key === null ? {} : { key }), ...(cert === null ? {} : { cert }), ...(ca === null ? {} : { ca }) };
}

function readPorts(text: string): { first: number; last: number } {
  const [, first = "0", last = "0"] = RTP_PORTS.exec(text) ?? [];
  return { first: Number(first), last: Number(last) };
}
