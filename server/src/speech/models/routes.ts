import { AppError } from "@parley/contract/errors";
import { listEngines } from "@parley/contract/routes/account";
import * as routes from "@parley/contract/routes/providers";
import type { MemberActor } from "../../platform/http/authenticate.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import {
  changeProvider,
  createProvider,
  type ProviderDeps,
  type ProviderWriter,
  removeProvider,
} from "./change-providers.ts";
import { describeProviders } from "./describe-providers.ts";
import type { EngineRegistry } from "./engine-registry.ts";
import { readProviderRows } from "./provider-store.ts";

export function engineRoutes(deps: { readonly engines: EngineRegistry }): BoundRoute[] {
  return [handle(listEngines, async () => ({ data: deps.engines.list() }))];
}

/** The providers of language models, for operators only. */
export function providerRoutes(deps: ProviderDeps): BoundRoute[] {
  const describe = async () => describeProviders(await readProviderRows(deps.db), deps.environment, deps.secrets);
  const describeOne = async (name: string) => {
    const provider = (await describe()).find((one) => one.name === name);
    if (!provider) throw new AppError("not_found", "There is no such provider.");
    return provider;
  };
  return [
    handle(routes.listProviders, async () => ({ data: await describe() })),
    handle(routes.createProvider, async (request) => {
      await createProvider(deps, request.body, writerOf(request));
      return { data: await describeOne(request.body.name) };
    }),
    handle(routes.changeProvider, async (request) => {
      await changeProvider(deps, request.params.name, request.body, writerOf(request));
      return { data: await describeOne(request.params.name) };
    }),
    handle(routes.removeProvider, async (request) => {
      await removeProvider(deps, request.params.name, writerOf(request));
      return { data: {} };
    }),
  ];
}

function writerOf(request: {
  readonly member: MemberActor;
  readonly ip: string;
  readonly client: string | null;
}): ProviderWriter {
  const { accountId, memberId } = request.member;
  return { accountId, actor: memberId, ip: request.ip, client: request.client };
}
