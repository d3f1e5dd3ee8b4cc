import { topics } from '@podium/messages';

/** The topic that the floor writes: as many partitions as the topic of events, without consumers. */
export const floorTopic = { name: 'bench.floor.v1', partitions: topics.userEvents.partitions } as const;
