import type { MessagePort } from "node:worker_threads";
import type { DialPermission, MayDial } from "@parley/voice/ports/line";
import { watchLoopDelay } from "../../platform/telemetry/loop-delay.ts";
import type { ConversationCommand, ConversationMessage } from "./conversation-messages.ts";
import { type ConversationMakers, HeldConversation } from "./held-conversation.ts";

export interface ServedConversations {
  /** Reports a fault that belongs to no conversation, or to one that is over. */
  report(callId: string | null, what: string, reason: string): void;
}

/**
 * Holds conversations in this thread, as requested by the owner at the other end of the port. `stop` resolves when
 * everything that the makers hold was released; then the port is closed, and the thread can end.
 */
export function serveConversations(
  port: Pick<MessagePort, "on" | "postMessage" | "close">,
  makers: ConversationMakers,
  release: () => Promise<void>,
): ServedConversations {
  const conversations = new Map<number, HeldConversation>();
  const questions = new Map<number, (permission: DialPermission) => void>();
  let nextQuestionId = 1;
  const say = (notice: ConversationMessage) => port.postMessage(notice);
  const delay = watchLoopDelay();

  function prepare({ conversationId, plan, media, floor }: Extract<ConversationCommand, { type: "prepare" }>): void {
    const mayDial: MayDial = (to) =>
      new Promise((resolve) => {
        const questionId = nextQuestionId++;
        questions.set(questionId, resolve);
        say({ type: "may_dial", conversationId, questionId, to });
      });
    const held = new HeldConversation(media, floor, (event) => say({ conversationId, ...event }));
    conversations.set(conversationId, held);
    void held.hold(makers, plan, mayDial).then(() => conversations.delete(conversationId));
  }

  async function stop(): Promise<void> {
    await Promise.all([makers.engine.close(), makers.speechCalls?.close()]);
    await release();
    delay.close();
    port.close();
  }

  port.on("message", (command: ConversationCommand) => {
    switch (command.type) {
      case "prepare":
        return prepare(command);
      case "tell":
        return conversations.get(command.conversationId)?.tell(command.event);
      case "round_trip":
        return conversations.get(command.conversationId)?.setRoundTripMs(command.roundTripMs);
      case "end_politely":
        return conversations.get(command.conversationId)?.endPolitely();
      case "dial_permission":
        questions.get(command.questionId)?.(command.permission);
        questions.delete(command.questionId);
        return;
      case "ping":
        return say({ type: "pong", lateMs: delay.takeLateMs() });
      case "stop":
        void stop();
    }
  });
  say({ type: "ready" });
  return { report: (callId, what, reason) => say({ type: "fault", callId, what, reason }) };
}
