import { FaultServers } from './fault-servers';

/** Clients of other teams: they write to the topics that are theirs, in their own way. */
export class ForeignWriters {
  constructor(private readonly servers: FaultServers) {}
}
