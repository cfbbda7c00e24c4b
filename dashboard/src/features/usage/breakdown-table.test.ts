import { expect, test } from "vitest";
import { toCsv } from "./breakdown-table.tsx";
import { GROUPING_LABELS, groupLabel } from "./usage-words.ts";

test("groups are exported with whole numbers, and a name that begins like a formula stays text", () => {
  const figures = { talkSeconds: 90, spend: "0.0305", turns: 10, interruptions: 1, incidents: 0, responseMsP50: 650 };
  const rows = [
    { key: "agt_1", calls: 4, answered: 3, failed: 1, ...figures, responseMsP95: 1400 },
    { key: "agt_2", calls: 1, answered: 1, failed: 0, ...figures, responseMsP50: null, responseMsP95: null },
  ];
  const csv = toCsv(rows, "Agent", (key) => (key === "agt_1" ? '=HYPERLINK("x")' : "Ada, reception"));
  expect(csv.split("\r\n")).toEqual([
    "Agent,Key,Calls,Answered,Completed,Failed,Talk time (seconds),Cost (USD),Replies,Interruptions,Problems," +
      '"Response time (median, ms)","Response time (95%, ms)"',
    `"'=HYPERLINK(""x"")",agt_1,4,3,3,1,90,0.0305,10,1,0,650,1400`,
    '"Ada, reception",agt_2,1,1,1,0,90,0.0305,10,1,0,,',
  ]);
});

test("days are exported as the reader writes them, and as dates that a program reads", () => {
  const figures = { calls: 1, answered: 1, failed: 0, talkSeconds: 90, spend: "0.0305", turns: 10, interruptions: 1 };
  const times = { incidents: 0, responseMsP50: null, responseMsP95: null };
  const rows = ["2026-06-15", "2026-06-14"].map((key) => ({ key, ...figures, ...times }));
  const nameOf = (key: string) => groupLabel("day", key, { agents: new Map(), keys: new Map() });
  const [heading, ...lines] = toCsv(rows, GROUPING_LABELS.day, nameOf).split("\r\n");
  expect(heading?.startsWith("Day,Key,Calls,")).toBe(true);
  expect(lines).toEqual([
    '"Jun 15, 2026",2026-06-15,1,1,1,0,90,0.0305,10,1,0,,',
    '"Jun 14, 2026",2026-06-14,1,1,1,0,90,0.0305,10,1,0,,',
  ]);
});
