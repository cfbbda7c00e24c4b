import { expect, test } from "vitest";
import { cookieNameFor, signInCookie, signOutCookie } from "./sessions.ts";

test("over https the cookie is bound to the host and never leaves over plain http", () => {
  expect(cookieNameFor("https://parley.example")).toBe("__Host-parley");
  expect(signInCookie("https://parley.example", "st_x")).toBe(
    "__Host-parley=st_x; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure",
  );
});

test("on a laptop without https the cookie still cannot be read by scripts or sent by other sites", () => {
  expect(cookieNameFor("http://127.0.0.1:3000")).toBe("parley");
  expect(signInCookie("http://127.0.0.1:3000", "st_x")).toBe(
    "parley=st_x; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax",
  );
});

test("signing out empties the cookie under the same name and path", () => {
  expect(signOutCookie("https://parley.example")).toBe(
    "__Host-parley=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
  );
});
