import type { ScenarioResult } from "@parley/sdk";
import { plain } from "./output.ts";

export function describeRun(results: readonly ScenarioResult[]): string {
  const lines = results.flatMap(({ name, status, failure }) => [
    `  ${status === "passed" ? "ok    " : "FAILED"} ${plain(name)}`,
    ...(failure ? [`         ${plain(failure.message)}`] : []),
  ]);
  const passed = results.filter(({ status }) => status === "passed").length;
  return [...lines, `  ${passed} of ${results.length} passed`].join("\n");
}

/** A report in the form of JUnit, which every CI system reads. */
export function junitOf(suite: string, results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ status }) => status !== "passed").length;
  const cases = results.map(({ name, failure, status, lines }) => {
    const said = lines.map(({ role, text }) => `${role}: ${text}`).join("\n");
    const fault =
      status === "passed" ? "" : `<failure message="${escapeXml(failure?.message ?? "It did not end.")}"></failure>`;
    return `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}">${fault}<system-out>${escapeXml(said)}</system-out></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${results.length}" failures="${failed}">`,
    `  <testsuite name="${escapeXml(suite)}" tests="${results.length}" failures="${failed}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** XML 1.0 section 2.2: other control characters may not occur at all. */
function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is removed.
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}
