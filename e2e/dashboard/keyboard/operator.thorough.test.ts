import { expect } from "vitest";
import { signUp } from "../../harness/accounts.ts";
import { atKeyboard, type Installation, type KeyboardPage, testPages } from "./keyboard-scene.ts";

/** A trunk that is switched off, and a customer. */
async function seed({ url, post }: Installation) {
  const trunk = await post("operator/trunks", { name: "Carrier One", host: "127.0.0.1", isEnabled: false });
  return { trunkId: trunk.id as string, customer: await signUp(url) };
}
type Seed = Awaited<ReturnType<typeof seed>>;

const PAGES: readonly KeyboardPage<Seed>[] = [
  {
    route: "/operator/trunks",
    sign: ({ link }) => link("Carrier One"),
    deeds: {
      "a trunk is opened": async ({ keys, button, link }) => {
        await keys.enter(link("Carrier One"));
        await button("Run checks").waitFor();
      },
    },
  },
  {
    route: "/operator/trunks/new",
    sign: ({ field }) => field("Server"),
    deeds: {
      "a trunk is added": async ({ page, keys, heading, button, field }) => {
        await keys.write(field("Name"), "Typed");
        await keys.write(field("Server"), "127.0.0.1");
        await keys.choose(field("Transport"), "TCP");
        await keys.enter(page.locator("summary"));
        await keys.to(field("Our public host"));
        await keys.enter(button("Add trunk"));
        await heading("Typed").waitFor();
      },
    },
  },
  {
    route: "/operator/trunks/$trunkId",
    path: ({ trunkId }) => `/operator/trunks/${trunkId}`,
    sign: ({ button }) => button("Run checks"),
    deeds: {
      "it is switched on, off again, examined, and not removed by accident": async ({ page, keys, button }) => {
        await keys.enter(button("Enable"));
        await button("Disable").waitFor();
        await keys.undo();
        await button("Enable").waitFor();
        await keys.enter(button("Run checks"));
        await page.locator("[aria-busy=true]").waitFor();
        expect(await keys.place()).toContain("Run checks");
        await keys.peek(button("Remove"), "Remove “Carrier One”?");
      },
    },
  },
  {
    route: "/operator/trunks/$trunkId/edit",
    path: ({ trunkId }) => `/operator/trunks/${trunkId}/edit`,
    sign: ({ field }) => field("Server"),
    deeds: {
      "it is changed": async ({ keys, field, said }) => {
        await keys.write(field("Concurrent calls"), "30");
        await keys.press("Enter");
        await said("0 of 30");
      },
    },
  },
  {
    route: "/operator/routes",
    sign: ({ button }) => button("Add route"),
    deeds: {
      "a route is added, changed, removed, and comes back": async ({ keys, button, field, gone, isSomewhere }) => {
        await keys.peek(button("Add route").first(), "Add route");
        await keys.enter(button("Add route").first());
        await keys.write(field("Numbers starting with"), "+4930");
        await keys.press("Enter");
        const remove = button(/^Remove the route for \+4930/);
        await remove.waitFor();
        await keys.peek(button(/^Change the route for \+4930/), "Change route");
        await keys.enter(remove);
        await gone(remove);
        await isSomewhere();
        await keys.undo();
        await remove.waitFor();
      },
    },
  },
  {
    route: "/operator/rates",
    path: () => "/operator/rates?q=austria",
    sign: ({ button }) => button(/^Change the rate for/),
    deeds: {
      "rates are found, changed, and brought in from a file": async ({
        page,
        keys,
        button,
        dialog,
        field,
        said,
        gone,
        isAt,
      }) => {
        const search = field("Country or start of a number");
        await keys.write(search, "germany");
        await keys.press("Enter");
        await said("Rates for Germany");
        expect(await keys.isAt(search)).toBe(true);
        await keys.peek(button("Change the rate for +49"), "Rate for +49");
        await keys.peek(button("Import CSV"), "Import a price list");
        const chooser = page.waitForEvent("filechooser");
        await keys.enter(button("Import CSV"));
        await keys.to(field("File"));
        await keys.press("Enter");
        const buffer = Buffer.from("prefix,rate\n+4930,0.02\n");
        await (await chooser).setFiles({ name: "prices.csv", mimeType: "text/csv", buffer });
        await keys.enter(button(/^Import 1 rate/));
        await gone(dialog());
        await isAt(button("Import CSV"));
      },
    },
  },
  {
    route: "/operator/providers",
    sign: ({ button }) => button("Connect Anthropic"),
    deeds: {
      "a provider is connected and disconnected": async ({ keys, button, field, said, isSomewhere }) => {
        await keys.peek(button("Connect Anthropic"), "Connect Anthropic");
        await keys.enter(button("Connect Anthropic"));
        await keys.write(field("API key"), "sk-ant-api03-made-up-for-this-test-WXYZ");
        await keys.press("Enter");
        await said("key …WXYZ");
        await keys.peek(button(/^Change the price of/).first(), "charges");
        await keys.peek(button("Disconnect Anthropic"), "Disconnect Anthropic?");
        await keys.enter(button("Disconnect Anthropic"));
        await keys.enter(button("Disconnect"));
        await button("Connect Anthropic").waitFor();
        await isSomewhere();
      },
    },
  },
  {
    route: "/operator/engines",
    sign: ({ button }) => button("Try local"),
    deeds: {
      "an engine is tried": async ({ keys, button, said, isAt }) => {
        await keys.enter(button("Try local"));
        await said("Every part works.");
        await isAt(button("Try local"));
      },
    },
  },
  {
    route: "/operator/gate",
    sign: ({ field }) => field("Only these countries"),
    deeds: {
      "the gate is narrowed and taken back": async ({ keys, field, said }) => {
        const limit = field("Calls to one number per day");
        const before = await limit.inputValue();
        await keys.write(limit, "3");
        await keys.press("Enter");
        await said("Calling rules saved");
        await keys.undo();
        await expect.poll(() => limit.inputValue()).toBe(before);
      },
    },
  },
  {
    route: "/operator/accounts",
    sign: ({ heading }) => heading("All accounts"),
    deeds: {},
  },
  {
    route: "/operator/accounts/$accountId",
    path: ({ customer }) => `/operator/accounts/${customer.accountId}`,
    sign: ({ button }) => button("Update credit"),
    deeds: {
      "credit is given and limits are set": async ({ keys, button, field, said }) => {
        await keys.write(field("Amount in USD"), "5");
        await keys.press("Enter");
        await said("$15.00");
        await keys.write(field("Concurrent calls"), "2");
        await keys.enter(button("Save limits"));
        await said(/^The limits of .* were changed/);
        expect(await keys.isAt(button("Save limits"))).toBe(true);
      },
    },
  },
];
testPages(atKeyboard({ as: "operator", seed }), PAGES);
