import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { claimFirst, dataOf, type SignedInMember } from "../../harness/accounts.ts";
import type { WatchedPage } from "../../harness/browser.ts";
import { sendPatiently } from "../../harness/http-client.ts";
import { isThorough } from "../../harness/thoroughness.ts";
import { changeLook, looksOfJourney } from "../looks.ts";
import { type DashboardScene, openDashboard, signInOnPage } from "../visitor.ts";
import { type Keyboard, type SeatOptions, sitAtKeyboard } from "./by-keyboard.ts";

/** What the installation contains before its pages are checked, created by the operator through the API. */
export interface Installation {
  readonly url: string;
  readonly operator: SignedInMember;
  // biome-ignore lint/suspicious/noExplicitAny: the data of any route.
  read(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: the data of any route.
  post(path: string, json: object): Promise<any>;
}

/** A page of the dashboard, a person without a mouse, and the words for what is on it. */
export interface AtPage {
  readonly page: Page;
  /** What the page must never do. */
  readonly complaints: readonly string[];
  readonly keys: Keyboard;
  open(path: string, sign: Locator): Promise<void>;
  /** Until nothing on the page is loading any more. */
  settled(): Promise<void>;
  heading(name: string): Locator;
  button(name: string | RegExp): Locator;
  link(name: string | RegExp): Locator;
  tab(name: string): Locator;
  dialog(): Locator;
  field(label: string, within?: Page | Locator): Locator;
  said(words: string | RegExp): Promise<void>;
  gone(what: Locator): Promise<void>;
  /** Until the tab of this name is the one that is open. */
  chosen(name: string): Promise<void>;
  /** The focus goes to a card a moment after the card is there. */
  isSomewhere(): Promise<void>;
  isAt(what: Locator): Promise<void>;
}

export interface AtKeyboard extends Installation, AtPage {}

/** A page, and what is done there by keyboard alone. Every page is also walked through from end to end. */
export interface KeyboardPage<Seed = object> {
  /** As the router knows it. */
  readonly route: string;
  /** Where it is, if not at its route. */
  readonly path?: (at: AtKeyboard & Seed) => string;
  /** What shows that it has loaded. */
  readonly sign: (at: AtKeyboard & Seed) => Locator;
  readonly deeds: Readonly<Record<string, (at: AtKeyboard & Seed) => Promise<void>>>;
}

/** How pages are seen while something is done there. */
const WIDE = { theme: "light", width: 1440 } as const;

interface SceneOptions<Seed> {
  readonly env?: Readonly<Record<string, string>>;
  /** The member who uses the pages. */
  readonly as: "operator" | "nobody";
  /** Creates what the pages show. */
  seed(installation: Installation): Promise<Seed>;
}

/**
 * Opens an installation and a browser for the tests of this file, and closes them. After every test nothing may be
 * wrong at the places that had the focus.
 */
export function atKeyboard<Seed extends object>({ env = {}, as, seed }: SceneOptions<Seed>): () => AtKeyboard & Seed {
  let scene: DashboardScene | null = null;
  let at: (AtKeyboard & Seed) | null = null;

  beforeAll(async () => {
    scene = await openDashboard(env);
    const installation = await openInstallation(scene);
    const seeded = await seed(installation);
    const watched = await scene.visit();
    at = { ...installation, ...(await sitDown(installation.url, watched, { looksAround: isThorough })), ...seeded };
    if (as === "nobody") return;
    await at.page.goto(`${installation.url}/sign-in`);
    await signInOnPage(at.page, installation.operator.email);
    await at.heading("Overview").waitFor();
  });
  afterEach(() => expect(at?.keys.takeFaults()).toEqual([]));
  afterAll(() => scene?.close());
  return () => {
    if (at === null) throw new Error("the keyboard user exists only once the tests run");
    return at;
  };
}

export function testPages<Seed>(at: () => AtKeyboard & Seed, pages: readonly KeyboardPage<Seed>[]): void {
  describe.each(pages)("$route", ({ route, path, sign, deeds }) => {
    test("everything on it can be reached by Tab, is visible when focused, and there is no focus trap", async () => {
      const { page, open, keys, settled } = at();
      for (const look of looksOfJourney(WIDE)) {
        await changeLook(page, look);
        await open(path?.(at()) ?? route, sign(at()));
        await keys.walk();
        expect.soft(keys.takeFaults(), `${look.theme}, ${look.width} px wide`).toEqual([]);
      }
      await changeLook(page, WIDE);
      await open(path?.(at()) ?? route, sign(at()));
      await settled();
    });

    test.each(Object.entries(deeds))("%s", (_, act) => act(at()));
  });

  test("in all of this the page violated no rule of its policy, had no error and contacted no other host", () => {
    expect(at().complaints).toEqual([]);
  });
}

async function openInstallation({ service }: DashboardScene): Promise<Installation> {
  const { url } = service;
  const operator = await claimFirst(service);
  const headers = operator.cookie;
  return {
    url,
    operator,
    read: async (path) => dataOf(await sendPatiently(url, { path: `/api/v1/${path}`, headers })),
    post: async (path, json) => dataOf(await sendPatiently(url, { path: `/api/v1/${path}`, headers, json })),
  };
}

/** A signed-in member has a menu, which comes last. */
const IS_SETTLED = `document.querySelector("main .animate-pulse, [aria-busy=true]") === null &&
  (document.querySelector("nav") === null || document.querySelector("nav [aria-haspopup=menu]") !== null)`;

export async function sitDown(url: string, { page, complaints }: WatchedPage, seat: SeatOptions = {}): Promise<AtPage> {
  const keys = await sitAtKeyboard(page, seat);
  const settled = () => expect.poll(() => page.evaluate(IS_SETTLED)).toBe(true);
  const named = (name: string | RegExp) => ({ name, exact: typeof name === "string" });
  return {
    page,
    complaints,
    keys,
    settled,
    async open(path, sign) {
      await page.goto(url + path);
      await sign.first().waitFor();
      await settled();
    },
    heading: (name) => page.getByRole("heading", named(name)),
    button: (name) => page.getByRole("button", named(name)),
    link: (name) => page.getByRole("link", named(name)),
    tab: (name) => page.getByRole("tab", { name }),
    dialog: () => page.getByRole("dialog"),
    field: (label, within = page) => within.getByLabel(label, { exact: true }),
    said: (words) => page.getByText(words).first().waitFor(),
    gone: (what) => what.waitFor({ state: "detached" }),
    chosen: (name) => page.getByRole("tab", { name, selected: true }).waitFor(),
    isSomewhere: () => expect.poll(() => keys.place()).not.toBeNull(),
    isAt: (what) => expect.poll(() => keys.isAt(what)).toBe(true),
  };
}
