import { expect, test } from "vitest";
import { refuseCrossSite } from "./read-request.ts";

const base = {
  method: "POST",
  origin: undefined,
  fetchSite: undefined,
  ownOrigins: ["https://parley.example"],
  hasCookie: true,
};

test("an unsafe request with a cookie needs one of our origins", () => {
  expect(() => refuseCrossSite(base)).toThrow("this site");
  expect(() => refuseCrossSite({ ...base, origin: "https://evil.example" })).toThrow("this site");
  expect(() => refuseCrossSite({ ...base, origin: "null" })).toThrow("this site");
  expect(() => refuseCrossSite({ ...base, origin: "https://parley.example" })).not.toThrow();
});

test("a cross-site request according to the browser is refused", () => {
  for (const fetchSite of ["cross-site", "same-site"]) {
    expect(() => refuseCrossSite({ ...base, origin: "https://parley.example", fetchSite })).toThrow("this site");
  }
  expect(() => refuseCrossSite({ ...base, origin: "https://parley.example", fetchSite: "same-origin" })).not.toThrow();
});

test("a sign-in without a cookie works from a program, and not from another site", () => {
  expect(() => refuseCrossSite({ ...base, hasCookie: false })).not.toThrow();
  expect(() => refuseCrossSite({ ...base, hasCookie: false, origin: "https://evil.example" })).toThrow("this site");
});

test("reading is safe", () => {
  expect(() => refuseCrossSite({ ...base, method: "GET", origin: "https://evil.example" })).not.toThrow();
});
