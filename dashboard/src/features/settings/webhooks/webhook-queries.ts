import * as routes from "@parley/contract/routes/webhooks";
import type { Mode } from "@parley/contract/shared-fields";
import { queryOptions } from "@tanstack/react-query";
import { pagesOf, send } from "../../../api/send.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";

/** Query keys of the endpoints; the second is the prefix of everything about one. */
export const webhookKeys = {
  lists: ["webhooks"] as const,
  one: (webhookId: string) => ["webhook", webhookId] as const,
};

export const webhooksQuery = (mode: Mode) => pagesOf([...webhookKeys.lists, mode], routes.listWebhooks, { mode });

export const webhookQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...webhookKeys.one(id), mode, "record"],
    queryFn: ({ signal }) => send(routes.getWebhook, { params: { id }, mode, signal }),
  });

/** Polls the list, faster while deliveries are pending. A list of several pages is not polled. */
const LOOK_AGAIN_MS = 10_000;
const LOOK_SOON_MS = 2000;

export const deliveriesQuery = (mode: Mode, id: string, filter: DeliveryFilter) => ({
  ...pagesOf([...webhookKeys.one(id), mode, "deliveries", filter], routes.listDeliveries, {
    params: { id },
    mode,
    query: { ...filter },
  }),
  refetchInterval: (query: DeliveriesSeen) => lookAgainAfter(query),
});

interface DeliveriesSeen {
  readonly state: {
    readonly data?:
      | { readonly pages: readonly { readonly rows: readonly { readonly status: string }[] }[] }
      | undefined;
  };
}

function lookAgainAfter({ state: { data } }: DeliveriesSeen): number | false {
  if (data?.pages.length !== 1) return false;
  return data.pages[0]?.rows.some(({ status }) => status === "pending") ? LOOK_SOON_MS : LOOK_AGAIN_MS;
}

export const deliveryQuery = (mode: Mode, webhookId: string, id: string) =>
  queryOptions({
    queryKey: [...webhookKeys.one(webhookId), mode, "delivery", id],
    queryFn: ({ signal }) => send(routes.getDelivery, { params: { id }, mode, signal }),
  });
