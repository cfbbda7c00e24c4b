import type { FastifyReply, FastifyRequest } from "fastify";

/** What is served at paths that no route has. */
export interface Pages {
  has(request: FastifyRequest): boolean;
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}
