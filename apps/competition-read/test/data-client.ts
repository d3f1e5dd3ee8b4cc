import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { KeyScope, encodeScopes, scopesHeader } from '@podium/messages';
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
    const { method = 'GET', headers = {}, scopes = this.own.scopes } = request;
    const response = await this.app.inject({
      method,
      url: `/data/v4${path}`,
      headers: { [internalTokenHeader]: this.own.internalToken, [scopesHeader]: encodeScopes(scopes), ...headers },
    });
    const bytes = response.rawPayload;
    const text = response.headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes;
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      bytes,
      body: text.length === 0 ? undefined : (JSON.parse(text.toString()) as unknown),
    };
  }
}
