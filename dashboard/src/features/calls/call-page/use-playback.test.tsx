import { expect, test } from "vitest";
import { actionOf } from "./use-playback.ts";

const press = (key: string, html = "<main></main>", changes: object = {}) => {
  document.body.innerHTML = html;
  const target = document.body.querySelector("[data-at]") ?? document.body.firstElementChild;
  return actionOf({
    ...{ key, target, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, defaultPrevented: false },
    ...changes,
  });
};

test("space plays and pauses, and arrows skip, on the page and on the waveform", () => {
  expect(press(" ")).toBe("toggle");
  expect(press("ArrowRight")).toBe(5000);
  expect(press("ArrowLeft")).toBe(-5000);
  expect(press(" ", '<input type="range" />')).toBe("toggle");
});

test.each([
  ["a field", " ", "<textarea></textarea>"],
  ["a button", " ", "<button></button>"],
  ["a line of the transcript", " ", '<button><span data-at="">Hello</span></button>'],
  ["a dialog", " ", '<div role="dialog"><p data-at="">x</p></div>'],
  ["tabs", "ArrowRight", '<div role="tablist"><button role="tab" data-at="">x</button></div>'],
  ["the slider itself", "ArrowRight", '<input type="range" />'],
])("keys belong to %s while it has the focus", (_, key, html) => {
  expect(press(key, html)).toBeNull();
});

test("shortcuts of the browser are left alone", () => {
  expect(press("ArrowLeft", "<main></main>", { altKey: true })).toBeNull();
  expect(press(" ", "<main></main>", { defaultPrevented: true })).toBeNull();
});
