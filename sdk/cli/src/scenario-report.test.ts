import type { ScenarioResult } from "@parley/sdk";
import { expect, it } from "vitest";
import { junitOf } from "./scenario-report.ts";

const result = (more: object) =>
  ({ name: 'Says "no" & <leaves>', status: "passed", failure: null, lines: [], ...more }) as unknown as ScenarioResult;

it("reports to CI in XML that is well-formed whatever callees say", () => {
  const lines = [{ role: "callee", text: "]]> </system-out>\u0000\u001b[31m" }];
  const report = junitOf("agt_1", [result({}), result({ status: "failed", failure: { message: "a < b" }, lines })]);
  expect(report).toContain('<testsuites tests="2" failures="1">');
  expect(report).toContain('name="Says &quot;no&quot; &amp; &lt;leaves&gt;"');
  expect(report).toContain(
    '<failure message="a &lt; b"></failure><system-out>callee: ]]&gt; &lt;/system-out&gt;[31m</system-out>',
  );
});
