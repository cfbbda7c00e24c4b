import { german as api } from "../api/text.de.ts";
import { german as app } from "../app/text.de.tsx";
import { german as agents } from "../features/agents/text.de.ts";
import { german as batches } from "../features/calls/batches/text.de.tsx";
import { german as callPage } from "../features/calls/call-page/text.de.tsx";
import { german as calls } from "../features/calls/text.de.ts";
import { german as deviceSignIn } from "../features/device-sign-in/text.de.ts";
import { german as engines } from "../features/engines/text.de.ts";
import { german as groups } from "../features/flow-editor/canvas/groups/text.de.ts";
import { german as editorCanvas } from "../features/flow-editor/canvas/text.de.ts";
import { german as editorFields } from "../features/flow-editor/fields/text.de.tsx";
import { german as inspector } from "../features/flow-editor/inspector/text.de.tsx";
import { german as editorModel } from "../features/flow-editor/model/text.de.ts";
import { german as editorPath } from "../features/flow-editor/path/text.de.tsx";
import { german as editorProblems } from "../features/flow-editor/problems/text.de.ts";
import { german as editorScenarios } from "../features/flow-editor/scenarios/text.de.tsx";
import { german as editorSettings } from "../features/flow-editor/settings/text.de.ts";
import { german as subFlows } from "../features/flow-editor/sub-flows/text.de.ts";
import { german as templates } from "../features/flow-editor/templates/text.de.ts";
import { german as flowEditor } from "../features/flow-editor/text.de.ts";
import { german as editorTry } from "../features/flow-editor/try/text.de.tsx";
import { german as editorVersions } from "../features/flow-editor/versions/text.de.tsx";
import { german as operatorAccounts } from "../features/operator/accounts/text.de.ts";
import { german as operatorEngines } from "../features/operator/engines/text.de.tsx";
import { german as operatorGate } from "../features/operator/gate/text.de.ts";
import { german as operatorProviders } from "../features/operator/providers/text.de.tsx";
import { german as operatorRates } from "../features/operator/rates/text.de.ts";
import { german as operator } from "../features/operator/text.de.ts";
import { german as operatorTrunkRoutes } from "../features/operator/trunk-routes/text.de.ts";
import { german as operatorTrunks } from "../features/operator/trunks/text.de.ts";
import { german as overview } from "../features/overview/text.de.ts";
import { german as settingsAlerts } from "../features/settings/alerts/text.de.tsx";
import { german as settingsApiKeys } from "../features/settings/api-keys/text.de.ts";
import { german as settingsAudit } from "../features/settings/audit/text.de.ts";
import { german as settingsBilling } from "../features/settings/billing/text.de.tsx";
import { german as settingsLimits } from "../features/settings/limits/text.de.ts";
import { german as settingsMcp } from "../features/settings/mcp/text.de.ts";
import { german as settingsMembers } from "../features/settings/members/text.de.ts";
import { german as settingsSecurity } from "../features/settings/security/text.de.tsx";
import { german as settingsSuppressions } from "../features/settings/suppressions/text.de.ts";
import { german as settings } from "../features/settings/text.de.tsx";
import { german as settingsWebhooks } from "../features/settings/webhooks/text.de.tsx";
import { german as signIn } from "../features/sign-in/text.de.tsx";
import { german as snippets } from "../features/snippets/text.de.ts";
import { german as usage } from "../features/usage/text.de.ts";
import { german as voices } from "../features/voices/text.de.ts";
import { german as firstPaint } from "../first-paint/text.de.ts";
import { german as ui } from "../ui/text.de.ts";
import { addTranslations } from "./texts.ts";

addTranslations({
  agents,
  api,
  app,
  calls,
  "calls/batches": batches,
  "calls/call-page": callPage,
  "device-sign-in": deviceSignIn,
  engines,
  "first-paint": firstPaint,
  "flow-editor": flowEditor,
  "flow-editor/canvas": editorCanvas,
  "flow-editor/fields": editorFields,
  "flow-editor/groups": groups,
  "flow-editor/inspector": inspector,
  "flow-editor/model": editorModel,
  "flow-editor/path": editorPath,
  "flow-editor/problems": editorProblems,
  "flow-editor/scenarios": editorScenarios,
  "flow-editor/settings": editorSettings,
  "flow-editor/sub-flows": subFlows,
  "flow-editor/templates": templates,
  "flow-editor/try": editorTry,
  "flow-editor/versions": editorVersions,
  operator,
  "operator/accounts": operatorAccounts,
  "operator/engines": operatorEngines,
  "operator/gate": operatorGate,
  "operator/providers": operatorProviders,
  "operator/rates": operatorRates,
  "operator/trunk-routes": operatorTrunkRoutes,
  "operator/trunks": operatorTrunks,
  overview,
  settings,
  "settings/alerts": settingsAlerts,
  "settings/api-keys": settingsApiKeys,
  "settings/audit": settingsAudit,
  "settings/billing": settingsBilling,
  "settings/limits": settingsLimits,
  "settings/mcp": settingsMcp,
  "settings/members": settingsMembers,
  "settings/security": settingsSecurity,
  "settings/suppressions": settingsSuppressions,
  "settings/webhooks": settingsWebhooks,
  "sign-in": signIn,
  snippets,
  ui,
  usage,
  voices,
});
