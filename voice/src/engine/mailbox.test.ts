import { expect, test } from "vitest";
import { Mailbox } from "./mailbox.ts";

test("events are handled one at a time and in order, including those posted meanwhile", () => {
  const read: string[] = [];
  const box: Mailbox<string> = new Mailbox({
    capacity: 10,
    read(letter) {
      read.push(`${letter} begins`);
      if (letter === "a") {
        box.post("c");
        box.post("d");
      }
      read.push(`${letter} ends`);
    },
    onOverflow: () => expect.fail("there was room"),
  });
  box.post("a");
  box.post("b");
  expect(read).toEqual(["a", "c", "d", "b"].flatMap((letter) => [`${letter} begins`, `${letter} ends`]));
});

test("a full mailbox reports it once and accepts nothing more", () => {
  let overflows = 0;
  let reads = 0;
  const box: Mailbox<number> = new Mailbox({
    capacity: 3,
    read() {
      reads += 1;
      for (let letter = 0; letter < 10; letter++) box.post(letter);
    },
    onOverflow: () => {
      overflows += 1;
    },
  });
  box.post(0);
  expect({ overflows, reads }).toEqual({ overflows: 1, reads: 1 });
  expect(box.post(1)).toBe(false);
});

test("a closed mailbox handles nothing more, not even what is queued", () => {
  const read: number[] = [];
  const box: Mailbox<number> = new Mailbox({
    capacity: 3,
    read(letter) {
      read.push(letter);
      box.post(2);
      box.close();
    },
    onOverflow: () => expect.fail("there was room"),
  });
  box.post(1);
  expect(read).toEqual([1]);
});
