import { dataErrorBody, scopesHeader } from '@podium/messages';
import { InternalToken, RefusedRequest, errorResponse, internalTokenHeader, toCodedError } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { spanOfRequest } from '@podium/runtime/trace';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
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
import { ReadResponse, responseOf } from './read-response';
import { sendResponse } from './send-response';

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

/** The values of a path's parameters, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

/** A read as the gateway sends it, alone or in a batch. */
export interface ReadRequest extends RefusedRequest {
  /** Path and query. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
}

/** Handles the requests of all reads: from the row and the request to the bytes of the response, errors included. */
export class ReadHandler {
  constructor(private readonly parts: ReadHandlerParts) {}

  /** Responds to one request; never rejects. */
  async answer(row: ReadRow, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { raw, headers, id: requestId } = request;
    const path = request.params as PathParameters;
    sendResponse(
      await this.respond(row, path, { url: raw.url ?? '', headers, requestId, span: spanOfRequest(raw) }),
      request,
      reply,
    );
  }

  /** The response to a read, which may have come in a batch; never rejects. */
  async respond(row: ReadRow, path: PathParameters, request: ReadRequest): Promise<ReadResponse> {
    const startedAt = performance.now();
    this.parts.onRead?.();
    this.parts.metrics.begun();
    let response: ReadResponse;
    try {
      response = await responseOf(await this.read(row, path, request), request.headers);
    } catch (error) {
      response = this.refuse(error, request);
    }
    this.parts.metrics.answered(row.id, response.status, performance.now() - startedAt);
    return response;
  }

  /** The response to a request that failed. */
  refuse(error: unknown, request: ReadRequest): ReadResponse {
    const { body, ...response } = errorResponse(toCodedError(error), request, this.parts.logger, dataErrorBody);
    const bytes = Buffer.from(JSON.stringify(body));
    return { ...response, body: { pieces: [bytes], byteLength: bytes.length } };
  }

  private async read(row: ReadRow, path: PathParameters, { url, headers }: ReadRequest): Promise<SentAnswer> {
    this.parts.internalToken.require(headers[internalTokenHeader]);
    const caller = callerOf(headers[scopesHeader]);
    caller.require(row.scope, path.game_id);
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
}

/** The raw query: `raw-query.ts` parses it, not the framework. */
function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}
