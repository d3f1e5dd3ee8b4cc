import * as fs from 'node:fs';
import { createInterface } from 'node:readline';
import { Agent, Dispatcher, request } from 'undici';
import { Manifest } from '../generators/yaml-file';

/** The API server's response to a request. */
export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** One change of a watched object. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** A list of objects, and the store's version at which it was read. */
export interface ObjectList<T> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly T[];
}

/** The API server as an administrator sees it; paths begin with `/api` or `/apis`. */
export class KubernetesApi {
  private agent?: Agent;

  constructor(
    private readonly server: string,
    /** The server creates it at its start. */
    private readonly certificate: string,
    private readonly token: string,
  ) {}

  /** Whether the server is ready, its own startup work included. */
  async isReady(): Promise<boolean> {
    if (!fs.existsSync(this.certificate)) return false;
    try {
      const { statusCode, body } = await this.send('GET', '/readyz');
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  }

  /** The object or list at a path; any response but success is an Error. */
  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.ask<T>('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Sends an object; the response may be a refusal. */
  post<T>(path: string, object: object): Promise<Answer<T>> {
    return this.ask<T>('POST', path, object);
  }

  /** Changes fields of an object as in a JSON merge patch. */
  async patch(path: string, fields: object): Promise<void> {
    const { status, body } = await this.ask('PATCH', path, fields, 'application/merge-patch+json');
    if (status !== 200) throw new Error(`PATCH ${path}: ${status} ${JSON.stringify(body)}`);
  }

  /** Every change of a list's objects after the list's version, until the signal; no change is missed. */
  async *watch<T = Manifest>(path: string, from: string, signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    const { body } = await this.send('GET', `${path}?watch=true&resourceVersion=${from}`, { signal });
    body.on('error', () => undefined);
    for await (const line of createInterface({ input: body, signal })) yield JSON.parse(line) as WatchEvent<T>;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.agent?.destroy();
  }

  private async ask<T>(method: string, path: string, object?: object, type = 'application/json'): Promise<Answer<T>> {
    const options = object && { body: JSON.stringify(object), headers: { 'content-type': type } };
    const { statusCode, body } = await this.send(method, path, options);
    return { status: statusCode, body: (await body.json()) as T };
  }

  private send(
    method: string,
    path: string,
    options: { body?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Dispatcher.ResponseData> {
    const headers = { authorization: `Bearer ${this.token}`, ...options.headers };
    // A watch may be silent for a long time.
    this.agent ??= new Agent({ connect: { ca: fs.readFileSync(this.certificate) }, bodyTimeout: 0 });
    return request(this.server + path, {
      ...options,
      method: method as Dispatcher.HttpMethod,
      headers,
      dispatcher: this.agent,
    });
  }
}
