import { call } from './api';

/** The operators' API with one token. */
export class Admin {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return call<T>('GET', this.url + path, { token: this.token });
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return call<T>('POST', this.url + path, { token: this.token, body });
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return call<T>('PATCH', this.url + path, { token: this.token, body });
  }

  /** The first hundred; the demo has fewer. */
  async list<T>(path: string): Promise<T[]> {
    const { items } = await call<{ items: T[] }>('GET', `${this.url}${path}?limit=100`, { token: this.token });
    return items;
  }
}
