import type { DoctorFinding } from "@parley/contract/doctor";
import type { SipTrunk } from "@parley/telephony/sip/sip-trunk";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";
import type { AnswerFacts, ConnectionFacts, NameFacts } from "./facts.ts";
import { fault, ok, seconds, skipped, warning } from "./finding.ts";

/** Below this a certificate should be renewed. */
const CERTIFICATE_DAYS_MIN = 14;

export function judgeNames(sip: SipTrunk, facts: NameFacts): DoctorFinding {
  const where = sip.outboundProxy ?? sip.host;
  switch (facts.kind) {
    case "found": {
      const places = facts.hops.map(({ address, port, transport }) => `${address} port ${port} (${transport})`);
      return ok("names", `${where} is at ${places.join(", then ")}.`);
    }
    case "unknown":
      return fault("names", `DNS knows no address of ${where}.`, "Check how the host is spelled.");
    case "failed":
      return fault(
        "names",
        `DNS does not answer about ${where}: ${facts.reason}.`,
        "Check the name servers of this machine.",
      );
  }
}

export function judgeConnection(sip: SipTrunk, facts: ConnectionFacts): DoctorFinding {
  const protocol = sip.transport.toUpperCase();
  switch (facts.kind) {
    case "not_needed":
      return ok("connection", "UDP needs no connection; the next steps show whether anything responds.");
    case "open": {
      const { certificate, tookMs } = facts;
      const opened = `A ${protocol} connection was established after ${seconds(tookMs)}`;
      if (certificate === null) return ok("connection", `${opened}.`);
      const days = `its certificate for ${certificate.issuedTo} is valid for ${certificate.daysLeft} more days`;
      if (certificate.daysLeft >= CERTIFICATE_DAYS_MIN) return ok("connection", `${opened}, and ${days}.`);
      return warning("connection", `${opened}, but ${days}.`, "Ask the carrier when it is renewed.");
    }
    case "failed":
      return fault("connection", `No ${protocol} connection: ${facts.reason}.`, remedyFor(facts.code, sip));
  }
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

function remedyFor(code: string, sip: SipTrunk): string {
  if (UNKNOWN_AUTHORITY.has(code))
    return "Its certificate is signed by an unknown authority: name the authority's file in PARLEY_SIP_TLS_CA.";
  switch (code) {
    case "ECONNREFUSED":
      return `Nothing listens there: check the port${sip.transport === "tls" ? ", for TLS usually 5061" : ""}.`;
    case "timeout":
    case "ETIMEDOUT":
      return "A firewall on either side may block it: let this machine out, and ask the carrier to let it in.";
    case "ENETUNREACH":
    case "EHOSTUNREACH":
      return "This machine has no route to it: check its network, and whether it has IPv6 if the trunk uses it.";
    case "CERT_HAS_EXPIRED":
      return "Its certificate has expired: only the carrier can renew it.";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "Its certificate is for another name: set the host to the name that the carrier gives you.";
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "EPROTO":
    case "ECONNRESET":
      return "What listens there does not accept our TLS: check the port, and ask which TLS versions are supported.";
    default:
      return "Ask the carrier what it says about this machine's address.";
  }
}

/** A trunk that takes longer than this to say that it is there makes calls wait, and UDP requests be sent again. */
const SLOW_MS = 1_000;

/**
 * RFC 3261 section 11: any response shows that the peer is alive, even a refusal. Silence is a fault only where nothing
 * else is asked that could show it, because some trunks never answer this question.
 */
export function judgeOptions(sip: SipTrunk, facts: AnswerFacts, isAllThatIsAsked: boolean): DoctorFinding {
  const judgeSilence = isAllThatIsAsked ? fault : warning;
  switch (facts.kind) {
    case "answered": {
      const { status, reason, tookMs } = facts;
      if (tookMs > SLOW_MS)
        return warning(
          "options",
          `It answered ${status} ${reason}, but only after ${seconds(tookMs)}.`,
          "Every call waits that long before it rings: look for packet loss and delay on the way, and ask the carrier.",
        );
      return ok("options", `It answered ${status} ${reason} after ${seconds(tookMs)}.`);
    }
    case "silent": {
      if (facts.unreadable !== null) return judgeSilence("options", ...notSip(facts.unreadable));
      const way = sip.transport === "udp" ? "Check host and port, let UDP through the firewall, and ask" : "Ask";
      const remedy = `${way} the carrier to allow this machine's address. Some trunks never answer this: a test call tells more.`;
      return judgeSilence("options", `No response within ${seconds(facts.waitedMs)}.`, remedy);
    }
    case "failed":
      return fault("options", `The question could not be delivered: ${facts.reason}.`, undeliverable(sip));
  }
}

/** What came back is not what a trunk says. */
export function notSip(unreadable: string): [finding: string, remedy: string] {
  return [
    `What came back cannot be read as SIP: ${unreadable}.`,
    "Check host, port and transport: something other than the trunk may be listening there.",
  ];
}

export function undeliverable({ transport }: SipTrunk): string {
  return transport === "udp"
    ? "The machine can be reached, but nothing accepts requests at this port: check host and port."
    : "Check host, port and transport, and see the result of the connection step.";
}

export const SUPPORTED_CHALLENGES =
  "Ask the carrier for digest authentication with MD5 or SHA-256, or to let this machine in by its address.";

/** `facts` are those of a REGISTER that changes nothing; null when the trunk does not want any. */
export function judgeRegistration({ sip, registersAs }: Trunk, facts: AnswerFacts | null): DoctorFinding {
  if (facts === null) {
    const how = sip.credentials ? "Its password is tried by a call alone." : "It knows us by our address.";
    return skipped("registration", `The trunk wants no registration. ${how}`);
  }
  if (facts.kind === "silent" && facts.unreadable !== null) return fault("registration", ...notSip(facts.unreadable));
  if (facts.kind === "silent")
    return fault(
      "registration",
      `The registration was not answered within ${seconds(facts.waitedMs)}.`,
      "Check host, port, transport and any firewall in between.",
    );
  if (facts.kind === "failed")
    return fault("registration", `The registration could not be delivered: ${facts.reason}.`, undeliverable(sip));
  const { status, reason, contacts, tookMs, unanswered } = facts;
  const said = `${status} ${reason}`;
  const name = `${registersAs}@${sip.fromHost ?? sip.host}`;
  if (status < 300) {
    const known = contacts === 0 ? "no address is on record now" : `${contacts} on record`;
    return ok("registration", `The trunk accepts ${name} with this password after ${seconds(tookMs)}; ${known}.`);
  }
  switch (status) {
    case 401:
    case 407:
      if (unanswered === "no_credentials")
        return fault(
          "registration",
          `The trunk asks for a username and password, and none are set (${said}).`,
          "Set username and password of the trunk.",
        );
      if (unanswered !== null)
        return fault(
          "registration",
          `The trunk asks for the password in a way that is not supported (${said}).`,
          SUPPORTED_CHALLENGES,
        );
      return fault(
        "registration",
        `The trunk does not accept the username or the password (${said}).`,
        "Enter both again, and ask whether the username for signing in differs from the one for registering.",
      );
    case 403:
      return fault(
        "registration",
        `The trunk forbids ${name} to register (${said}).`,
        "Ask the carrier whether the password is right and whether this machine's address is allowed.",
      );
    case 404:
      return fault("registration", `The trunk does not know ${name} (${said}).`, "Check registersAs and fromHost.");
    case 405:
    case 501:
      return warning(
        "registration",
        `The trunk takes no registrations (${said}).`,
        "Leave registersAs empty: such a trunk knows us by our address or asks at each call.",
      );
    default:
      return fault("registration", `The trunk refused the registration (${said}).`, "Ask the carrier why.");
  }
}
