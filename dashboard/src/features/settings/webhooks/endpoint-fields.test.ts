import { expect, test } from "vitest";
import { headerMistake, readEndpointForm, startEndpointForm } from "./endpoint-fields.tsx";

test("a new endpoint gets all events and sends no headers by default", () => {
  const form = { ...startEndpointForm(null), url: " https://app.example/events " };
  expect(readEndpointForm(form)).toEqual({ url: "https://app.example/events", description: "", eventTypes: null });
  expect(readEndpointForm({ ...form, wants: "some" }).eventTypes).toEqual(["call.completed", "call.failed"]);
});

test("headers are parsed one per line, with their values unchanged", () => {
  const headers = "Authorization: Bearer a:b=c\n\n  X-Team :  🙏  \n";
  expect(headerMistake(headers)).toBeNull();
  expect(readEndpointForm({ ...startEndpointForm(null), headers }).headers).toEqual({
    Authorization: "Bearer a:b=c",
    "X-Team": "🙏",
  });
});

test("a line that is not a header is reported", () => {
  expect(headerMistake("X-Team: a\nno colon here")).toContain("no colon here");
  expect(headerMistake(": value")).toContain(": value");
});

test("headers of an endpoint are kept, replaced, or removed", () => {
  const form = startEndpointForm(null);
  expect(readEndpointForm(form)).not.toHaveProperty("headers");
  expect(readEndpointForm({ ...form, dropsHeaders: true, headers: "X: 1" }).headers).toEqual({});
});
