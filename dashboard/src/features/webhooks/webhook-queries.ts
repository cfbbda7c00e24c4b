import * as routes from "@parley/contract/routes/webhooks";
import type { Mode } from "@parley/contract/shared-fields";
import { queryOptions } from "@tanstack/react-query";
import { pagesOf } from "../../api/pages-of.ts";
import { send } from "../../api/send.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";

/** Under these names the page remembers endpoints, and under the second all that is about one. */
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

/** What is on its way is looked at again, as long as there is one page of it. */
const LOOK_AGAIN_MS = 4000;

export const deliveriesQuery = (mode: Mode, id: string, filter: DeliveryFilter) => ({
  ...pagesOf([...webhookKeys.one(id), mode, "deliveries", filter], routes.listDeliveries, {
    params: { id },
    mode,
    query: { ...filter },
  }),
  refetchInterval: (query: DeliveriesSeen) => (hasAnyUnderWay(query) ? LOOK_AGAIN_MS : false) as number | false,
});

interface DeliveriesSeen {
  readonly state: {
    readonly data?:
      | { readonly pages: readonly { readonly rows: readonly { readonly status: string }[] }[] }
      | undefined;
  };
}

function hasAnyUnderWay({ state: { data } }: DeliveriesSeen): boolean {
  return data?.pages.length === 1 && data.pages[0]?.rows.some(({ status }) => status === "pending") === true;
}

export const deliveryQuery = (mode: Mode, webhookId: string, id: string) =>
  queryOptions({
    queryKey: [...webhookKeys.one(webhookId), mode, "delivery", id],
    queryFn: ({ signal }) => send(routes.getDelivery, { params: { id }, mode, signal }),
  });
