import {
  CircleHelp,
  Flag,
  GitBranch,
  Globe,
  Hash,
  MessageCircle,
  PhoneForwarded,
  PhoneOff,
  Play,
  Sparkles,
  Variable,
  Voicemail,
} from "lucide-react";
import type { NodeType } from "../model/node-kinds.ts";

const ICONS = {
  start: Play,
  say: MessageCircle,
  ask: CircleHelp,
  conversation: Sparkles,
  branch: GitBranch,
  set: Variable,
  tool: Globe,
  transfer: PhoneForwarded,
  dtmf: Hash,
  voicemail: Voicemail,
  end: PhoneOff,
} as const;

/** What people see of a kind of node before they read it. */
export function NodeIcon({ type }: { readonly type: NodeType }) {
  const Icon = ICONS[type] ?? Flag;
  return <Icon aria-hidden="true" />;
}
