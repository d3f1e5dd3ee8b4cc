import { topics } from '@podium/messages';

/** Where the floor writes: as many partitions as the events' topic, and nobody consumes it. */
export const floorTopic = { name: 'bench.floor.v1', partitions: topics.userEvents.partitions } as const;
