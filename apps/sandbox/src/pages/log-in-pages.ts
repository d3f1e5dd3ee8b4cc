import { FastifyInstance } from 'fastify';
import { errors } from 'oidc-provider';
import { escapeHtml, page } from './page';

/**
 * Mounts the log-in pages of a provider. One whose log-in is over, as after the back button or a restart of the sandbox, says so and
 * leads to `startUrl`.
 */
export async function mountLogInPages(
  fastify: FastifyInstance,
  startUrl: string,
  mount: (scope: FastifyInstance) => void,
): Promise<void> {
  await fastify.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      return reply
        .code(400)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(gonePage(startUrl));
    });
    mount(scope);
  });
}

function gonePage(startUrl: string): string {
  return page(
    'This log-in is over',
    `<h1>This log-in is over</h1>
<p>It has ended already, began in another browser, or the sandbox was restarted since.</p>
<p><a href="${escapeHtml(startUrl)}">Begin again</a></p>`,
  );
}
