import { AppError } from "@parley/contract/errors";
import { listEngines } from "@parley/contract/routes/account";
import * as doctor from "@parley/contract/routes/doctor";
import * as routes from "@parley/contract/routes/providers";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Database } from "../../platform/database/database.ts";
import type { MemberActor } from "../../platform/http/authenticate.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import type { WorkLimiter } from "../../platform/http/limits/work-limiter.ts";
import type { EngineSources } from "../engines/engine-catalog.ts";
import {
  changeProvider,
  createProvider,
  type ProviderDeps,
  type ProviderWriter,
  removeProvider,
} from "./change-providers.ts";
import { describeProviders } from "./describe-providers.ts";
import type { EngineRegistry } from "./engine-registry.ts";
import { examineEngine } from "./examine-engine.ts";
import { readProviderRows } from "./provider-store.ts";

export function engineRoutes(deps: { readonly engines: EngineRegistry }): BoundRoute[] {
  return [handle(listEngines, async () => ({ data: deps.engines.list() }))];
}

export interface ExaminationDeps {
  readonly db: Database;
  readonly sources: EngineSources;
  readonly limiter: WorkLimiter;
}

/** Trying engines, for operators only. */
export function examinationRoutes({ db, sources, limiter }: ExaminationDeps): BoundRoute[] {
  return [
    handle(doctor.examineEngine, async (request) => {
      const { name } = request.params;
      const end = limiter.begin("installation");
      try {
        const note = { ...writerOf(request), action: "engine.examined", target: name } as const;
        const onBegin = () => recordAudit(db, note);
        return { data: await examineEngine(sources, name, { signal: request.closing, onBegin }) };
      } finally {
        end();
      }
    }),
  ];
}

export interface ProviderRouteDeps extends ProviderDeps {
  /** Reads the stored providers again, so that a list of engines after a change shows it. */
  reload(): Promise<void>;
}

/** The providers of language models and speech, for operators only. */
export function providerRoutes(deps: ProviderRouteDeps): BoundRoute[] {
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
      await deps.reload();
      return { data: await describeOne(request.body.name) };
    }),
    handle(routes.changeProvider, async (request) => {
      await changeProvider(deps, request.params.name, request.body, writerOf(request));
      await deps.reload();
      return { data: await describeOne(request.params.name) };
    }),
    handle(routes.removeProvider, async (request) => {
      await removeProvider(deps, request.params.name, writerOf(request));
      await deps.reload();
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
