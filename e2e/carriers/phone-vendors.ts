import { generateKeyPairSync } from "node:crypto";
import type { Carrier, SimulatedCalleePlan } from "@parley/telephony/carrier";
import { publicKeyOf, TelnyxServer } from "@parley/telephony/telnyx/testing/telnyx-server";
import { TwilioServer } from "@parley/telephony/twilio/testing/twilio-server";
import { systemClock } from "@parley/time/clock";

/** What the stand-ins for vendors have in common. */
export interface StandIn {
  readonly url: string;
  readonly calls: readonly {
    readonly to: string;
    readonly from: string;
    readonly timesRung: number;
    readonly endedAtMs: number | null;
  }[];
  readonly faults: Pick<TwilioServer["faults"] & TelnyxServer["faults"], "onCreate">;
  close(): Promise<void>;
}

/** A vendor whose stand-in calls go out on. */
export interface PhoneVendor<Server extends StandIn> {
  readonly kind: string;
  /** Names the URL of the stand-in. */
  readonly urlSetting: string;
  /** As an operator enters it. */
  readonly trunk: {
    readonly kind: string;
    readonly name: string;
    readonly username: string;
    readonly password: string;
    readonly publicKey?: string;
    readonly callerIds: readonly string[];
  };
  readonly passwordLabel: string;
  readonly host: string;
  open(network: Carrier, planOf: (number: string) => SimulatedCalleePlan | undefined): Promise<Server>;
}

export const CALLER_ID = "+12025550199";

const ACCOUNT_SID = `AC${"0123456789abcdef".repeat(2)}`;
export const AUTH_TOKEN = "the-auth-token-of-a-test";

export const TWILIO: PhoneVendor<TwilioServer> = {
  kind: "twilio",
  urlSetting: "PARLEY_TWILIO_URL",
  trunk: { kind: "twilio", name: "Twilio", username: ACCOUNT_SID, password: AUTH_TOKEN, callerIds: [CALLER_ID] },
  passwordLabel: "auth token",
  host: "api.twilio.com",
  open: (network, planOf) =>
    TwilioServer.open({ clock: systemClock, accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, network, planOf }),
};

const APPLICATION_ID = "1684641123236054244";
const API_KEY = "KEY0123456789-of-a-test";
/** Signs the webhooks of the stand-in. */
export const { privateKey: TELNYX_PRIVATE_KEY } = generateKeyPairSync("ed25519");

export const TELNYX: PhoneVendor<TelnyxServer> = {
  kind: "telnyx",
  urlSetting: "PARLEY_TELNYX_URL",
  trunk: {
    ...{ kind: "telnyx", name: "Telnyx", username: APPLICATION_ID, password: API_KEY, callerIds: [CALLER_ID] },
    publicKey: publicKeyOf(TELNYX_PRIVATE_KEY),
  },
  passwordLabel: "API key",
  host: "api.telnyx.com",
  open: (network, planOf) =>
    TelnyxServer.open({
      ...{ clock: systemClock, apiKey: API_KEY, privateKey: TELNYX_PRIVATE_KEY, connectionId: APPLICATION_ID },
      ...{ network, planOf },
    }),
};
