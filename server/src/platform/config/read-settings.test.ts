import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readSettings, SettingsError } from "./read-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("settings", () => {
  test("have working defaults", () => {
    const settings = readSettings({ PARLEY_DATA_DIR: "data" }, folder);
    expect(settings).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      roles: ["api", "calls", "jobs"],
      signUp: "open",
      databaseUrl: null,
    });
    expect(settings.dataDir).toBe(join(folder, "data"));
  });

  test("name origins exactly as browsers do, and nothing wider", () => {
    const read = (origins: string) =>
      readSettings({ PARLEY_DATA_DIR: "data", PARLEY_CORS_ORIGINS: origins }, folder).corsOrigins;
    expect(read("https://app.example, http://localhost:5173")).toEqual([
      "https://app.example",
      "http://localhost:5173",
    ]);
    for (const wrong of [
      "*",
      "null",
      "app.example",
      "https://app.example/",
      "https://app.example/x",
      "https://*.example",
      "ftp://a.example",
      "https://APP.example",
    ])
      expect(() => read(wrong), wrong).toThrow("PARLEY_CORS_ORIGINS");
  });

  test("that are wrong are all reported together", () => {
    const environment = {
      PARLEY_PORT: "99999",
      PARLEY_ROLES: "api,cook",
      DATABASE_URL: "mysql://x",
      PARLEY_PROT: "3",
      PARLEY_SECRET: "short",
    };
    try {
      readSettings(environment, folder);
      throw new Error("it was accepted");
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      for (const name of Object.keys(environment)) expect(error.message).toContain(name);
      expect(error.mistakes.length).toBeGreaterThanOrEqual(5);
    }
  });

  test("close sign-up when the service is reachable from elsewhere, unless configured otherwise", () => {
    expect(readSettings({ PARLEY_HOST: "0.0.0.0", PARLEY_DATA_DIR: "d" }, folder).signUp).toBe("closed");
    expect(readSettings({ PARLEY_HOST: "0.0.0.0", PARLEY_SIGN_UP: "open", PARLEY_DATA_DIR: "d" }, folder).signUp).toBe(
      "open",
    );
  });

  test.each([
    [{}, true],
    [{ PARLEY_HOST: "::1" }, true],
    [{ PARLEY_HOST: "127.0.0.5", PARLEY_PUBLIC_URL: "http://[::1]:3000" }, true],
    [{ PARLEY_PUBLIC_URL: "http://localhost:3000" }, true],
    [{ PARLEY_HOST: "0.0.0.0" }, false],
    [{ PARLEY_HOST: "::" }, false],
    [{ PARLEY_HOST: "10.0.0.5" }, false],
    [{ PARLEY_PUBLIC_URL: "https://parley.example" }, false],
    [{ PARLEY_PUBLIC_URL: "https://127.0.0.1.example" }, false],
  ])("tell whether the installation is on loopback: %j", (environment, isOnLoopback) => {
    expect(readSettings({ ...environment, PARLEY_DATA_DIR: "d" }, folder).isOnLoopback).toBe(isOnLoopback);
  });

  test("come from the file too, and the environment wins", () => {
    writeFileSync(join(folder, "parley.env"), "PARLEY_PORT=4000\nPARLEY_LOG_LEVEL=warn\n");
    const settings = readSettings({ PARLEY_PORT: "5000", PARLEY_DATA_DIR: "d" }, folder);
    expect(settings).toMatchObject({ port: 5000, logLevel: "warn" });
  });

  test("open and close what customers' URLs may reach, in words that are checked at the start", () => {
    const told = readSettings(
      {
        PARLEY_OUTBOUND_ALLOW: "loopback, 10.1.0.0/16,fd12::1",
        PARLEY_OUTBOUND_DENY: "8.8.8.8",
        PARLEY_OUTBOUND_PORTS: "443,9443",
        PARLEY_DATA_DIR: "d",
      },
      folder,
    );
    expect(told).toMatchObject({
      outboundAllow: ["loopback", "10.1.0.0/16", "fd12::1"],
      outboundDeny: ["8.8.8.8"],
      outboundPorts: [443, 9443],
    });
    const untold = readSettings({ PARLEY_DATA_DIR: "d" }, folder);
    expect(untold).toMatchObject({ outboundAllow: null, outboundDeny: [], outboundPorts: [443, 8443] });
    expect(readSettings({ PARLEY_OUTBOUND_ALLOW: "none", PARLEY_DATA_DIR: "d" }, folder).outboundAllow).toEqual([]);
    for (const wrong of [
      "everything",
      "10.0.0.0/33",
      "fd00::/129",
      "10.0.0.0/8/8",
      "10.0.0.0/",
      "0x7f.1",
      "fe80::1%eth0",
    ]) {
      expect(() => readSettings({ PARLEY_OUTBOUND_ALLOW: wrong }, folder)).toThrow("PARLEY_OUTBOUND_ALLOW");
      expect(() => readSettings({ PARLEY_OUTBOUND_DENY: wrong }, folder)).toThrow("PARLEY_OUTBOUND_DENY");
      expect(() => readSettings({ PARLEY_TRUST_PROXY: wrong }, folder)).toThrow("PARLEY_TRUST_PROXY");
    }
    for (const wrong of ["0", "65536", "https"]) {
      expect(() => readSettings({ PARLEY_OUTBOUND_PORTS: wrong }, folder)).toThrow("PARLEY_OUTBOUND_PORTS");
    }
  });

  test("in a named file that does not exist are a mistake", () => {
    expect(() => readSettings({ PARLEY_SETTINGS_FILE: "nowhere.env" }, folder)).toThrow("nowhere.env");
  });
});
