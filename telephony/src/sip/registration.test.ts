import { describe, expect, it } from "vitest";
import { header, headerNumber } from "./message/read-headers.ts";
import type { RegistrationState } from "./registration.ts";
import { useAgentRig } from "./testing/agent-rig.ts";

const rigs = useAgentRig();
const { open } = rigs;

describe("a registration", () => {
  const CREDENTIALS = { username: "alice", password: "s3cret" };
  const CHALLENGE = ["WWW-Authenticate", 'Digest realm="r", nonce="n1", qop="auth"'] as const;

  it("is created with the password, renewed in time and removed", async () => {
    const { peer, clock, agent, trunk } = open({ trunk: { credentials: CREDENTIALS } });
    const states: RegistrationState[] = [];
    peer.on("REGISTER", (register) => {
      if (header(register, "Authorization") === null) peer.reply(register, 401, { headers: [CHALLENGE] });
      else peer.reply(register, 200, { headers: [["Contact", `${header(register, "Contact")};expires=120`]] });
    });
    const registration = agent.register(trunk, "alice", 300, (state) => states.push(state));
    await clock.advance(20);
    expect(states).toEqual([{ kind: "registered", expiresS: 120 }]);
    expect(peer.request("REGISTER").uri).toBe("sip:10.0.0.2:5060");
    await clock.advance(80_100);
    expect(peer.requests("REGISTER")).toHaveLength(3);
    const stopped = registration.stop();
    await clock.advance(20);
    await stopped;
    expect(headerNumber(peer.request("REGISTER", -1), "Expires")).toBe(0);
    expect(states.at(-1)).toEqual({ kind: "unregistered" });
    const numbers = peer.requests("REGISTER").map(({ essentials }) => essentials.cseq.number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it("uses the interval that the trunk requires", async () => {
    const { peer, clock, agent, trunk } = open();
    peer.on("REGISTER", (register) => {
      if ((headerNumber(register, "Expires") ?? 0) < 600)
        peer.reply(register, 423, { headers: [["Min-Expires", "600"]] });
      else peer.reply(register, 200, { headers: [["Expires", "600"]] });
    });
    const states: RegistrationState[] = [];
    agent.register(trunk, "alice", 60, (state) => states.push(state));
    await clock.advance(20);
    expect(states).toEqual([{ kind: "registered", expiresS: 600 }]);
  });

  it("is tried again, ever more slowly, while it fails", async () => {
    const { peer, clock, agent, trunk } = open();
    const states: RegistrationState[] = [];
    peer.on("REGISTER", (register) => peer.reply(register, 403));
    agent.register(trunk, "alice", 60, (state) => states.push(state));
    await clock.advance(100_000);
    expect(states).toMatchObject([
      { kind: "failed", status: 403, retryInMs: 30_000 },
      { kind: "failed", status: 403, retryInMs: 60_000 },
      { kind: "failed", status: 403, retryInMs: 120_000 },
    ]);
  });
});
