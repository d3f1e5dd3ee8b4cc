import { FastifyInstance } from 'fastify';
import Provider from 'oidc-provider';

/** Mounts an OpenID provider below a path such as `/idp`. */
export async function mountProvider(fastify: FastifyInstance, provider: Provider, path: string): Promise<void> {
  await fastify.register(async (scope) => {
    // The provider reads the raw request itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const handle = provider.callback();
    scope.all(`${path}/*`, (request, reply) => {
      reply.hijack();
      const raw = request.raw as typeof request.raw & { originalUrl?: string };
      raw.originalUrl = raw.url;
      raw.url = raw.url?.slice(path.length);
      void handle(raw, reply.raw);
    });
  });
}
