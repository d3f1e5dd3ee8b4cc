import * as fs from 'node:fs';
import { EventQueue, EventQueueOptions, NextEvents } from '../src/queue/event-queue';
import { temporaryFolders } from './temporary-folder';

/** Queues of one folder, new for each test, with what they report; all are closed after it. */
export class OpenedQueues {
  folder = '';
  torn: number[] = [];
  claimed: number[] = [];
  damagedFiles: string[] = [];
  unreadable: string[] = [];
  private opened: EventQueue[] = [];

  constructor() {
    const folderOf = temporaryFolders();
    beforeEach(() => {
      this.folder = folderOf();
      this.torn = [];
      this.claimed = [];
      this.damagedFiles = [];
      this.unreadable = [];
    });
    afterEach(async () => {
      for (const queue of this.opened.splice(0)) await queue.close();
    });
  }

  async open(options: Partial<EventQueueOptions> = {}): Promise<EventQueue> {
    const queue = await EventQueue.open({
      folder: this.folder,
      maxBytes: 1_000_000_000,
      segmentBytes: 10_000_000,
      onClaimed: (segments) => this.claimed.push(segments),
      onTornLine: (bytes) => this.torn.push(bytes),
      onDamagedFile: (file) => this.damagedFiles.push(file),
      onUnreadable: ({ message }) => this.unreadable.push(message),
      ...options,
    });
    this.opened.push(queue);
    return queue;
  }

  async close(queue: EventQueue): Promise<void> {
    this.opened.splice(this.opened.indexOf(queue), 1);
    await queue.close();
  }

  /** Files of the folder whose name has an end. */
  files(end: string): string[] {
    return fs.readdirSync(this.folder).filter((file) => file.endsWith(end));
  }
}

/** Everything that is left, as the sender would read it. */
export async function all(queue: EventQueue): Promise<NextEvents> {
  const found = { events: [], damaged: [] } as { [K in keyof NextEvents]: NextEvents[K][number][] };
  while (queue.hasNext) {
    const { events, damaged } = await queue.next();
    found.events.push(...events);
    found.damaged.push(...damaged);
  }
  return found;
}

/** The ids of events, in their order. */
export function idsOf({ events }: NextEvents): string[] {
  return events.map(({ event }) => event.id);
}
