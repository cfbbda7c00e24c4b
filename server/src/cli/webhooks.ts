import { Mode } from "@parley/contract/shared-fields";
import { systemClock } from "@parley/time/clock";
import { followEvents } from "../webhooks/follow-events.ts";
import { findAccount } from "./account-lookup.ts";
import { type Command, readField } from "./command.ts";

export const webhooksListen: Command = {
  name: "webhooks listen",
  summary: "Print the events of an account as they happen, until Ctrl-C",
  words: ["ACCOUNT"],
  options: { mode: { value: "MODE", help: "test or live; left out: test" } },
  async run(input, context) {
    const mode = readField(Mode, "--mode", input.option("mode") ?? "test");
    const { db, listener } = await context.openService();
    const { id: accountId, name } = await findAccount(db, input.word("ACCOUNT"));
    const end = new AbortController();
    let count = 0;
    context.report(`Listening to ${name} (${mode}). Ctrl-C ends it.`);
    const following = followEvents(
      { db, clock: systemClock, onChange: (notify) => listener.on("parley_calls", notify) },
      { accountId, mode },
      end.signal,
      (event) => {
        count += 1;
        context.print(harmless(event.body));
      },
    );
    context.onClose(async () => {
      end.abort();
      await following.catch(() => undefined);
    });
    await following;
    return { json: { count }, text: `${count} events` };
  },
};

/** The same JSON, without characters that steer a terminal or turn the direction of writing: they are written as escapes. */
function harmless(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
