import { z } from "zod";
import { NewProvider, Provider, ProviderChanges, ProviderName } from "../providers.ts";
import { Done, defineRoute } from "../route.ts";

const access = { by: "member", role: "operator" } as const;
const tag = "Operator";
const params = z.strictObject({ name: ProviderName });

export const listProviders = defineRoute({
  id: "listProviders",
  method: "GET",
  path: "/api/v1/operator/providers",
  tag,
  summary: "List the vendors of language models and speech and their use; keys are never shown",
  access,
  data: z.array(Provider),
});

export const createProvider = defineRoute({
  id: "createProvider",
  method: "POST",
  path: "/api/v1/operator/providers",
  tag,
  summary: "Set the key of a provider; every process uses it immediately",
  access,
  body: NewProvider,
  data: Provider,
  errors: ["invalid_state"],
});

export const changeProvider = defineRoute({
  id: "changeProvider",
  method: "PATCH",
  path: "/api/v1/operator/providers/{name}",
  tag,
  summary: "Replace a key, or change the model or its use",
  access,
  params,
  body: ProviderChanges,
  data: Provider,
  errors: ["not_found", "invalid_state"],
});

export const removeProvider = defineRoute({
  id: "removeProvider",
  method: "DELETE",
  path: "/api/v1/operator/providers/{name}",
  tag,
  summary: "Remove the settings of a provider",
  access,
  params,
  data: Done,
  errors: ["not_found"],
});
