import { expect, test } from "vitest";
import { holdLife, LIVES } from "./testing/conversation-lives.ts";

// thousand-conversations.long.test.ts runs a hundred of each, and checks the heap too.
test.each(LIVES.keys().toArray())(
  "a conversation of life %i leaves no timer, no watch and no stream behind",
  async (life) => {
    const { leftovers } = await holdLife(life);
    expect(leftovers).toEqual({ timers: 0, watches: 0, streams: 0 });
  },
);
