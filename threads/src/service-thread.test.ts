import { expect, onTestFinished, test } from "vitest";
import { connectPort } from "./port-requests.ts";
import { type ServiceThreadOptions, startServiceThread } from "./service-thread.ts";
import type { EchoAnswers, EchoRequest } from "./testing/echo-service.ts";

class RequestError extends Error {
  readonly retryable: boolean;

  constructor(reason: string, retryable: boolean) {
    super(reason);
    this.retryable = retryable;
  }
}

function startEcho(options: Partial<ServiceThreadOptions> = {}) {
  const program = new URL("./testing/echo-service.ts", import.meta.url);
  const thread = startServiceThread<string, EchoAnswers>(program, { name: "echo", ...options });
  onTestFinished(() => thread.stop());
  const connect = () =>
    connectPort<EchoRequest, unknown, string>(
      thread.connect(),
      (reason, retryable) => new RequestError(reason, retryable),
    );
  return { thread, connect };
}

test("a service answers each client over its own port and reports when it is ready", async () => {
  const { thread, connect } = startEcho();
  expect(await thread.ready).toBe("loaded");
  const [one, other] = [connect(), connect()];
  const replies = await Promise.all([
    one.request({ type: "echo", value: 1 }),
    other.request({ type: "echo", value: 2 }),
    one.request({ type: "echo", value: 3 }),
  ]);
  expect(replies).toEqual([1, 2, 3]);
  expect(await thread.ask("clients")).toBe(2);
});

test("a message without a reply arrives before a later request", async () => {
  const { thread, connect } = startEcho();
  const client = connect();
  client.notify("soon");
  await client.request({ type: "echo", value: 1 });
  expect(await thread.ask("notices")).toEqual(["soon"]);
});

test("a failure says whether it is retryable", async () => {
  const client = startEcho().connect();
  await expect(client.request({ type: "fail", reason: "busy" })).rejects.toMatchObject({
    message: "busy",
    retryable: true,
  });
  await expect(client.request({ type: "fail", reason: "bad" })).rejects.toMatchObject({
    message: "bad",
    retryable: false,
  });
});

test("an aborted request fails immediately and is cancelled in the thread", async () => {
  const { thread, connect } = startEcho();
  const client = connect();
  const controller = new AbortController();
  const waiting = client.request({ type: "wait" }, controller.signal);
  controller.abort(new Error("the callee hung up"));
  await expect(waiting).rejects.toThrow("the callee hung up");
  await expect(client.request({ type: "echo", value: 1 }, controller.signal)).rejects.toThrow("the callee hung up");
  await client.request({ type: "echo", value: 1 });
  expect(await thread.ask("cancelled")).toBe(1);
});

test("a client that closes its port is forgotten, and its requests are cancelled", async () => {
  const { thread, connect } = startEcho();
  const client = connect();
  const waiting = client.request({ type: "wait" });
  const failed = expect(waiting).rejects.toMatchObject({ retryable: false });
  await connect().request({ type: "echo", value: 1 });
  client.close();
  await failed;
  await expect.poll(() => thread.ask("cancelled")).toBe(1);
  await expect.poll(() => thread.ask("clients")).toBe(1);
  await expect(client.request({ type: "echo", value: 1 })).rejects.toMatchObject({ retryable: false });
});

test("stopping the service fails pending requests", async () => {
  const { thread, connect } = startEcho();
  const client = connect();
  const waiting = client.request({ type: "wait" });
  const failed = expect(waiting).rejects.toMatchObject({ retryable: false });
  await thread.stop();
  await failed;
  await expect(thread.ask("clients")).rejects.toThrow("the thread echo ended");
});

test("a service that cannot start says why", async () => {
  const { thread } = startEcho({ workerData: "broken" });
  await expect(thread.ready).rejects.toThrow("the weights are missing");
});

test("a thread that dies is reported, and clients get an error", async () => {
  const failures: string[] = [];
  const { connect } = startEcho({ onFailure: (reason) => failures.push(reason) });
  await expect(connect().request({ type: "die" })).rejects.toMatchObject({ retryable: false });
  await expect.poll(() => failures).toEqual(["it broke"]);
});

test("a problem is reported, and the service continues", async () => {
  const problems: string[] = [];
  const { connect } = startEcho({ onProblem: (reason) => problems.push(reason) });
  const client = connect();
  await client.request({ type: "report", problem: "the disk is full" });
  expect(await client.request({ type: "echo", value: 1 })).toBe(1);
  await expect.poll(() => problems).toEqual(["the disk is full"]);
});

test("the owner is notified of the end of a thread and its exit code", async () => {
  const { thread, connect } = startEcho();
  await expect(connect().request({ type: "exit", code: 3 })).rejects.toMatchObject({ retryable: false });
  expect(await thread.ended).toBe(3);
});

test("an abandoned thread ends when it can", async () => {
  const { thread } = startEcho();
  await thread.ready;
  thread.abandon();
  expect(await thread.ended).toBe(0);
});
