import { dataErrorBody, scopesHeader } from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, callerOf } from './caller';
import { bytesOf, digestOfParts } from './chunk';
import { Documents } from './documents';
import { pageLinks } from './links';
import { LiveSet } from './live-set';
import { parseArgs } from './parse-args';
import { readFailure } from './read-failure';
import { ReadMetrics } from './read-metrics';
import type { ReadRow } from './read-row';
import { Reads } from './reads';
import { SentAnswer, sendAnswer } from './send-answer';

/** What answering reads needs. */
export interface DataEdgeParts {
  readonly db: Queryable;
  readonly liveSet: LiveSet;
  readonly documents: Documents;
  readonly internalToken: InternalToken;
  /** Stands in field names for the service's own name. */
  readonly publicName: string;
  readonly metrics: ReadMetrics;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** Takes the requests of all reads: from the row and the request to the bytes of the answer, errors included. */
export class DataEdge {
  constructor(private readonly parts: DataEdgeParts) {}

  /** Answers one request; never rejects. */
  async answer(row: ReadRow, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const startedAt = performance.now();
    try {
      await sendAnswer(await this.read(row, request), request, reply);
    } catch (error) {
      sendError(readFailure(error), request, reply, this.parts.logger, dataErrorBody);
    }
    this.parts.metrics.answered(row.id, reply.statusCode, performance.now() - startedAt);
  }

  private async read(row: ReadRow, request: FastifyRequest): Promise<SentAnswer> {
    const { db, liveSet, documents, publicName, now = Date.now } = this.parts;
    const path = request.params as Readonly<Record<string, string>>;
    const caller = this.callerOf(request);
    caller.require(row.scope, path.game_id);
    const args = parseArgs(row, path, queryOf(request.raw.url ?? ''));
    const reads = new Reads(db, liveSet.tables(), documents, caller, now());
    const { body, page } = await row.answer(reads, args as never);
    return {
      digest: digestOfParts(body, publicName),
      bytes: bytesOf(body, publicName),
      cacheS: row.cacheS,
      link: page ? pageLinks(row, args, page) : null,
      deprecatedSince: row.deprecatedSince,
    };
  }

  private callerOf({ headers }: FastifyRequest): Caller {
    this.parts.internalToken.require(headers[internalTokenHeader]);
    return callerOf(headers[scopesHeader]);
  }
}

/** The query as it stands in the request line: how it is read decides here, not in the framework. */
function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}
