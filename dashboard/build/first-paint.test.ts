import { expect, test } from "vitest";
import { toPicture } from "./first-paint.ts";

const FORM =
  '<form class="a b" style="color:red"><label for="x" class="c">E-mail</label><input id="x" name="email" class="d e"/>' +
  '<select class="f"><option>One</option></select><button type="submit" aria-checked="true" class="g"><svg viewBox="0 0 2 2"><line x1="1" y2="2"></line></svg>Go</button>' +
  '<a href="/reset" class="h">Forgot?</a></form>';

test("what is shown before the app looks like it, and takes no input that the app would lose", () => {
  expect(toPicture(FORM)).toBe(
    '<div aria-hidden="true" inert><div class="a b"><span class="c">E-mail</span><div class="d e"></div>' +
      '<div class="f"></div><span aria-checked="true" class="g"><svg viewBox="0 0 2 2"><line x1="1" y2="2"></line></svg>Go</span>' +
      '<a class="h">Forgot?</a></div></div>',
  );
});
