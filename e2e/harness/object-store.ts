import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import type { BucketSettings } from "@parley/server/platform/config/bucket-settings";

/** A third-party store that speaks S3, on this machine. */
export interface ObjectStore {
  readonly settings: BucketSettings;
  readonly env: Readonly<Record<string, string>>;
  /** Goes down and keeps its data. */
  leave(): Promise<void>;
  /** Comes up again at the same address. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const BUCKET = "parley-recordings";
// The only credentials it knows.
const CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

export async function openObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), "parley-s3-"));
  let server: S3rver | null = null;
  async function start(port: number): Promise<number> {
    server = new S3rver({
      address: "127.0.0.1",
      port,
      silent: true,
      directory,
      vhostBuckets: false,
      configureBuckets: [{ name: BUCKET }],
    });
    return (await server.run()).port;
  }
  async function leave(): Promise<void> {
    const leaving = server;
    server = null;
    leaving?.httpServer.closeAllConnections();
    await leaving?.close();
  }
  const port = await start(0);
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    settings: {
      bucket: BUCKET,
      endpoint,
      region: "us-east-1",
      prefix: "calls/",
      credentials: CREDENTIALS,
      isPathStyle: true,
    },
    env: {
      PARLEY_S3_BUCKET: BUCKET,
      PARLEY_S3_ENDPOINT: endpoint,
      PARLEY_S3_PREFIX: "calls/",
      PARLEY_S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      PARLEY_S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    leave,
    async comeBack() {
      await start(port);
    },
    async close() {
      await leave();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
