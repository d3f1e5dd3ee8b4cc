import { PartnerRefusal } from '@podium/simulated-partner';
import { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml, page } from './page';

/** What is wrong with a request of a browser for the log-in page, by the code of the refusal. */
const explanations: Readonly<Record<string, string>> = {
  unknown_client:
    'Its client_id is not that of the client of this partner. The integration and PUT /dev/partners/{name} need the same one.',
  redirect_uri_mismatch:
    'Its redirect_uri is not the redirect URL of the client of this partner. Both must be equal, character by character.',
  unsupported_response_type: 'Its response_type is not code.',
  state_missing: 'It has no state.',
};

/** Answers a request that failed: with a page to a browser, which leads to `startUrl`, and to programs in the format of partners. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  startUrl: string,
): FastifyReply {
  const [status, code] =
    error instanceof PartnerRefusal ? [error.status, error.error] : [400, (error as Error).message];
  void reply.code(status).header('cache-control', 'no-store');
  if (!request.headers.accept?.includes('text/html')) return reply.type('application/json').send({ error: code });
  return reply.type('text/html; charset=utf-8').send(
    page(
      'Request refused',
      `<h1>Request refused</h1>
<p>The sandbox cannot answer this request: <code>${escapeHtml(code)}</code>.</p>
<p>${escapeHtml(explanations[code] ?? 'Its address or its form is not complete.')}</p>
<p><a href="${escapeHtml(startUrl)}">Begin again</a></p>`,
    ),
  );
}
