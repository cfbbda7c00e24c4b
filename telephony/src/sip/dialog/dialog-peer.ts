import { isIP } from "node:net";
import type { AgentCore } from "../agent-core.ts";
import type { AuthState } from "../authentication/authenticate.ts";
import type { ReceivedRequest, ReceivedResponse, SipRequest } from "../message/message.ts";
import { type SipUri, unbracketed } from "../message/uri.ts";
import { type RequestResult, sendRequest } from "../send-request.ts";
import type { SipTrunk } from "../sip-trunk.ts";
import { transportOf } from "../transport/resolve-target.ts";
import type { Hop } from "../transport/sip-transport.ts";
import { buildDialogRequest, type Dialog, type DialogRequest, nextHopUri, retarget, takeRequest } from "./dialog.ts";

export interface DialogPeerDeps {
  readonly core: AgentCore;
  readonly trunk: SipTrunk;
  readonly dialog: Dialog;
  /** Where the INVITE went, and the URI that led there. */
  readonly firstHop: Hop;
  readonly firstHopUri: SipUri | null;
  readonly auth: AuthState;
  /** What the Via names instead of the transport's own address. */
  readonly sentBy?: string;
}

/** The other end of one dialog, early or confirmed: what we know of it, and the route to it. */
export class DialogPeer {
  readonly #deps: DialogPeerDeps;
  readonly #resolved = new Map<string, Promise<readonly Hop[]>>();
  #dialog: Dialog;
  #auth: AuthState;

  constructor(deps: DialogPeerDeps) {
    this.#deps = deps;
    this.#dialog = deps.dialog;
    this.#auth = deps.auth;
  }

  get dialog(): Dialog {
    return this.#dialog;
  }

  /** RFC 3261 section 13.2.2.4: the routes and the target of the 2xx replace those of the ringing. */
  confirm(dialog: Dialog): void {
    const { routeSet, remoteTarget } = dialog;
    this.#dialog = { ...this.#dialog, routeSet, remoteTarget };
  }

  retarget(message: ReceivedRequest | ReceivedResponse): void {
    this.#dialog = retarget(this.#dialog, message);
  }

  /** False for a request that is older than one that came before. */
  take(request: ReceivedRequest): boolean {
    const next = takeRequest(this.#dialog, request);
    if (next !== null) this.#dialog = next;
    return next !== null;
  }

  /** Sends a request inside the dialog and reports its end. */
  send(
    wanted: DialogRequest,
    onDone: (result: RequestResult) => void,
    onRepeatedAnswer: (response: ReceivedResponse) => void = () => undefined,
  ): void {
    const { core, trunk, sentBy } = this.#deps;
    this.#withHops((hops) => {
      sendRequest(core, {
        build: () => this.#build(wanted),
        hops,
        credentials: trunk.credentials,
        auth: this.#auth,
        ...(sentBy === undefined ? {} : { sentBy }),
        onRepeatedAnswer,
        onDone: (result, auth) => {
          this.#auth = auth;
          onDone(result);
        },
      });
    });
  }

  /** RFC 3261 section 13.2.2.4: the ACK of a 2xx is a separate request, with a new branch, along the route set. */
  acknowledge(inviteCSeq: number, body?: { readonly sdp: string }): void {
    const content = body === undefined ? {} : { body: Buffer.from(body.sdp) };
    const headers = body === undefined ? [] : [["Content-Type", "application/sdp"] as const];
    const request = this.#build({ method: "ACK", cseqNumber: inviteCSeq, headers, ...content });
    const { core, sentBy } = this.#deps;
    this.#withHops(([hop]) => {
      if (hop !== undefined) core.layer.requestOnce(request, hop, sentBy === undefined ? {} : { sentBy });
    });
  }

  #build(wanted: DialogRequest): SipRequest {
    const [dialog, request] = buildDialogRequest(this.#dialog, wanted);
    this.#dialog = dialog;
    return request;
  }

  /** Requests of one dialog keep their order: those that wait for DNS wait for the same answer. */
  #withHops(use: (hops: readonly Hop[]) => void): void {
    const { core, trunk, firstHop, firstHopUri } = this.#deps;
    const [, probe] = buildDialogRequest(this.#dialog, { method: "BYE" });
    const uri = nextHopUri(probe);
    if (
      uri === null ||
      isNowhere(uri) ||
      trunk.staysOnFirstHop ||
      (firstHopUri !== null && isSamePlace(uri, firstHopUri))
    ) {
      use([firstHop]);
      return;
    }
    const transport = transportOf(uri, trunk.transport);
    if (isIP(unbracketed(uri.host)) !== 0 && uri.port !== null) {
      const serverName = transport === "tls" ? { serverName: firstHop.serverName ?? uri.host } : {};
      use([{ transport, address: unbracketed(uri.host), port: uri.port, ...serverName }]);
      return;
    }
    const key = `${transport} ${uri.host} ${uri.port}`;
    const resolving = this.#resolved.get(key) ?? core.resolve(uri, transport);
    this.#resolved.set(key, resolving);
    resolving.then((hops) => use(hops.length > 0 ? hops : [firstHop])).catch(core.reportError);
  }
}

/** A Contact that cannot be reached. Its request follows the path of the INVITE. */
function isNowhere({ host, port }: SipUri): boolean {
  return port === 0 || host === "0.0.0.0" || host === "[::]";
}

function isSamePlace(a: SipUri, b: SipUri): boolean {
  return a.host === b.host && a.port === b.port && transportOf(a, "udp") === transportOf(b, "udp");
}
