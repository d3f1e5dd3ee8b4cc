import { PodiumClient } from '../src';
import { partnerEvent } from './events';

/** Sends two events, one after the other, through the queue of a folder or without one, and never closes the client. */
async function main([url, folder, proxy]: string[]): Promise<void> {
  const queue = folder ? { folder } : undefined;
  const client = await PodiumClient.open({ url, apiKey: 'canary-key', platform: 'acme', queue, proxy });
  for (const id of ['a', 'b']) {
    if (queue) await client.enqueue(partnerEvent(id));
    else process.stdout.write(`${JSON.stringify((await client.send(partnerEvent(id))).outcome)}\n`);
  }
}

void main(process.argv.slice(2));
