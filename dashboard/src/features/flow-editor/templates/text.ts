import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // builder-dialogs.tsx
  describeYourAgent: "Describe your agent",
  describeLead: "A language model writes a first draft. You can change everything afterwards.",
  noModel: "No language model is set up. Ask the operator of this installation to add one.",
  replacesFlow: "The draft replaces the current flow. You can undo it.",
  whatShouldItDo: "What should it do?",
  descriptionExample:
    "Call patients the day before their appointment. Ask whether they will come, and offer to move or cancel it.",
  writingDraft: "Writing the draft. This can take a minute.",
  writeDraft: "Write the draft",

  // template-gallery.tsx
  templates: "Templates",
  flowOf: (name: string) => `The flow of ${name}`,
  needsModel: "Needs a language model",
  scenarios: (count: number) => `${count} scenarios`,
  // Templates come from the service, in English.
  nameOf: (_templateId: string, name: string) => name,
  descriptionOf: (_templateId: string, description: string) => description,
};

export type TemplatesText = typeof english;

export const templatesText = inLanguage("flow-editor/templates", english);
