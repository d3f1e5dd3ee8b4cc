import { CodedError } from '@podium/messages';
import { matchesEtag } from '@podium/runtime/http';
import type { FastifyReply } from 'fastify';
import { contractAnswerOf } from '../contract-view/contract-answer';
import { Contracts } from '../contract-view/contracts';

/** Sends a partner its contract. */
export class PartnerContract {
  constructor(
    private readonly contracts: Contracts,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Sends 200, or 304 to a client that has this text already; throws `unavailable` while the view lacks the platform. */
  send(platform: string, ifNoneMatch: string | undefined, reply: FastifyReply): void {
    const contract = this.contracts.of(platform);
    if (contract === undefined) throw new CodedError('unavailable', { internal: 'the contract view lacks a platform' });
    const { text, etag } = contractAnswerOf(platform, contract, this.nowMs());
    // A copy may be kept, but is checked before each use: a change is in force within seconds.
    void reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (matchesEtag(ifNoneMatch, etag)) void reply.code(304).send();
    else void reply.type('application/json; charset=utf-8').send(text);
  }
}
