import { dataErrorBody, scopesHeader } from '@podium/messages';
import { InternalToken, internalTokenHeader, sendError, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswerCache, MadeAnswer } from '../answer-cache/answer-cache';
import { Caller, callerOf } from '../access/caller';
import { bodyOfParts } from '../answers/body-parts';
import { Rankings } from '../../rankings/rankings';
import { DocumentCache } from '../documents/document-cache';
import { pageLinks } from './page-links';
import type { Tables } from '../../table-sets/table-set';
import { LiveTableSet } from '../../table-sets/live-table-set';
import { Args, parseArguments } from '../arguments/parse-arguments';
import { ReadMetrics } from './read-metrics';
import type { ReadRow } from '../rows/read-row';
import { ReadContext } from '../context/read-context';
import type { SentAnswer } from '../answers/sent-answer';
import { sendAnswer } from './send-answer';

/** What handling reads needs. */
export interface ReadHandlerParts {
  readonly db: Queryable;
  readonly liveSet: LiveTableSet;
  readonly documents: DocumentCache;
  readonly rankings: Rankings;
  readonly answers: AnswerCache;
  readonly internalToken: InternalToken;
  /** Replaces the service's own name in field names. */
  readonly publicName: string;
  readonly metrics: ReadMetrics;
  readonly logger: Logger;
  /** Called for each read. */
  readonly onRead?: () => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** Handles the requests of all reads: from the row and the request to the bytes of the response, errors included. */
export class ReadHandler {
  constructor(private readonly parts: ReadHandlerParts) {}

  /** Responds to one request; never rejects. */
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
    const make = (): Promise<MadeAnswer> => this.make(row, caller, tables, parseArguments(row, path, queryOf(url)));
    // Only answers that do not depend on the caller are cached; those about queues do.
    return row.scope === 'data:read' ? this.parts.answers.of(url, tables, make) : (await make()).answer;
  }

  private async make(row: ReadRow, caller: Caller, tables: Tables, args: Args): Promise<MadeAnswer> {
    const { db, documents, rankings, publicName, now = Date.now } = this.parts;
    const context = new ReadContext(db, tables, documents, rankings, caller, now);
    const { body, page } = await row.answer(context, args as never);
    const answer = {
      ...bodyOfParts(body, publicName),
      cacheS: row.cacheS,
      link: page ? pageLinks(row, args, page) : null,
      deprecatedSince: row.deprecatedSince,
    };
    return { answer, second: context.second };
  }

  private callerOf({ headers }: FastifyRequest): Caller {
    this.parts.internalToken.require(headers[internalTokenHeader]);
    return callerOf(headers[scopesHeader]);
  }
}

/** The raw query: `raw-query.ts` parses it, not the framework. */
function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}
