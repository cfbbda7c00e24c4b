import { EventEmitter } from "node:events";
import pg from "pg";
import { expect, test } from "vitest";
import { createPgDriver } from "./pg-driver.ts";

/** A connection whose server dies in the same packet that says that it is ready. */
class DyingClient extends EventEmitter {
  _queryable = true;

  connect(done: (error: Error | null) => void): void {
    done(null);
    this._queryable = false;
    this.emit("error", new Error("terminating connection due to unexpected postmaster exit"));
  }

  end(done: () => void): void {
    done();
  }
}

test("a connection lost right after it opened does not end the process, and is not reused", async () => {
  const pool = new pg.Pool({ Client: DyingClient as unknown as typeof pg.Client });
  const driver = createPgDriver(pool);
  await driver.init();
  const connection = await driver.acquireConnection();
  await driver.releaseConnection(connection);
  expect([pool.totalCount, pool.idleCount]).toEqual([0, 0]);
  await driver.destroy();
});
