import { CodedError } from '@podium/messages';
import type { FastifyRequest } from 'fastify';

/** Knows requests that our own pages made: what a cookie alone must not be enough for. */
export class OwnPages {
  readonly origin: string;

  constructor(publicUrl: string) {
    this.origin = new URL(publicUrl).origin;
  }

  /** Throws `origin_refused` unless Origin is ours and the browser does not call the request foreign. */
  require(request: FastifyRequest): void {
    const site = request.headers['sec-fetch-site'];
    const fromUs = request.headers.origin === this.origin && (site === undefined || site === 'same-origin');
    if (!fromUs) throw new CodedError('origin_refused');
  }
}
