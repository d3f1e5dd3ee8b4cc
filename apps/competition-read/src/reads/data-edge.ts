import { dataErrorBody, scopesHeader } from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeptAnswers, MadeAnswer } from './kept-answers';
import { Caller, callerOf } from './caller';
import { digestOfParts, sentBody } from './chunk';
import { Documents } from './documents';
import { pageLinks } from './links';
import type { Tables } from '../projection/table-set';
import { LiveSet } from './live-set';
import { Args, parseArgs } from './parse-args';
import { ReadMetrics } from './read-metrics';
import type { ReadRow } from './read-row';
import { Reads } from './reads';
import { SentAnswer, sendAnswer } from './send-answer';

/** What answering reads needs. */
export interface DataEdgeParts {
  readonly db: Queryable;
  readonly liveSet: LiveSet;
  readonly documents: Documents;
  readonly answers: KeptAnswers;
  readonly internalToken: InternalToken;
  /** Stands in field names for the service's own name. */
  readonly publicName: string;
  readonly metrics: ReadMetrics;
  readonly logger: Logger;
  /** Hears of each read. */
  readonly onRead?: () => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** Takes the requests of all reads: from the row and the request to the bytes of the answer, errors included. */
export class DataEdge {
  constructor(private readonly parts: DataEdgeParts) {}

  /** Answers one request; never rejects. */
  async answer(row: ReadRow, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const startedAt = performance.now();
    this.parts.onRead?.();
    try {
      await sendAnswer(await this.read(row, request), request, reply);
    } catch (error) {
      sendError(toCodedError(error), request, reply, this.parts.logger, dataErrorBody);
    }
    this.parts.metrics.answered(row.id, reply.statusCode, performance.now() - startedAt);
  }

  private async read(row: ReadRow, request: FastifyRequest): Promise<SentAnswer> {
    const path = request.params as Readonly<Record<string, string>>;
    const caller = this.callerOf(request);
    caller.require(row.scope, path.game_id);
    const url = request.raw.url ?? '';
    const tables = this.parts.liveSet.tables();
    const make = (): Promise<MadeAnswer> => this.make(row, caller, tables, parseArgs(row, path, queryOf(url)));
    // What queue operations show depends on the caller.
    return row.scope === 'data:read' ? this.parts.answers.of(url, tables, make) : (await make()).answer;
  }

  private async make(row: ReadRow, caller: Caller, tables: Tables, args: Args): Promise<MadeAnswer> {
    const { db, documents, publicName, now = Date.now } = this.parts;
    const reads = new Reads(db, tables, documents, caller, now);
    const { body, page } = await row.answer(reads, args as never);
    const answer = {
      digest: digestOfParts(body, publicName),
      body: sentBody(body, publicName),
      cacheS: row.cacheS,
      link: page ? pageLinks(row, args, page) : null,
      deprecatedSince: row.deprecatedSince,
    };
    return { answer, second: reads.second };
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
