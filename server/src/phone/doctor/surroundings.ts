import type { SipCarrierOptions } from "@parley/telephony/sip-carrier/sip-carrier-options";

/** What an examination has at hand: time, chance, DNS, and where SIP and sound arrive here. */
export type DoctorSurroundings = Omit<SipCarrierOptions, "directory" | "observer">;
