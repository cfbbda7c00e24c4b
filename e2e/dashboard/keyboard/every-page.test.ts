import { access, glob, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRoutedPages } from "../routed-pages.ts";

/** What other files test by keyboard. */
const ELSEWHERE: readonly { readonly file: string; readonly story: string }[] = [
  {
    file: "barriers.test.ts",
    story: "a dialog takes the focus, gives it back, and a call in the list is opened with Enter",
  },
  { file: "settings.thorough.test.ts", story: "a number is put on it by keyboard alone" },
  { file: "builder.test.ts", story: "what is deleted comes back by undo, and what was duplicated goes away by it" },
];

test.each(ELSEWHERE)("$file tells that $story", async ({ file, story }) => {
  expect(await readFile(join(import.meta.dirname, "..", file), "utf8")).toContain(`"${story}"`);
});

test("no page of the dashboard is left out here", async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".test.ts"));
  const sources = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), "utf8")));
  const routes = sources.flatMap((source) =>
    [...source.matchAll(/^ {4}route: "([^"]+)",$/gm)].map(([, route]) => route),
  );
  const shown = new Set(["/sign-up", ...routes]);
  expect((await readRoutedPages()).filter((routed) => !shown.has(routed))).toEqual([]);
});

const DASHBOARD = join(import.meta.dirname, "../../../dashboard/src");
/** What opens over a page, by the test that opens it, walks through it, has it checked by axe and comes back from it. */
const OPENED_BY = {
  "agents.thorough.test.ts": [
    "features/agents/agent-menu.tsx",
    "features/agents/agent-page.tsx",
    "features/agents/agents-page.tsx",
    "features/agents/create-agent-dialog.tsx",
    "features/flow-editor/builder-toolbar.tsx",
    "features/flow-editor/canvas/pickers.tsx",
    "features/flow-editor/scenarios/scenario-dialog.tsx",
    "features/flow-editor/versions/agent-file.tsx",
    "features/flow-editor/versions/versions-dialog.tsx",
  ],
  "build.thorough.test.ts": [
    "features/flow-editor/try/save-as-scenario.tsx",
    "features/flow-editor/versions/publish-dialog.tsx",
  ],
  "calls.thorough.test.ts": ["features/calls/new-call/new-call-dialog.tsx"],
  "dialogs.thorough.test.ts": [
    "app/command-palette.tsx",
    "features/agents/version-list.tsx",
    "features/calls/batches/batch-page.tsx",
    "features/calls/call-page/call-actions.tsx",
    "features/calls/call-views.tsx",
    "features/flow-editor/builder-dialogs.tsx",
    "features/flow-editor/scenarios/scenarios-panel.tsx",
    "features/flow-editor/sub-flows/make-sub-flow.tsx",
    "features/settings/mcp/mcp-servers-page.tsx",
    "features/settings/security/two-factor.tsx",
    "features/sign-in/sign-in-again.tsx",
  ],
  "newcomer.thorough.test.ts": [
    "app/member-menu.tsx",
    "features/settings/api-keys/create-key-dialog.tsx",
    "features/settings/api-keys/developer-page.tsx",
  ],
  "operator.thorough.test.ts": [
    "features/operator/providers/provider-rates.tsx",
    "features/operator/providers/providers-page.tsx",
    "features/operator/rates/import-rates-dialog.tsx",
    "features/operator/rates/rates-page.tsx",
    "features/operator/trunk-routes/routes-page.tsx",
    "features/operator/trunks/trunk-page.tsx",
  ],
  "settings.thorough.test.ts": [
    "features/settings/limits/retention-card.tsx",
    "features/settings/mcp/mcp-server-page.tsx",
    "features/settings/members/members-page.tsx",
    "features/settings/security/security-page.tsx",
    "features/settings/suppressions/suppressions-page.tsx",
    "features/settings/webhooks/deliveries.tsx",
    "features/settings/webhooks/webhook-page.tsx",
    "features/settings/webhooks/webhooks-page.tsx",
  ],
  "two-tabs.thorough.test.ts": ["features/flow-editor/versions/conflict-dialog.tsx"],
  // The menu of the right button: all that is in it has keys of its own.
  "../builder.test.ts": ["features/flow-editor/canvas/canvas-menu.tsx"],
} as const;

test("no dialog and no menu is left out", async () => {
  const opening: string[] = [];
  for await (const path of glob("{app,features}/**/*.tsx", { cwd: DASHBOARD, exclude: ["**/*.test.tsx"] })) {
    const source = await readFile(join(DASHBOARD, path), "utf8");
    if (/<(?:Dialog|ConfirmDialog|Menu|ContextMenu\.Root)\s/.test(source)) opening.push(path);
  }
  expect(opening.toSorted()).toEqual(Object.values(OPENED_BY).flat().toSorted());
  for (const file of Object.keys(OPENED_BY)) await access(join(import.meta.dirname, file));
});
