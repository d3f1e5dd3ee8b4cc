import { requireOwnServers } from './own-servers';

describe('requireOwnServers', () => {
  it.each(['DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS'])('refuses an environment with %s', (name) => {
    expect(() => requireOwnServers('npm run faults', { [name]: 'somewhere' })).toThrow(
      'npm run faults starts its own servers: unset DATABASE_URL, REDIS_URL and KAFKA_BROKERS.',
    );
  });

  it('passes an environment without them', () => {
    expect(() => requireOwnServers('npm run faults', { PATH: '/bin', REDIS_URL: '' })).not.toThrow();
  });
});
