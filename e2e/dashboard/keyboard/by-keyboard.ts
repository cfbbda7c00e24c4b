import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../harness/browser.ts";
import { findBarriersOverPage } from "../looks.ts";
import { FOCUS_WATCH, type Stop, type Watched } from "./focus-watch.ts";

/** More than any page has; beyond it the focus is in a cycle. */
const STOPS_MAX = 220;

/** A person without a mouse. */
export interface Keyboard {
  /** What was wrong at the places visited since the last query, each reported once. */
  takeFaults(): readonly string[];
  press(...keys: readonly string[]): Promise<void>;
  /** Tabs until this has the focus, forwards or, for what comes before, backwards. */
  to(wanted: Locator): Promise<void>;
  /** Goes there and presses Enter. */
  enter(wanted: Locator): Promise<void>;
  /** Goes to a field and replaces its content. */
  write(field: Locator, text: string): Promise<void>;
  /** Goes to a list and chooses the entry that begins with these words. */
  choose(list: Locator, words: string): Promise<void>;
  /** Tabs through everything once. Finds what cannot be reached, focus traps, and accessibility barriers. */
  walk(): Promise<void>;
  /** Opens a dialog, walks through it once its sign is there, closes it with Escape, and checks that the focus returns. */
  peek(opener: Locator, dialog: string, sign?: Locator): Promise<void>;
  /** As above, for a dialog that a key opens where the focus is. */
  peekBy(key: string, place: Locator, dialog: string): Promise<void>;
  /** As above, for a dialog that an item of a menu opens; the focus returns to the button of the menu. */
  peekFrom(menu: Locator, item: string, dialog: string): Promise<void>;
  /** Opens a menu and takes one of its items. */
  pick(menu: Locator, item: string): Promise<void>;
  /** Undoes what a notification reports, by the key shown on it. */
  undo(): Promise<void>;
  /** What has the focus; null if nothing has. */
  place(): Promise<string | null>;
  isAt(wanted: Locator): Promise<boolean>;
  /** Moves by an arrow key to its neighbour, and presses Enter there. */
  arrow(key: string, wanted: Locator): Promise<void>;
}

/** Runs in the page. */
const lookFor = (wanted: unknown) => (globalThis as unknown as Watched).focusWatch.look(wanted);

export interface SeatOptions {
  /** Whether dialogs and menus are checked as they are in other looks too. */
  readonly looksAround?: boolean;
}

export async function sitAtKeyboard(page: Page, { looksAround = false }: SeatOptions = {}): Promise<Keyboard> {
  await page.addInitScript(FOCUS_WATCH);
  const faults = new Set<string>();
  const note = (fault: string) => faults.add(`${new URL(page.url()).pathname}: ${fault}`);
  const noteFaults = (stop: Stop) => {
    for (const fault of stop.faults) note(fault);
    return stop;
  };
  const look = async () => noteFaults((await page.evaluate("focusWatch.look(null)")) as Stop);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const isAt = (wanted: Locator) =>
    wanted.evaluate((element) => (globalThis as unknown as Watched).focusWatch.focused() === element);

  const keyboard: Keyboard = {
    takeFaults() {
      const taken = [...faults];
      faults.clear();
      return taken;
    },
    press,
    isAt,
    async to(wanted) {
      const met: string[] = [];
      let element = await wanted.first().elementHandle();
      let by: "Tab" | "Shift+Tab" | null = null;
      for (let count = 0; count < STOPS_MAX; count += 1) {
        const stop = noteFaults(await element.evaluate(lookFor));
        if (stop.isWanted) return;
        if (stop.isWantedGone) element = await wanted.first().elementHandle();
        met.push(stop.name ?? "nowhere");
        by ??= stop.isWantedBefore ? "Shift+Tab" : "Tab";
        await press(by);
      }
      throw new Error(`${wanted} was not come to by ${by}. On the way: ${met.join(", ")}`);
    },
    async enter(wanted) {
      await keyboard.to(wanted);
      await press("Enter");
    },
    async write(field, text) {
      await keyboard.to(field);
      await press("Control+A");
      if (text === "") await press("Delete");
      else await page.keyboard.type(text);
    },
    async choose(list, words) {
      await keyboard.to(list);
      await page.keyboard.type(words);
    },
    async walk() {
      await page.evaluate("focusWatch.begin()");
      let isBound: boolean | null = null;
      let isAnywhere = false;
      for (let count = 0; count < STOPS_MAX; count += 1) {
        const { name, isOld, isInDialog } = await look();
        isBound ??= isInDialog;
        isAnywhere ||= name !== null;
        if (isBound && !isInDialog) note(`${name} has the focus behind a dialog`);
        if (isOld) break;
        if (count === STOPS_MAX - 1 && isAnywhere) note("there is no way round");
        await press("Tab");
      }
      await noteMissed();
      await noteBarriers(isBound === true);
    },
    async peek(opener, dialog, sign) {
      await keyboard.enter(opener);
      await lookInto(dialog, opener, sign);
    },
    async peekBy(key, place, dialog) {
      await press(key);
      await lookInto(dialog, place);
    },
    async peekFrom(menu, item, dialog) {
      await keyboard.pick(menu, item);
      await lookInto(dialog, menu);
    },
    async pick(menu, item) {
      await keyboard.enter(menu);
      const wanted = page.getByRole("menuitem", { name: item }).or(page.getByRole("menuitemradio", { name: item }));
      await wanted.waitFor();
      await noteBarriers(true, menu);
      for (let count = 0; count < 20 && !(await isAt(wanted)); count += 1) {
        await press("ArrowDown");
        await look();
      }
      await press("Enter");
    },
    async undo() {
      const button = page.getByRole("button", { name: "Undo", exact: true }).last();
      await button.waitFor();
      await press("F8");
      if (!(await isAt(button))) throw new Error(`F8 leads to ${await keyboard.place()}`);
      await look();
      await press("Enter");
      if (!(await comesTo(async () => (await keyboard.place()) !== null)))
        note("nobody knows where the focus is after Undo");
    },
    async arrow(key, wanted) {
      await press(key);
      if (!(await comesTo(() => isAt(wanted)))) throw new Error(`${key} leads to ${await keyboard.place()}`);
      await press("Enter");
    },
    async place() {
      return (await look()).name;
    },
  };
  return keyboard;

  /** Walks through a dialog that opens, and leaves it with Escape. */
  async function lookInto(dialog: string, opener: Locator, sign?: Locator): Promise<void> {
    const open = page.getByRole("dialog", { name: dialog });
    await open.waitFor();
    const { isInDialog } = await look();
    if (!isInDialog) note(`the dialog ${dialog} does not take the focus`);
    // Its content may still be loading.
    await sign?.waitFor();
    await open.locator(".animate-pulse").first().waitFor({ state: "detached" });
    await keyboard.walk();
    await press("Escape");
    await open.waitFor({ state: "detached" });
    if (!(await comesTo(() => isAt(opener))))
      note(`the dialog ${dialog} leaves the focus at ${await keyboard.place()}`);
  }

  async function noteMissed(): Promise<void> {
    const missed = (await page.evaluate("focusWatch.missed()")) as string[];
    for (const name of missed) note(`${name} is not come to`);
  }

  async function noteBarriers(isOverPage: boolean, menu: Locator | null = null): Promise<void> {
    const isSeenInLooks = isOverPage && looksAround;
    for (const barrier of await (isSeenInLooks ? findBarriersOverPage(page, menu) : findBarriers(page))) note(barrier);
  }

  /** The focus may return a moment after it is gone. */
  async function comesTo(isThere: () => Promise<boolean>): Promise<boolean> {
    for (let count = 0; count < 20; count += 1) {
      if (await isThere()) return true;
      await page.evaluate("new Promise(requestAnimationFrame)");
    }
    return false;
  }
}
