import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentedServer } from '../../test/documented-server';
import { partnerEvent } from '../../test/events';
import { temporaryFolders } from '../../test/temporary-folder';
import { EventsApi } from '../api/events-api';
import { PodiumClient } from '../index';

const folderOf = temporaryFolders();

/** Listeners of a signal, and signals that depend on it, of which Node 20 keeps an entry each. */
function heldBy(signal: AbortSignal): number {
  const name = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kDependantSignals');
  const dependants = name && (signal as unknown as Record<symbol, { readonly size: number } | undefined>)[name];
  return getEventListeners(signal, 'abort').length + (dependants?.size ?? 0);
}

describe('a signal that lives as long as the process', () => {
  const server = new DocumentedServer();
  let url: string;

  beforeAll(async () => {
    url = await server.listen();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => server.close());

  it('holds nothing of requests and waits that have ended', async () => {
    const sendBatch = jest.spyOn(EventsApi.prototype, 'sendBatch');
    const queue = { folder: folderOf() };
    const client = await PodiumClient.open({ url, apiKey: 'k', platform: 'acme', queue });
    const ofCaller = new AbortController().signal;
    for (let round = 0; round < 20; round++) {
      await client.send(partnerEvent(`sent-${round}`), ofCaller);
      await client.enqueue(partnerEvent(`queued-${round}`));
      while (!server.accepted.has(`queued-${round}`)) await sleep(1);
    }
    const ofSender = sendBatch.mock.calls[0][1] as AbortSignal;
    expect(sendBatch.mock.calls.length).toBeGreaterThan(10);
    expect(sendBatch.mock.calls.every(([, signal]) => signal === ofSender)).toBe(true);
    expect(await client.close()).toBe(true);
    expect([heldBy(ofCaller), heldBy(ofSender)]).toEqual([0, 0]);
  });

  it('ends a request that is under way', async () => {
    server.behaviour = { hangs: true };
    const client = await PodiumClient.open({ url, apiKey: 'k', platform: 'acme' });
    const caller = new AbortController();
    const sending = client.send(partnerEvent('e'), caller.signal);
    setTimeout(() => caller.abort(), 20);
    await expect(sending).rejects.toMatchObject({ code: 'no_response' });
    expect(heldBy(caller.signal)).toBe(0);
    await client.close();
  });
});
