// A webhook receiver, complete: it checks the signature, tells repeated events from new ones, and answers at once.
//
//   WEBHOOK_SECRET=whsec_... node examples/webhook-receiver/receive.mjs
//
// It listens on http://127.0.0.1:4000/ unless PORT says otherwise. Any library for Standard Webhooks will do.

import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? "");
const port = Number(process.env.PORT ?? 4000);

// An event that was not answered in time comes again under the same id. A real receiver keeps the ids in its database.
const seen = new Set();

const server = createServer(async (request, response) => {
  // The signature is over the bytes as they came: parse the body only after it was checked.
  const body = await text(request);
  let event;
  try {
    event = webhook.verify(body, request.headers);
  } catch (error) {
    console.log(`refused: ${error.message}`);
    response.writeHead(400).end();
    return;
  }
  // Answer first, work later: after 15 seconds without an answer the event is sent again.
  response.writeHead(204).end();
  if (seen.has(event.id)) return;
  seen.add(event.id);
  const call = event.data.call;
  console.log(call ? `${event.type} ${call.id} ${call.status} ${call.endReason ?? ""}`.trim() : event.type);
});

server.listen(port, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}/`));
