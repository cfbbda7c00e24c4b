import { listEngineRates, listRouteRates } from "@parley/contract/routes/operator";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { pagesOf } from "../../api/pages-of.ts";
import { send } from "../../api/send.ts";
import type { RateSearch } from "./rate-search.ts";

export const rateKeys = { routes: ["route-rates"] as const, engines: ["engine-rates"] as const };

export const ratesQuery = (query: RateSearch["query"]) => ({
  ...pagesOf([...rateKeys.routes, query], listRouteRates, { query }),
  placeholderData: keepPreviousData,
});

export const engineRatesQuery = queryOptions({
  queryKey: rateKeys.engines,
  queryFn: ({ signal }) => send(listEngineRates, { signal }),
});
