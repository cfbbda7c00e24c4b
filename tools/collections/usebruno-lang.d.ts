declare module "@usebruno/lang" {
  interface BruRequest {
    readonly meta: { readonly name: string; readonly type: string };
    readonly http: { readonly method: string; readonly url: string; readonly auth: string };
    readonly body?: { readonly json?: string };
  }

  export function bruToJsonV2(text: string): BruRequest;
  export function jsonToBruV2(request: object): string;
  export function jsonToCollectionBru(collection: object): string;
  export function envJsonToBruV2(environment: object): string;
}
