import { CodedError } from '@podium/messages';
import type { FastifyInstance } from 'fastify';

/**
 * Takes bodies in JSON only, and says of others what is wrong with them. Clients that are generated from an OpenAPI document name
 * a content type also where an operation has no body: an empty body is none.
 */
export function takeJsonBodies(instance: FastifyInstance): void {
  const parse = instance.getDefaultJsonParser('error', 'error');
  // Fastify's own parsers: plain text would reach the validation as a text.
  instance.removeContentTypeParser(['application/json', 'text/plain']);
  instance.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined);
    void parse(request, text, (error, value) => (error ? done(unreadable(error)) : done(null, value)));
  });
}

function unreadable(cause: Error): CodedError {
  return new CodedError('invalid_request', {
    message: 'The body is not JSON that can be read: correct its syntax, and name no field __proto__ or constructor.',
    cause,
  });
}
