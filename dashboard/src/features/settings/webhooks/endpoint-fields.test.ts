import { expect, test } from "vitest";
import { headerMistake, readEndpointForm, startEndpointForm } from "./endpoint-fields.tsx";

test("a new endpoint wants everything unless somebody chooses, and sends no headers unless somebody writes some", () => {
  const form = { ...startEndpointForm(null), url: " https://app.example/events " };
  expect(readEndpointForm(form)).toEqual({ url: "https://app.example/events", description: "", eventTypes: null });
  expect(readEndpointForm({ ...form, wants: "some" }).eventTypes).toEqual(["call.completed", "call.failed"]);
});

test("headers are read a line each, with what is in them kept as it is", () => {
  const headers = "Authorization: Bearer a:b=c\n\n  X-Team :  🙏  \n";
  expect(headerMistake(headers)).toBeNull();
  expect(readEndpointForm({ ...startEndpointForm(null), headers }).headers).toEqual({
    Authorization: "Bearer a:b=c",
    "X-Team": "🙏",
  });
});

test("a line that is no header is named", () => {
  expect(headerMistake("X-Team: a\nno colon here")).toContain("no colon here");
  expect(headerMistake(": value")).toContain(": value");
});

test("headers of an endpoint are left alone, replaced, or taken away", () => {
  const form = startEndpointForm(null);
  expect(readEndpointForm(form)).not.toHaveProperty("headers");
  expect(readEndpointForm({ ...form, dropsHeaders: true, headers: "X: 1" }).headers).toEqual({});
});
