/** An agent that asks for a yes or no, and for a number. */
export const TWO_QUESTIONS = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "coming" },
    {
      ...{ id: "coming", type: "ask", text: "Will you come to your appointment tomorrow?", answer: "yes_no" },
      ...{ saveAs: "coming", otherwise: "bye", retries: { max: 2 } },
      exits: [
        { when: "yes", next: "people" },
        { when: "no", next: "bye" },
      ],
    },
    {
      ...{ id: "people", type: "ask", text: "How many people will come with you?", answer: "number" },
      ...{ saveAs: "people", exits: [], next: "bye", otherwise: "bye", retries: { max: 2 } },
    },
    { id: "bye", type: "end", text: "Thank you very much. Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: null },
};
