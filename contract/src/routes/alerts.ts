import { Alert, AlertQuery, AlertRules, AlertRulesChanges } from "../alerts.ts";
import { defineRoute } from "../route.ts";

export const listAlerts = defineRoute({
  id: "listAlerts",
  method: "GET",
  path: "/api/v1/alerts",
  tag: "Alerts",
  summary: "List alerts, newest first",
  access: { by: "key_or_member", scope: "billing:read" },
  query: AlertQuery,
  data: Alert,
  paged: true,
});

export const getAlertRules = defineRoute({
  id: "getAlertRules",
  method: "GET",
  path: "/api/v1/alert-rules",
  tag: "Alerts",
  summary: "Get what raises alerts",
  access: { by: "key_or_member", scope: "settings:read", role: "owner" },
  data: AlertRules,
});

export const changeAlertRules = defineRoute({
  id: "changeAlertRules",
  method: "PATCH",
  path: "/api/v1/alert-rules",
  tag: "Alerts",
  summary: "Change what raises alerts",
  access: { by: "key_or_member", scope: "settings:write", role: "owner" },
  body: AlertRulesChanges,
  data: AlertRules,
});
