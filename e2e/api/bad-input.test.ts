import { ERROR_CODES } from "@parley/contract/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CuttableProxy, openCuttableProxy } from "../harness/cuttable-proxy.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { describeBodies } from "./bad-input/bodies.ts";
import { describeBrokenHttp } from "./bad-input/broken-http.ts";
import { describeFields } from "./bad-input/fields.ts";
import { describeIdempotency } from "./bad-input/idempotency.ts";
import { describeListsAndPaths } from "./bad-input/lists-and-paths.ts";
import { describeSecondProcess, SECOND_RATE_LIMIT } from "./bad-input/second-process.ts";
import { describeStates } from "./bad-input/states.ts";
import { openRefusalScene, type RefusalScene } from "./refusal-scene.ts";

let scene: RefusalScene;
let proxy: CuttableProxy;
let second: ServiceProcess;

const startSecond = () =>
  scene.world.start({
    DATABASE_URL: proxy.url,
    PARLEY_SIGN_UP: "closed",
    PARLEY_CHARGE_SIMULATED_CALLS: "on",
    PARLEY_RATE_LIMIT: String(SECOND_RATE_LIMIT),
  });

beforeAll(async () => {
  scene = await openRefusalScene();
  proxy = await openCuttableProxy(scene.world.databaseUrl);
});
afterAll(async () => {
  await scene?.world.close();
  await proxy?.close();
});

describeBodies(() => scene);
describeFields(() => scene);
describeListsAndPaths(() => scene);
describeBrokenHttp(() => scene);
describeStates(() => scene);
describeIdempotency(
  () => scene,
  async () => {
    second = await startSecond();
    return second;
  },
);
describeSecondProcess(
  () => scene,
  () => second.url,
  () => proxy,
);

test("every code of the contract was met, except the one that would be a bug and the one that takes half a minute", () => {
  expect(ERROR_CODES.filter((code) => !scene.check.seen.has(code))).toEqual(["request_timeout", "internal"]);
});
