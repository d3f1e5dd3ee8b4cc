import { sourceOf } from '../../test/given-definitions';
import { Operator } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { applyBatch } from '../applying/apply-batch';
import { ApplyParts } from '../applying/apply-parts';
import { applyLinks } from '../link-view/apply-links';
import { migrations, schema } from '../migrations';
import { LiveDefinitions } from '../progress/live-definitions';
import { UsersService } from './users.service';

const atS = Date.parse('2026-11-20T12:00:00Z') / 1000;

describe('a user as operators see it', () => {
  let database: FreshDatabase;
  let pool: Pool;
  let service: UsersService;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
    service = new UsersService(queryable(pool));
    const parts = new ApplyParts(pool, new LiveDefinitions(sourceOf([])), () => atS * 1000);
    const events = [
      userEvent({ id: 'a', createdAt: atS - 60 }),
      userEvent({ id: 'b', createdAt: atS }),
      userEvent({ id: 'k', name: 'kyc', createdAt: 1_500_000_000, kind: 'one_off' }),
    ];
    await applyBatch(parts, {
      topic: 't',
      partition: 0,
      position: 'any',
      nextOffset: 3n,
      events: events.map((data) => ({ data })),
    });
    const data = {
      link_id: 'l',
      integration_id: 'i',
      platform: 'acme',
      platform_user_id: 'sub-1',
      user_id: 'user-1',
      organizer_id: 'organizer-1',
      state: 'ready' as const,
      linked_at: atS,
    };
    const place = { topic: 'links', partition: 0, position: 'any', nextOffset: 1n } as const;
    await applyLinks(parts, { ...place, erased: [], links: [{ revision: 1, data }] });
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('shows the link, memberships, awards and stored events', async () => {
    expect(await service.show(viewerOf('organizer-1'), 'acme', 'user-1')).toEqual({
      platform: 'acme',
      user_id: 'user-1',
      link: { platform_user_id: 'sub-1', state: 'ready', linked_at: '2026-11-20T12:00:00.000Z' },
      memberships: [],
      awards: 0,
      stored_events: [
        { name: 'deposit', stored: 2, oldest_at: '2026-11-20T11:59:00.000Z', newest_at: '2026-11-20T12:00:00.000Z' },
        { name: 'kyc', stored: 1, oldest_at: '2017-07-14T02:40:00.000Z', newest_at: '2017-07-14T02:40:00.000Z' },
      ],
    });
  });

  it('is not found for unknown users, other platforms and operators of other organizers', async () => {
    for (const [operator, platform, user] of [
      [viewerOf('*'), 'acme', 'nobody'],
      [viewerOf('*'), 'other', 'user-1'],
      [viewerOf('organizer-2'), 'acme', 'user-1'],
    ] as const)
      await expect(service.show(operator, platform, user)).rejects.toMatchObject({ code: 'not_found' });
  });
});

function viewerOf(organizer: string): Operator {
  return { operatorId: 'op', roles: new Map([[organizer, ['viewer']]]) };
}
