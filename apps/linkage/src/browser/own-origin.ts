import { CodedError } from '@podium/messages';
import type { FastifyRequest } from 'fastify';

/** Recognises requests from this service's own pages: a cookie alone must not be enough for a change (CSRF). */
export class OwnOrigin {
  readonly origin: string;

  constructor(publicUrl: string) {
    this.origin = new URL(publicUrl).origin;
  }

  /** Throws `origin_refused` unless Origin is this service's and the browser does not mark the request as cross-site. */
  require(request: FastifyRequest): void {
    const site = request.headers['sec-fetch-site'];
    const isOwn = request.headers.origin === this.origin && (site === undefined || site === 'same-origin');
    if (!isOwn) throw new CodedError('origin_refused');
  }
}
