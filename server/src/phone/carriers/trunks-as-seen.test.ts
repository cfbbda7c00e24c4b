import { routedTo, trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import { expect, test } from "vitest";
import { publicTrunks, silentTrunks } from "./trunks-as-seen.ts";

test("every trunk uses the public address of the machine, unless it has its own", () => {
  const own = { host: "198.51.100.7", port: 5070 };
  const directory = routedTo(
    trunkTo(5060),
    trunkTo(5061, {}, { transport: "tls" }),
    trunkTo(5062, { publicMediaHost: "198.51.100.8" }, { publicAddress: own }),
  );
  const { trunks } = publicTrunks(directory, "203.0.113.10", 5060);
  expect(trunks.map(({ sip, publicMediaHost }) => [sip.publicAddress, publicMediaHost])).toEqual([
    [{ host: "203.0.113.10", port: 5060 }, "203.0.113.10"],
    [{ host: "203.0.113.10", port: 5061 }, "203.0.113.10"],
    [own, "198.51.100.8"],
  ]);
  expect(publicTrunks(directory, null, 5060)).toBe(directory);
});

test("a carrier that ends the calls of a dead process neither registers nor probes trunks", () => {
  const directory = routedTo(trunkTo(5060, { registersAs: "us", pingIntervalMs: 1000 }));
  expect(silentTrunks(directory).trunks).toMatchObject([{ registersAs: null, pingIntervalMs: null }]);
});
