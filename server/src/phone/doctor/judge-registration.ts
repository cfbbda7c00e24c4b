import type { DoctorFinding } from "@parley/contract/doctor";
import type { Trunk } from "@parley/telephony/sip-carrier/trunk";
import type { AnswerFacts } from "./facts.ts";
import { fault, ok, seconds, skipped, warning } from "./finding.ts";
import { notSip, undeliverable } from "./judge-way.ts";

export const SUPPORTED_CHALLENGES =
  "Ask the trunk's operator for digest authentication with MD5 or SHA-256, or to let this machine in by its address.";

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
      "Check host, port and transport, and the firewall between.",
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
          `The trunk asks for a user name and password, and none are set (${said}).`,
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
        `The trunk does not accept the user name or the password (${said}).`,
        "Enter both again, and ask whether the name to log in with is another than the one to register.",
      );
    case 403:
      return fault(
        "registration",
        `The trunk forbids ${name} to register (${said}).`,
        "Ask the trunk's operator whether the password is right and whether this machine's address is allowed.",
      );
    case 404:
      return fault(
        "registration",
        `The trunk knows nobody called ${name} (${said}).`,
        "Check registersAs and fromHost.",
      );
    case 405:
    case 501:
      return warning(
        "registration",
        `The trunk takes no registrations (${said}).`,
        "Leave registersAs empty: such a trunk knows us by our address or asks at each call.",
      );
    default:
      return fault("registration", `The trunk refused the registration (${said}).`, "Ask the trunk's operator why.");
  }
}
