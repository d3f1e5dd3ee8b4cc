import { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  KeyScope,
  ReadAnswers,
  encodeReads,
  encodeScopes,
  readBatchContentType,
  readBatchPath,
  scopesHeader,
  sendAlone,
} from '@podium/messages';
import { internalTokenHeader } from '@podium/runtime/http';
import { gunzipSync } from 'node:zlib';

/** The response of a read. */
export interface DataReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As sent. */
  readonly bytes: Buffer;
  /** Parsed after decompression; undefined when there is no body. */
  readonly body: unknown;
}

/** How a request differs from a plain GET. */
export interface DataRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly scopes?: readonly KeyScope[];
}

/** Sends requests to the reads as the gateway does. */
export class DataClient {
  constructor(
    private readonly app: NestFastifyApplication,
    private readonly own: { readonly internalToken: string; readonly scopes: readonly KeyScope[] },
  ) {}

  /** `path` is below /data/v4. */
  async get(path: string, request: DataRequest = {}): Promise<DataReply> {
    const { method = 'GET' } = request;
    const response = await this.app.inject({ method, url: `/data/v4${path}`, headers: this.headersOf(request) });
    return replyOf(response.statusCode, response.headers as Record<string, string>, response.rawPayload);
  }

  /** The responses to reads in one batch, in the order of the reads; undefined for those that are to be sent alone. */
  async getTogether(paths: readonly string[], request: DataRequest = {}): Promise<(DataReply | undefined)[]> {
    const headers = this.headersOf(request);
    const response = await this.app.inject({
      method: 'POST',
      url: readBatchPath,
      headers: { ...headers, 'content-type': readBatchContentType },
      payload: encodeReads(paths.map((path) => ({ target: `/data/v4${path}`, headers }))),
    });
    if (response.statusCode !== 200) throw new Error(`the batch was answered ${response.statusCode}`);
    const replies = new Map<number, DataReply | undefined>();
    new ReadAnswers(({ place, status, headers: own }, body) => {
      if (replies.has(place)) throw new Error(`the read at ${place} has two answers`);
      const pairs = own.flatMap((name, at) => (at % 2 === 0 ? [[name, own[at + 1]] as const] : []));
      replies.set(place, status === sendAlone ? undefined : replyOf(status, Object.fromEntries(pairs), body));
    }).add(response.rawPayload);
    if (replies.size !== paths.length) throw new Error(`${replies.size} answers to ${paths.length} reads`);
    return paths.map((_, place) => replies.get(place));
  }

  private headersOf({ headers = {}, scopes = this.own.scopes }: DataRequest): Record<string, string> {
    return { [internalTokenHeader]: this.own.internalToken, [scopesHeader]: encodeScopes(scopes), ...headers };
  }
}

function replyOf(status: number, headers: Record<string, string>, bytes: Buffer): DataReply {
  const text = headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes;
  return { status, headers, bytes, body: text.length === 0 ? undefined : (JSON.parse(text.toString()) as unknown) };
}
