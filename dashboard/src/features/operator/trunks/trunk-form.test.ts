import { NewTrunk, Trunk } from "@parley/contract/trunks";
import { expect, test } from "vitest";
import { NEW_TRUNK_FORM, readTrunkForm, readVendorForm, toTrunkForm } from "./trunk-form.ts";

test("a form with a name and a host alone sends a trunk with the API's own defaults", () => {
  const { password, kind, ...defaults } = NewTrunk.parse({ name: "One", host: "sip.example.com" });
  expect(readTrunkForm({ ...NEW_TRUNK_FORM, name: " One ", host: "sip.example.com" })).toEqual(defaults);
  expect([password, kind]).toEqual([null, "sip"]);
});

test("opening a trunk and saving it changes nothing, and the password stays stored", () => {
  const settings = NewTrunk.parse({
    name: "All",
    host: "2001:db8::1",
    port: 5080,
    transport: "tls",
    username: "customer17",
    password: "pw",
    registersAs: "4930100",
    publicAddress: { host: "voice.example.com", port: 5060 },
    codecs: ["PCMA"],
    callerIds: ["+4930100", "+15550100099"],
    channelsMax: 30,
    callsPerSecond: 2.5,
    pingIntervalSeconds: null,
  });
  const { password, kind, ...shown } = settings;
  const trunk = Trunk.parse({
    ...shown,
    kind,
    id: "trk_x",
    hasPassword: true,
    managedBy: "operator",
    activeCalls: 0,
    health: [],
    answers: { attempts: 0, rang: 0, answered: 0, answerRate: null },
    createdAt: "2026-01-31T09:30:00.000Z",
    updatedAt: "2026-01-31T09:30:00.000Z",
  });
  expect(readTrunkForm(toTrunkForm(trunk))).toEqual(shown);
  expect(readTrunkForm({ ...toTrunkForm(trunk), password: "new" })).toEqual({ ...shown, password: "new" });
  expect(password).toBe("pw");
});

test("the form of a Twilio trunk sends the account and its numbers, and nothing of SIP", () => {
  const username = `AC${"0123456789abcdef".repeat(2)}`;
  const form = { ...NEW_TRUNK_FORM, kind: "twilio" as const, name: "Twilio", username, callerIds: "+15550100099" };
  const fields = { name: "Twilio", isEnabled: true, username, publicKey: null, callerIds: ["+15550100099"] };
  expect(readVendorForm(form)).toEqual({ ...fields, channelsMax: null, callsPerSecond: null });
  expect(NewTrunk.safeParse({ kind: "twilio", ...readVendorForm({ ...form, password: "token" }) }).success).toBe(true);
});

test("the form of a Telnyx trunk also sends the public key, and a trunk of another kind does not", () => {
  const publicKey = `${"A".repeat(43)}=`;
  const account = { name: "Telnyx", username: "1684641123236054244", publicKey: ` ${publicKey} ` };
  const form = { ...NEW_TRUNK_FORM, ...account, kind: "telnyx" as const, callerIds: "+15550100099" };
  expect(readVendorForm(form)).toMatchObject({ username: "1684641123236054244", publicKey });
  expect(NewTrunk.safeParse({ kind: "telnyx", ...readVendorForm({ ...form, password: "key" }) }).success).toBe(true);
  expect(readVendorForm({ ...form, kind: "twilio" }).publicKey).toBeNull();
  expect(readTrunkForm({ ...form, kind: "sip" }).publicKey).toBeNull();
});
