import { AppError } from "@parley/contract/errors";
import type { GateRules, GateRulesChanges } from "@parley/contract/gate";
import { makeId } from "@parley/contract/ids";
import google from "google-libphonenumber";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { findRate } from "../../accounts/credits/find-rate.ts";
import { type CallRow, toCall } from "../../calls/call-record.ts";
import { commitRequeue } from "../../calls/runs/commits.ts";
import { askGate } from "../../calls/runs/dialing/gate.ts";
import { registerWorker } from "../../calls/runs/lease/lease-store.ts";
import {
  type Scene,
  type SceneOptions,
  setScene,
  simulatedGate,
  trunkGate,
} from "../../calls/runs/testing/call-scene.ts";
import { claimCalls } from "../../calls/runs/worker/worker.ts";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { run } from "../../platform/database/database.ts";
import { isDatabaseAway } from "../../platform/database/failures.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { changeGate, readGate, warnOfPriceCap } from "./change-gate.ts";
import { forgetVelocity } from "./count-velocity.ts";
import { describeNumber } from "./describe-number.ts";
import { judgeNumber, judgeTransfer } from "./judge-number.ts";
import { putSuppression } from "./suppression-store.ts";

const BERLIN = "+4930123456";
// Ten in the morning in Berlin, and three at night.
const MORNING = Date.parse("2026-07-01T08:00:00Z");
const NIGHT = Date.parse("2026-07-01T01:00:00Z");

let t: TestDatabase;
let workerId: string;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  workerId = makeId("worker");
  await registerWorker(t.db, workerId, 100);
});
afterAll(() => t.close());

interface GateScene extends Scene {
  readonly clock: { nowMs: number };
  readonly gate: NonNullable<SceneOptions["gate"]>;
  rule(changes: GateRulesChanges): Promise<GateRules>;
}

/** An account whose live calls would be dialed on trunks, at a moment the test sets. */
async function openScene(options: SceneOptions = {}): Promise<GateScene> {
  const clock = { nowMs: MORNING };
  const gate = trunkGate({ nowMs: () => clock.nowMs });
  const scene = await setScene(t.db, { ...options, gate });
  // Numbers and prices as the installation has them, but for what a call costs: that is flat in a scene.
  const rule = (changes: GateRulesChanges) =>
    changeGate(t.db, scene.accountId, changes, { accountId: scene.accountId, actor: "operator" });
  return { ...scene, clock, gate, rule };
}

const place = (scene: Scene, phoneNumber = BERLIN, fields: Record<string, unknown> = {}) =>
  scene.place("live", { phoneNumber, ...fields });

async function readCall(id: string): Promise<CallRow> {
  const [row] = await run<CallRow>(t.db, "select * from calls where id = $1", [id]);
  if (!row) throw new Error("the call is gone");
  return row;
}

/** Claims this call, whatever else waits. */
async function claim(scene: Scene, id: string): Promise<CallRow> {
  await run(t.db, "update dispatch_lanes set next_send_at = '-infinity'");
  await run(
    t.db,
    "update waiting_lanes set served_at = case when account_id = $1 then '-infinity'::timestamptz else now() end",
    [scene.accountId],
  );
  for (const { call } of await claimCalls(t.db, workerId, 1)) if (call.id === id) return call;
  throw new Error("the call was not claimed");
}

/** The error of a refused post. A busy machine may not get a connection in time; then nothing was done. */
async function refusalOf(post: () => Promise<unknown>): Promise<string> {
  try {
    await post();
    return "none";
  } catch (error) {
    if (isDatabaseAway(error)) return refusalOf(post);
    if (!(error instanceof AppError)) throw error;
    return error.details[0]?.code ?? error.code;
  }
}

const balance = async (scene: Scene) =>
  (
    await run<{ available_micros: bigint; held_micros: bigint }>(
      t.db,
      "select available_micros, held_micros from account_balances where account_id = $1",
      [scene.accountId],
    )
  )[0];

describe("a call that would really be dialed", () => {
  it("is accepted when no rule applies, and says so", async () => {
    const scene = await openScene();
    const call = toCall(await readCall(await place(scene)));
    expect(call.phase).toBe("queued");
    expect(call.gate).toMatchObject({ decision: "allowed" });
    expect(call.gate?.reasons).toContain("valid_fixed_line");
  });

  it.each([
    ["+15550100001", "invalid_number"],
    ["+19115550100", "emergency_number"],
    ["+449012345678", "premium_rate"],
    ["+611300123456", "shared_cost"],
    ["+870773111632", "satellite"],
    ["+447012345678", "personal_number"],
    ["+9990000000", "invalid_number"],
  ])("to %s is refused with 403: %s", async (phoneNumber, code) => {
    const scene = await openScene();
    expect(await refusalOf(() => place(scene, phoneNumber))).toBe(code);
  });

  it("goes only to countries that an operator left the account", async () => {
    const scene = await openScene();
    await scene.rule({ countries: ["AT", "CH"] });
    expect(await refusalOf(() => place(scene))).toBe("country_not_allowed");
    await scene.rule({ countries: ["DE"] });
    expect(await refusalOf(() => place(scene))).toBe("none");
  });

  it("is refused once the account has put the number on its list", async () => {
    const scene = await openScene();
    await putSuppression(t.db as never, scene.accountId, BERLIN, "asked");
    expect(await refusalOf(() => place(scene))).toBe("suppressed");
  });

  it("may not ignore calling hours where the operator forbids it", async () => {
    const scene = await openScene();
    await scene.rule({ mayIgnoreCallingHours: false });
    expect(await refusalOf(() => place(scene, BERLIN, { callingHours: "ignore" }))).toBe("hours_may_not_be_ignored");
  });
});

describe("how often numbers may be called", () => {
  it("is exact for one number under forty concurrent posts", async () => {
    const scene = await openScene();
    await scene.rule({ callsPerNumberAndDay: 7 });
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => refusalOf(() => place(scene))));
    expect(outcomes.filter((code) => code === "none")).toHaveLength(7);
    expect(new Set(outcomes)).toEqual(new Set(["none", "number_velocity"]));
    scene.clock.nowMs += 24 * 3_600_000;
    expect(await refusalOf(() => place(scene))).toBe("none");
  });

  it("is exact for a range and for a country under concurrent posts to many numbers", async () => {
    const scene = await openScene();
    await scene.rule({ callsPerRangeAndHour: 5 });
    const numbers = Array.from({ length: 20 }, (_, index) => `+4930123${String(400 + index)}`);
    const outcomes = await Promise.all(numbers.map((number) => refusalOf(() => place(scene, number))));
    expect(outcomes.filter((code) => code === "none")).toHaveLength(5);
    await scene.rule({ callsPerRangeAndHour: 1000, callsPerCountryAndHour: 9 });
    const later = await Promise.all(
      numbers.map((_, index) => refusalOf(() => place(scene, `+493055555${10 + index}`))),
    );
    expect(later.filter((code) => code === "none")).toHaveLength(4);
    expect(later).toContain("country_velocity");
  });

  it("is not used up by calls that were refused for lack of credit", async () => {
    const scene = await openScene({ creditMicros: 60_000n });
    await scene.rule({ callsPerNumberAndDay: 2 });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusalOf(() => place(scene))));
    expect(outcomes.filter((code) => code === "none")).toHaveLength(1);
    const rows = await run<{ calls: number }>(
      t.db,
      "select calls from gate_counts where account_id = $1 and kind = 'number'",
      [scene.accountId],
    );
    expect(rows).toEqual([{ calls: 1 }]);
  });

  it("is forgotten when it says nothing any more", async () => {
    await place(await openScene());
    expect(await forgetVelocity(t.db, MORNING)).toBe(0);
    expect(await forgetVelocity(t.db, MORNING + 5 * 86_400_000)).toBeGreaterThan(0);
  });
});

describe("a call outside the callee's hours", () => {
  it("waits as scheduled without holding credit, and is dialed when they begin", async () => {
    const scene = await openScene();
    scene.clock.nowMs = Date.now();
    // Hours that are surely over in Berlin, on the real clock that the queue goes by.
    const local = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit", hourCycle: "h23" });
    const hour = Number(local.format(scene.clock.nowMs));
    const start = (hour + 3) % 24;
    const two = (value: number) => String(value).padStart(2, "0");
    await scene.rule({ callingHours: { start: `${two(start)}:00`, end: `${two(start)}:59` } });
    const id = await place(scene);
    const waiting = await readCall(id);
    expect(toCall(waiting)).toMatchObject({ phase: "scheduled", gate: { decision: "waiting" } });
    expect(waiting).toMatchObject({ held_micros: 0n, admitted_at: null });
    expect(waiting.due_at.getTime()).toBeGreaterThan(Date.now() + 2 * 3_600_000);
    await expect(claim(scene, id)).rejects.toThrow("was not claimed");

    // A worker that is too early returns it.
    await run(t.db, "update calls set due_at = now() - interval '1 second' where id = $1", [id]);
    const early = await claim(scene, id);
    expect(await askGate(t.db, scene.gate, early)).toEqual({ decision: "deferred" });
    await commitRequeue(t.db, early);
    expect((await readCall(id)).due_at).toEqual(waiting.due_at);

    await run(t.db, "update calls set due_at = now() - interval '1 second' where id = $1", [id]);
    const due = await claim(scene, id);
    scene.clock.nowMs = waiting.due_at.getTime();
    const asked = await askGate(t.db, scene.gate, due);
    expect(asked).toMatchObject({ decision: "allowed", call: { held_micros: 60_000n, gate: { decision: "allowed" } } });
    expect(await balance(scene)).toEqual({ available_micros: 9_940_000n, held_micros: 60_000n });
  });

  it("is refused immediately when it must not wait, and admitted when it ignores them", async () => {
    const scene = await openScene();
    scene.clock.nowMs = NIGHT;
    expect(await refusalOf(() => place(scene, BERLIN, { callingHours: "fail" }))).toBe("outside_calling_hours");
    expect(await refusalOf(() => place(scene, BERLIN, { callingHours: "ignore" }))).toBe("none");
  });

  it("keeps the hours of the account beside those of the installation", async () => {
    const scene = await openScene();
    await run(t.db, "update accounts set hours_start = '11:00', hours_end = '12:00' where id = $1", [scene.accountId]);
    const row = await readCall(await place(scene));
    expect(row.due_at.toISOString()).toBe("2026-07-01T09:00:00.000Z");
  });
});

describe("a scheduled call", () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const simulated = () => setScene(t.db);

  it("waits for its time, holds nothing before, and holds once when its time has come", async () => {
    const scene = await simulated();
    const id = await place(scene, "+15550100001", { scheduledAt: inAnHour() });
    expect(toCall(await readCall(id))).toMatchObject({ phase: "scheduled", status: "initiated" });
    expect(await balance(scene)).toMatchObject({ held_micros: 0n });
    await expect(claim(scene, id)).rejects.toThrow("was not claimed");
    await run(t.db, "update calls set due_at = now() - interval '1 second' where id = $1", [id]);
    const call = await claim(scene, id);
    const gate = simulatedGate();
    const first = await askGate(t.db, gate, call);
    // The reply to the first was lost, so that the run asks again.
    const second = await askGate(t.db, gate, call);
    expect([first.decision, second.decision]).toEqual(["allowed", "allowed"]);
    expect(await balance(scene)).toEqual({ available_micros: 9_940_000n, held_micros: 60_000n });
    expect((await checkInvariants(t.db)).results.filter(({ total }) => total > 0)).toEqual([]);
  });

  it("fails when its time comes and the credit is gone, or a cap is reached, with the reason on it", async () => {
    const scene = await simulated();
    const id = await place(scene, "+15550100001", { scheduledAt: inAnHour() });
    await run(t.db, "update calls set due_at = now() - interval '1 second' where id = $1", [id]);
    await run(t.db, "update accounts set daily_spend_cap_micros = 59999 where id = $1", [scene.accountId]);
    const call = await claim(scene, id);
    const gate = simulatedGate();
    expect(await askGate(t.db, gate, call)).toEqual({ decision: "refused", reason: "spend_limit" });
    expect(toCall(await readCall(id)).gate).toEqual({ decision: "refused", reasons: ["spend_limit"] });
    expect(await balance(scene)).toMatchObject({ held_micros: 0n });
  });

  it("is refused when it was put on the suppression list meanwhile", async () => {
    const scene = await simulated();
    const id = await place(scene);
    const call = await claim(scene, id);
    await putSuppression(t.db as never, scene.accountId, BERLIN, "asked");
    const gate = simulatedGate();
    expect(await askGate(t.db, gate, call)).toEqual({ decision: "refused", reason: "suppressed" });
  });

  it("is refused by what is read with the claim when it was put on the list before", async () => {
    const scene = await simulated();
    const id = await place(scene);
    await putSuppression(t.db as never, scene.accountId, BERLIN, "asked");
    const found = (await claimCalls(t.db, workerId, 1)).find(({ call }) => call.id === id);
    if (!found) throw new Error("the call was not claimed");
    expect(found.listAndCredit).toEqual({
      isSuppressed: true,
      availableMicros: (await balance(scene))?.available_micros,
    });
    const asked = await askGate(t.db, simulatedGate(), found.call, found.listAndCredit);
    expect(asked).toEqual({ decision: "refused", reason: "suppressed" });
  });

  it("expires a day after its own time and not before", async () => {
    const scene = await simulated();
    const id = await place(scene, "+15550100001", { scheduledAt: inAnHour() });
    const ago =
      "update calls set created_at = now() - interval '3 days', scheduled_at = now() - interval '23 hours', due_at = now() - interval '23 hours' where id = $1";
    await run(t.db, ago, [id]);
    expect((await claim(scene, id)).id).toBe(id);
  });
});

// The members of the United Nations, and its two observer states.
const STATES =
  "AF AL DZ AD AO AG AR AM AU AT AZ BS BH BD BB BY BE BZ BJ BT BO BA BW BR BN BG BF BI CV KH CM CA CF TD CL CN CO KM CG CD CR CI HR CU CY CZ DK DJ DM DO EC EG SV GQ ER EE SZ ET FJ FI FR GA GM GE DE GH GR GD GT GN GW GY HT HN HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KI KP KR KW KG LA LV LB LS LR LY LI LT LU MG MW MY MV ML MT MH MR MU MX FM MD MC MN ME MA MZ MM NA NR NP NL NZ NI NE NG MK NO OM PK PW PA PG PY PE PH PL PT QA RO RU RW KN LC VC WS SM ST SA SN RS SC SL SG SK SI SB SO ZA SS ES LK SD SR SE CH SY TJ TZ TH TL TG TO TT TN TR TM TV UG UA AE GB US UY UZ VU VE VN YE ZM ZW VA PS".split(
    " ",
  );

/** A fixed line and a mobile of a state, as far as the numbering plan gives examples. */
function examplesOf(state: string): string[] {
  const plan = google.PhoneNumberUtil.getInstance();
  const { FIXED_LINE, MOBILE } = google.PhoneNumberType;
  return [FIXED_LINE, MOBILE].flatMap((type) => {
    const example = plan.getExampleNumberForType(state, type);
    const number = example ? plan.format(example, google.PhoneNumberFormat.E164) : "";
    const facts = describeNumber(number);
    return facts.isValid && facts.country === state ? [number] : [];
  });
}

describe("a fresh installation", () => {
  const reasonsOf = async (scene: GateScene, phoneNumber: string) => {
    const judged = await judgeNumber(t.db, scene.gate, {
      accountId: scene.accountId,
      mode: "live",
      phoneNumber,
      callingHours: "ignore",
      rate: await findRate(t.db, phoneNumber, "local"),
      isCharged: true,
      neededMicros: 0n,
      isCounted: false,
      isAccepted: false,
      atMs: MORNING,
      sinceMs: MORNING,
    });
    return judged.decision === "allowed" ? [] : judged.reasons;
  };

  it("allows fixed lines and mobiles of all 195 states", async () => {
    const scene = await openScene();
    expect(new Set(STATES).size).toBe(195);
    const refused: string[] = [];
    let open = 0;
    for (const state of STATES) {
      const numbers = examplesOf(state);
      const reasons = (await Promise.all(numbers.map((number) => reasonsOf(scene, number)))).flat();
      if (numbers.length > 0 && reasons.length === 0) open += 1;
      else refused.push(`${state} ${numbers.join(" ")}: ${reasons.join(" ")}`);
    }
    expect(refused).toEqual([]);
    expect(open).toBe(195);
  });

  it("says which countries a price cap shuts out, when it is set and at each start", async () => {
    const scene = await openScene();
    expect(await readGate(t.db, null)).toMatchObject({
      ratePerMinuteMax: null,
      shutOutByCap: { countries: [], partly: [] },
    });
    const { shutOutByCap } = await scene.rule({ ratePerMinuteMax: "0.15" });
    expect(shutOutByCap.partly).toContain("BS");
    expect(shutOutByCap.countries).not.toContain("DE");
    expect(shutOutByCap.countries.length).toBeGreaterThan(8);
    for (const country of shutOutByCap.countries) {
      const reasons = (await Promise.all(examplesOf(country).map((number) => reasonsOf(scene, number)))).flat();
      expect(reasons, country).not.toEqual([]);
    }
    const warned: unknown[] = [];
    const log = { warn: (fields: object) => warned.push(fields) };
    await warnOfPriceCap(t.db, log);
    expect(warned).toEqual([]);
    await changeGate(t.db, null, { ratePerMinuteMax: "0.15" }, { accountId: null, actor: "operator" });
    await warnOfPriceCap(t.db, log);
    expect(warned).toEqual([{ ratePerMinuteMax: "0.15", ...shutOutByCap }]);
    await changeGate(t.db, null, { ratePerMinuteMax: null }, { accountId: null, actor: "operator" });
  });
});

describe("a transfer", () => {
  const ask = (scene: GateScene, to: string, mode: "test" | "live" = "live") =>
    judgeTransfer(t.db, scene.gate, { accountId: scene.accountId, mode, engine: "local", callingHours: "wait", to });

  it("passes the same gate as a call", async () => {
    const scene = await openScene();
    expect(await ask(scene, BERLIN)).toEqual({ isAllowed: true });
    for (const to of ["+449012345678", "+19115550100", "+15550100001", "112", "sip:a@b"])
      expect(await ask(scene, to)).toMatchObject({ isAllowed: false });
    expect(await ask(scene, "+15550100001", "test")).toEqual({ isAllowed: true });
    scene.clock.nowMs = NIGHT;
    expect(await ask(scene, BERLIN)).toMatchObject({ isAllowed: false });
  });

  it("counts as a call to its number", async () => {
    const scene = await openScene();
    await scene.rule({ callsPerNumberAndDay: 3 });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => ask(scene, BERLIN)));
    expect(outcomes.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
    expect(await refusalOf(() => place(scene))).toBe("number_velocity");
  });
});
