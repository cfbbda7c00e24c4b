import { ScenarioRun } from "@parley/contract/scenarios";
import { ask, until } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, startService } from "../harness/service-process.ts";

const RUN_MS_MAX = 30 * 60_000;

/**
 * Runs all scenarios of the sample agents with audio, and reports what went wrong. The one that needs a language model
 * is left out: a fresh installation has none.
 */
export async function runAllScenarios(say: (line: string) => void): Promise<readonly string[]> {
  const folder = await makeDataFolder();
  const service = await startService({ dataDir: folder.path, env: { PARLEY_CONVERSATION_THREADS: "1" } });
  const failures: string[] = [];
  try {
    const { key } = await readFirstRun(service);
    const { body } = await ask(service.url, "/api/v1/agents", { key });
    for (const { id, name } of body.data as { id: string; name: string }[]) {
      const begun = await ask(service.url, `/api/v1/agents/${id}/scenarios/run`, { key, body: { on: "audio" } });
      if (begun.body.error?.code === "engine_unavailable") {
        say(`${name}: left out, it needs a language model`);
        continue;
      }
      const { id: runId } = ScenarioRun.parse(begun.body.data);
      const look = async () =>
        ScenarioRun.parse((await ask(service.url, `/api/v1/scenario-runs/${runId}`, { key })).body.data);
      const { results, passed } = await until(look, ({ status }) => status === "done", RUN_MS_MAX);
      say(`${name}: ${passed} of ${results.length} scenarios passed by sound`);
      for (const { name: scenario, failure } of results) {
        if (failure !== null) failures.push(`${name}, ${scenario}: ${failure.message}`);
      }
    }
    return failures;
  } finally {
    await service.end("SIGINT");
    await folder.remove();
  }
}
