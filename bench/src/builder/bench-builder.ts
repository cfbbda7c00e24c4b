import type { Flow, FlowNode } from "@parley/contract/flow";
import { openDashboard, signUpOnPage } from "@parley/e2e/dashboard/visitor";
import { createKey, signInAgain } from "@parley/e2e/harness/accounts";
import { ask } from "@parley/e2e/harness/api-client";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { median, percentile } from "../statistics.ts";
import { longestTaskMs, scriptMsPerFrame } from "./read-trace.ts";
import { type Page, traced } from "./trace-page.ts";

const NODES = isQuick ? 20 : 200;
const ROUNDS = isQuick ? 1 : 10;
const MOVES = isQuick ? 10 : 120;
/** A page that has changed nothing for so long is open. */
const SETTLED_MS = 1000;
/** A task that is longer is felt. */
const TASK_MS_MAX = 50;

interface Round {
  readonly openMs: number;
  readonly openTaskMs: number;
  readonly dragTaskMs: number;
  readonly frames: readonly number[];
}

/** The builder with a flow of 200 nodes in a real Chromium: how soon it is open, and how smoothly a node is dragged. */
export async function benchBuilder(): Promise<Goal[]> {
  const scene = await openDashboard();
  try {
    const { page } = await scene.visit();
    const email = await signUpOnPage(page, scene.service.url);
    const { cookie } = await signInAgain(scene.service.url, email);
    const { key } = await createKey(scene.service.url, cookie);
    const flow = largeFlow(NODES);
    const body = { name: `${NODES} nodes`, flow };
    const { data: agent } = (await ask(scene.service.url, "/api/v1/agents", { key, body })).body;
    const rounds: Round[] = [];
    // The first opening also fetches and compiles the code; the others are the everyday case.
    for (let round = 0; round < ROUNDS + 1; round += 1) {
      rounds.push(await openAndDrag(page, scene.service.url, agent.id));
    }
    return report(rounds, flow.nodes.length);
  } finally {
    await scene.close();
  }
}

async function openAndDrag(page: Page, url: string, agentId: string): Promise<Round> {
  const opening = await traced(page, async () => {
    await page.goto(`${url}/agents/${agentId}/build`);
    // Since the address was entered: the page, its code, the agent, and the visible part of the flow.
    const openMs = (await page.evaluate(`new Promise((resolve) => {
      const count = (name) => document.querySelectorAll(".react-flow__" + name).length;
      const look = () => count("node") > 0 && count("edge") > 0 ? resolve(performance.now()) : requestAnimationFrame(look);
      look();
    })`)) as number;
    // The opening is over when the flow is checked, its lines are routed and its panels are filled.
    await page.evaluate(`new Promise((resolve) => {
      let changedAt = performance.now();
      const changes = new MutationObserver(() => { changedAt = performance.now(); });
      changes.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      const look = () => {
        const isBusy = document.querySelector('[aria-busy="true"]') !== null;
        if (isBusy || performance.now() - changedAt < ${SETTLED_MS}) return setTimeout(look, 50);
        changes.disconnect();
        requestIdleCallback(resolve);
      };
      look();
    })`);
    return openMs;
  });
  const card = page.locator(".react-flow__node").filter({ hasText: "question 1 of" }).first();
  await card.waitFor();
  const box = await card.boundingBox();
  if (!box) throw new Error("the first question is not in sight");
  const dragging = await traced(page, async () => {
    await page.mouse.move(box.x + 60, box.y + 20);
    await page.mouse.down();
    for (let move = 1; move <= MOVES; move += 1) {
      // Round, and back to where it was: the next round finds it there.
      const turn = (2 * Math.PI * move) / MOVES;
      await page.mouse.move(box.x + 60 + 90 * Math.sin(turn), box.y + 110 - 90 * Math.cos(turn));
      await page.evaluate("new Promise(requestAnimationFrame)");
    }
    await page.mouse.up();
  });
  return {
    openMs: opening.result,
    openTaskMs: longestTaskMs(opening.thread),
    dragTaskMs: longestTaskMs(dragging.thread),
    frames: scriptMsPerFrame(dragging.thread),
  };
}

function report([first, ...rounds]: readonly Round[], nodes: number): Goal[] {
  console.log(`A flow of ${nodes} nodes; the first round also loads the code of the page.\n`);
  console.log("round   open ms   longest task ms   drag: frames   script p50 ms   p95 ms   longest task ms");
  [first, ...rounds].forEach((round, index) => {
    if (!round) return;
    const cells = [
      index === 0 ? "first" : String(index),
      round.openMs.toFixed(0),
      round.openTaskMs.toFixed(1),
      String(round.frames.length),
      median(round.frames).toFixed(2),
      percentile(round.frames, 95).toFixed(2),
      round.dragTaskMs.toFixed(1),
    ];
    const widths = [5, 10, 18, 15, 16, 9, 18];
    console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(""));
  });
  const each = (read: (round: Round) => number) => median(rounds.map(read));
  return [
    { name: "open", value: each(({ openMs }) => openMs), max: 1000, unit: " ms" },
    {
      name: "openings_without_long_task",
      value: rounds.filter(({ openTaskMs }) => openTaskMs <= TASK_MS_MAX).length / rounds.length,
      min: 0.9,
    },
    {
      name: "drag_script_p95",
      value: percentile(
        rounds.flatMap(({ frames }) => frames),
        95,
      ),
      max: 12,
      unit: " ms",
    },
    { name: "longest_task_dragging", value: each(({ dragTaskMs }) => dragTaskMs), max: TASK_MS_MAX, unit: " ms" },
  ];
}

/** Questions one after the other, each with what is said to a yes and to a no; the last leads to the goodbye. */
function largeFlow(nodesMax: number): Flow {
  const nodes: FlowNode[] = [{ id: "start", type: "start", position: { x: 0, y: 0 }, next: "ask_1" }];
  const questions = Math.floor((nodesMax - 2) / 3);
  for (let number = 1; number <= questions; number += 1) {
    const next = number === questions ? "bye" : `ask_${number + 1}`;
    const x = ((number - 1) % 10) * 760 + 360;
    const y = Math.floor((number - 1) / 10) * 420;
    nodes.push(
      {
        id: `ask_${number}`,
        type: "ask",
        text: `This is question ${number} of ${questions}. Were you content with it?`,
        answer: "yes_no",
        exits: [
          { when: "yes", next: `glad_${number}` },
          { when: "no", next: `sad_${number}` },
        ],
        otherwise: next,
        position: { x, y },
      },
      { id: `glad_${number}`, type: "say", text: "I am glad to hear it.", next, position: { x: x + 360, y } },
      { id: `sad_${number}`, type: "say", text: "I am sorry to hear it.", next, position: { x: x + 360, y: y + 180 } },
    );
  }
  nodes.push({ id: "bye", type: "end", text: "Goodbye.", position: { x: 8000, y: 0 } });
  return { schemaVersion: 1, variables: [], nodes };
}
