import { DistributionProgram, RunnableProgram, findOnPath, unpackedProgram } from './distribution-package';
import { StackFolders } from './folders';

const redis: DistributionProgram = {
  name: 'redis',
  programs: ['bin/redis-server', 'bin/valkey-server'],
  packages: ['redis-server', 'valkey-server'],
  remedy:
    'redis-server is not on the PATH and could not be unpacked from the distribution: install Redis, or give the address of a running one in REDIS_URL.',
};

/** Finds `redis-server` or `valkey-server` on the PATH, else unpacks the distribution's package without installing it. */
export async function findRedisServer(folders: StackFolders): Promise<RunnableProgram> {
  const installed = ['redis-server', 'valkey-server'].map(findOnPath).find((file) => file !== undefined);
  return installed ? { command: installed, env: process.env } : unpackedProgram(redis, folders);
}
