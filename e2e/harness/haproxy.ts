import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./api-client.ts";
import { freePort } from "./free-port.ts";

export interface LoadBalancer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts Debian's HAProxy in front of processes that serve the API, as docs/operations/running.md configures it. */
export async function startHaproxy(folder: string, ports: readonly number[]): Promise<LoadBalancer> {
  const port = await freePort();
  const file = join(folder, "haproxy.cfg");
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout check 10s
  timeout client 1h
  timeout server 1h
  option redispatch
  retries 3
frontend parley
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance roundrobin
  option httpchk GET /readyz
${ports.map((each, index) => `  server api${index} 127.0.0.1:${each} check inter 200ms fall 1 rise 1`).join("\n")}
`,
  );
  const child = spawn("/usr/sbin/haproxy", ["-db", "-f", file], { stdio: "ignore", cwd: folder });
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
    30_000,
  );
  return {
    url,
    async close() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
