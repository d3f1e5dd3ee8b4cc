import { CountRow } from './activity.queries';
import { linkingReport } from './linking-report';

const lastAt = new Date('2026-05-01T12:00:00Z');

function requests(outcome: string, detail: string, count: number): CountRow {
  return { kind: 'request', name: 'refresh', outcome, detail, count, durations: [], lastAt };
}

function healthOf(recent: CountRow[]): string {
  const sources = { counts: [requests('ok', '', 1)], recent, breakers: [], secrets: { current: null, previous: null } };
  return linkingReport({ integrationId: 'i', platform: 'p' }, 24, sources).health;
}

describe('the health of linking', () => {
  it.each([
    ['nothing failed', [requests('ok', '', 4)], 'healthy'],
    ['half failed', [requests('ok', '', 4), requests('unavailable', 'the partner is busy', 4)], 'healthy'],
    ['over half failed', [requests('ok', '', 4), requests('unavailable', 'the partner is busy', 5)], 'failing'],
    ['users took their access back', [requests('rejected', 'invalid_grant', 9)], 'healthy'],
    ['access tokens ended', [requests('rejected', 'invalid_token', 9)], 'healthy'],
    [
      'a few of many refused requests failed otherwise',
      [requests('rejected', 'invalid_grant', 9), requests('malformed', 'the body is not JSON', 2)],
      'healthy',
    ],
    ['nothing was asked in the last hour', [], 'healthy'],
  ])('when %s', (_, recent, health) => {
    expect(healthOf(recent)).toBe(health);
  });
});
