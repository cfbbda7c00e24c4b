import { z } from "zod";
import {
  ApproveDeviceSignIn,
  DeviceKey,
  DeviceSignIn,
  FetchDeviceKey,
  StartDeviceSignIn,
  StartedDeviceSignIn,
  UserCode,
} from "../device-sign-in.ts";
import { Done, defineRoute } from "../route.ts";

const anyone = { by: "anyone" } as const;
const member = { by: "member", role: "member" } as const;
const CodeParams = z.strictObject({ code: UserCode });
const tag = "Sign-in";

export const startDeviceSignIn = defineRoute({
  id: "startDeviceSignIn",
  method: "POST",
  path: "/auth/device",
  tag,
  summary: "Begin to sign in a command line: get a code that a member confirms in the dashboard",
  access: anyone,
  body: StartDeviceSignIn,
  data: StartedDeviceSignIn,
  errors: ["too_many_attempts", "cross_site"],
});

export const fetchDeviceKey = defineRoute({
  id: "fetchDeviceKey",
  method: "POST",
  path: "/auth/device/key",
  tag,
  summary: "Fetch the key, once, after a member has confirmed the code",
  access: anyone,
  body: FetchDeviceKey,
  data: DeviceKey,
  errors: ["cross_site", "invalid_state"],
});

export const getDeviceSignIn = defineRoute({
  id: "getDeviceSignIn",
  method: "GET",
  path: "/api/v1/device-sign-ins/{code}",
  tag,
  summary: "Get what waits to be let in with this code",
  access: member,
  params: CodeParams,
  data: DeviceSignIn,
  errors: ["not_found", "too_many_attempts"],
});

export const approveDeviceSignIn = defineRoute({
  id: "approveDeviceSignIn",
  method: "POST",
  path: "/api/v1/device-sign-ins/{code}/approve",
  tag,
  summary: "Let a command line in with a new key",
  access: member,
  params: CodeParams,
  body: ApproveDeviceSignIn,
  data: DeviceSignIn,
  errors: ["not_found", "too_many_attempts"],
});

export const denyDeviceSignIn = defineRoute({
  id: "denyDeviceSignIn",
  method: "POST",
  path: "/api/v1/device-sign-ins/{code}/deny",
  tag,
  summary: "Refuse a command line",
  access: member,
  params: CodeParams,
  body: z.strictObject({}),
  bodyOptional: true,
  data: Done,
  errors: ["not_found", "too_many_attempts"],
});
