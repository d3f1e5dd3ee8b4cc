import { Client, ClientConfig, PoolConfig } from 'pg';
import { Live } from '../config';

/** The address of the moment. */
export function presentUrl(url: string | Live<string>): string {
  return typeof url === 'string' ? url : url.current;
}

/** Settings of a pool that let a live address be looked up for every connection; of another one there is nothing to say. */
export function lookUpEachTime(url: string | Live<string>): Pick<PoolConfig, 'Client'> {
  if (typeof url === 'string') return {};
  class ClientOfTheMoment extends Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: presentUrl(url) });
    }
  }
  return { Client: ClientOfTheMoment };
}
