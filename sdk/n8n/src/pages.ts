import type { IAllExecuteFunctions, IDataObject } from "n8n-workflow";
import { type ParleyRequest, requestJson } from "./request.ts";

const PAGE_MAX = 100;

/** Reads a list page by page, up to a limit. */
export async function listAll(
  context: IAllExecuteFunctions,
  request: ParleyRequest,
  limit: number,
): Promise<IDataObject[]> {
  const all: IDataObject[] = [];
  let cursor: string | null = null;
  do {
    const page: IDataObject = { ...request.query, limit: Math.min(PAGE_MAX, limit - all.length) };
    const reply: { data: IDataObject[]; nextCursor: string | null } = await requestJson(context, {
      ...request,
      query: cursor === null ? page : { ...page, cursor },
    });
    all.push(...reply.data);
    cursor = reply.nextCursor;
  } while (cursor !== null && all.length < limit);
  return all;
}
