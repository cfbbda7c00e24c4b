import type { DoctorFinding, DoctorReport, DoctorStep } from "@parley/contract/doctor";
import { VENDOR_TRUNKS } from "@parley/contract/trunks";
import type { Clock } from "@parley/time/clock";
import type { VendorAccount } from "../carriers/vendors/vendor.ts";
import { VENDORS, vendorPath } from "../carriers/vendors/vendor-carriers.ts";
import { explainUnreachable, type ReachSettings } from "../trunks/reach.ts";
import type { VendorTrunk } from "../trunks/to-carrier-trunk.ts";
import { fault, ok, skipped, warning } from "./finding.ts";
import { judgeUse } from "./judge-settings.ts";

/** The dependencies of an examination of a trunk at a vendor. */
export interface VendorSurroundings {
  readonly clock: Clock;
  readonly reach: ReachSettings;
  /** For a request to our own public address. */
  readonly fetch: typeof fetch;
}

export interface VendorExamination {
  readonly trunk: VendorTrunk;
  readonly routes: number;
  readonly signal: AbortSignal;
  onStep?(step: DoctorStep): void;
}

/** The proxy in front of an installation answers sooner. */
const OWN_ANSWER_WITHIN_MS = 10_000;

/** Tests what calls over a vendor need: an account, its numbers, and an address at which the vendor reaches us. */
export async function examineVendorTrunk(
  surroundings: VendorSurroundings,
  examination: VendorExamination,
): Promise<DoctorReport> {
  const { trunk, routes, onStep } = examination;
  const { kind } = trunk;
  const { label } = VENDOR_TRUNKS[kind];
  const unreachable = explainUnreachable(kind, surroundings.reach);
  const findings: DoctorFinding[] = [...judgeUse(trunk.isEnabled, routes)];
  if (unreachable !== null) findings.push(fault("settings", `A trunk of ${label} ${unreachable}.`, "Set it."));
  if (findings.length === 0) findings.push(ok("settings", "The settings are consistent."));
  onStep?.("connection");
  findings.push(...(await askVendor(surroundings, examination)));
  onStep?.("addresses");
  findings.push(await askOurselves(surroundings, examination));
  findings.push(
    skipped(
      "call",
      "Only SIP trunks are tested with a call.",
      "Place a call to a phone of yours, and look at its events.",
    ),
  );
  return { trunkId: trunk.id, isHealthy: findings.every(({ verdict }) => verdict !== "fault"), findings };
}

async function askVendor(
  { clock, reach }: VendorSurroundings,
  { trunk }: VendorExamination,
): Promise<readonly DoctorFinding[]> {
  const { label, password } = VENDOR_TRUNKS[trunk.kind];
  const apiUrl = reach.vendorUrls[trunk.kind];
  let account: VendorAccount;
  try {
    account = await VENDORS[trunk.kind].readAccount({ clock, trunk: () => trunk, apiUrl });
  } catch (error) {
    const remedy = `Check that this machine may connect to ${apiUrl ?? VENDOR_TRUNKS[trunk.kind].host}.`;
    return [
      fault("connection", `${label} did not answer: ${reasonOf(error)}.`, remedy),
      skipped("registration", "This was not checked, because of what the previous steps found."),
    ];
  }
  const found = [ok("connection", `${label} answers.`)];
  if (!account.areCredentialsRight)
    return [...found, fault("registration", `${label} refuses the credentials.`, `Replace the ${password.label}.`)];
  if (account.obstacle !== null)
    return [
      ...found,
      fault("registration", `${label} says that ${account.obstacle}.`, `Look at it in ${label}'s console.`),
    ];
  if (account.foreignNumbers.length > 0)
    return [
      ...found,
      fault(
        "registration",
        `The account may not show ${account.foreignNumbers.join(", ")}, so calls from it are refused.`,
        `Buy or verify it at ${label}, or remove it from the caller ids of the trunk.`,
      ),
    ];
  return [...found, ok("registration", "The account is active, and the caller ids of the trunk are its own.")];
}

/** A request without a signature shows whether those of the vendor would arrive: it is refused here and nowhere else. */
async function askOurselves(
  { reach, fetch }: VendorSurroundings,
  { trunk, signal }: VendorExamination,
): Promise<DoctorFinding> {
  const { publicUrl } = reach;
  if (publicUrl === null) return skipped("addresses", "There is no public address to try.");
  const url = `${publicUrl}${vendorPath(trunk.kind, "doctor", trunk.id)}/calls/doctor`;
  const within = AbortSignal.any([signal, AbortSignal.timeout(OWN_ANSWER_WITHIN_MS)]);
  try {
    const reply = await fetch(url, { method: "POST", redirect: "manual", signal: within });
    if ((await reply.text()).includes("not_signed"))
      return ok("addresses", `Requests to ${publicUrl} arrive at this service, seen from here.`);
    return fault(
      "addresses",
      `${publicUrl} answers, but not as this service does (HTTP status ${reply.status}).`,
      "Have the proxy pass requests on with their path, to a process with the role api.",
    );
  } catch (error) {
    return warning(
      "addresses",
      `${publicUrl} cannot be reached from here: ${reasonOf(error)}.`,
      `If the service is running, check its name, the proxy and the firewall: ${VENDOR_TRUNKS[trunk.kind].label} must reach it.`,
    );
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : message;
  return reason.replace(/\.$/, "");
}
