import { timingSafeEqual } from "node:crypto";
import { AppError } from "@parley/contract/errors";
import type { FastifyInstance } from "fastify";
import { NotReady } from "../../telemetry/readiness.ts";

export interface HealthDeps {
  /** Throws while the service cannot serve. */
  checkReady(): Promise<void>;
  /** What an operator is to look at although the service works, or null. */
  notice(): string | null;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  readonly operatorToken: string | null;
}

/** Liveness, readiness and metrics. They are outside the API and its limits. */
export function addHealthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  app.get("/healthz", { exposeHeadRoute: true }, async () => ({ success: true, data: { status: "alive" } }));

  app.get("/readyz", { exposeHeadRoute: true }, async () => {
    try {
      await deps.checkReady();
    } catch (error) {
      throw new AppError("unavailable", `The service is not ready: ${explainNotReady(error)}.`, {
        retryAfterSeconds: 1,
        cause: error,
      });
    }
    const notice = deps.notice();
    return { success: true, data: { status: "ready", ...(notice === null ? {} : { notice }) } };
  });

  app.get("/metrics", async (request, reply) => {
    if (!isOperator(request.headers.authorization, deps.operatorToken)) {
      throw new AppError("missing_api_key", "Metrics need `Authorization: Bearer` with PARLEY_OPERATOR_TOKEN.");
    }
    return reply.type(deps.metrics.contentType).send(await deps.metrics.text());
  });
}

/** Whatever else goes wrong with a check is an unreachable database. */
export function explainNotReady(error: unknown): string {
  return error instanceof NotReady ? error.message : "the database cannot be reached";
}

export function isOperator(authorization: string | undefined, token: string | null): boolean {
  if (!token || !authorization) return false;
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
