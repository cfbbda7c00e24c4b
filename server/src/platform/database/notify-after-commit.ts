import type { Database, Tx } from "./database.ts";

/** Distinct notifications, in the order in which they were first asked for. */
type Notifications = Map<string, { readonly channel: string; readonly payload: string }>;

/** Sends notifications that are due, as one statement outside any transaction. */
type SendNotifications = (notifications: readonly { channel: string; payload: string }[]) => Promise<void>;

const ofTransactions = new WeakMap<Tx, Notifications>();

/**
 * Notifies listeners of all processes once the transaction is committed, and never if it is not. PostgreSQL commits
 * transactions that notify one after the other, each waiting for the disk, across the whole installation; so none of
 * ours does. A process that dies in between notifies nobody: every listener polls as well.
 */
export function notifyAfterCommit(tx: Tx, channel: string, payload = ""): void {
  const notifications = ofTransactions.get(tx) ?? new Map();
  ofTransactions.set(tx, notifications);
  notifications.set(`${channel} ${payload}`, { channel, payload });
}

/** Hands over what a transaction asked for. Called once, after its commit. */
export function takeNotifications(tx: Tx): Notifications | undefined {
  const notifications = ofTransactions.get(tx);
  ofTransactions.delete(tx);
  return notifications;
}

interface Outgoing {
  waiting: Notifications;
  isSending: boolean;
}

const outgoing = new WeakMap<Database, Outgoing>();

/**
 * Sends notifications without keeping anyone waiting. One statement at a time per pool: what is asked for meanwhile is
 * sent together, and the same notification only once.
 */
export function sendSoon(db: Database, notifications: Notifications, send: SendNotifications): void {
  const state = outgoing.get(db) ?? { waiting: new Map(), isSending: false };
  outgoing.set(db, state);
  for (const [key, notification] of notifications) state.waiting.set(key, notification);
  if (state.isSending) return;
  state.isSending = true;
  void sendAll(state, send);
}

async function sendAll(state: Outgoing, send: SendNotifications): Promise<void> {
  while (state.waiting.size > 0) {
    const due = [...state.waiting.values()];
    state.waiting = new Map();
    // Lost, like the connection itself, whose failure is reported by those who wait for its replies. Listeners poll.
    await send(due).catch(() => undefined);
  }
  state.isSending = false;
}
