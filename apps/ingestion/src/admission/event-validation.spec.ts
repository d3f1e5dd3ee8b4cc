import { IntegrationData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { accountKey } from '../accounts/account';
import { Contracts } from '../contract-view/contracts';
import { identityOf } from '../dedup/event-identity';
import { PartnerEvent } from '../event/partner-event';
import { ActiveLink } from '../link-view/link-view';
import { EventReport, EventValidation } from './event-validation';

const nowMs = Date.UTC(2026, 5, 1);
const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const linked = { userId: 'u' } as unknown as ActiveLink;

function integrationOf(platform: string, attributes: string[]): IntegrationData {
  return {
    integration_id: platform,
    platform,
    organizer_id: 'o',
    partner: 'p',
    status: 'active',
    contracts: [
      {
        version: 1,
        in_force_from: 0,
        events: [
          {
            name: 'deposit',
            kind: 'repeatable',
            attributes: attributes.map((name) => ({ name, type: name === 'amount' ? 'decimal' : 'string' })),
          },
        ],
      },
    ],
  } as IntegrationData;
}

describe('EventValidation', () => {
  const asked: string[] = [];
  let marked: (string | null)[] | undefined;
  let linksFail: boolean;
  let linksHang: boolean;
  const contracts = new Contracts();
  contracts.apply('acme', integrationOf('acme', ['amount', 'currency']));
  contracts.apply('zenith', integrationOf('zenith', ['secret']));
  const validation = new EventValidation({
    marks: { find: () => Promise.resolve(marked) },
    contracts,
    links: {
      find: async ([account]) => {
        if (linksFail) throw new Error('Postgres is away');
        if (linksHang) await new Promise(() => undefined);
        asked.push(account.platform);
        return new Map(account.platformUserId === 'player-1' ? [[accountKey(account), linked]] : []);
      },
    },
    logger,
  });

  beforeEach(() => {
    marked = [null];
    linksFail = linksHang = false;
    asked.length = 0;
  });

  const event = (changes: object = {}, ofEvent: object = {}): object => ({
    platform: 'acme',
    platform_user_id: 'player-1',
    event: { id: 'e', name: 'deposit', created_at: 1_700_000_000, attributes: [], ...ofEvent },
    ...changes,
  });
  const answerTo = (body: unknown, deadlineMs = performance.now() + 1_000) =>
    validation.validate(
      {
        platform: 'acme',
        requestId: 'r',
        receivedAtMs: nowMs,
        traceparent: '',
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      },
      deadlineMs,
    );
  const reportOn = async (body: unknown): Promise<EventReport> => {
    const answer = await answerTo(body);
    expect(answer.status).toBe(200);
    return JSON.parse(answer.body.toString()) as EventReport;
  };
  const found = ({ problems }: EventReport): string[] => problems.map(({ code, field }) => `${code} ${field}`);

  it('reports an event that would be accepted, with what would be dropped', async () => {
    const attributes = ['amount', 'campaign'].map((name) => ({ name, value: '1' }));
    expect(await reportOn(event({}, { attributes }))).toEqual({
      valid: true,
      duplicate: false,
      problems: [],
      dropped_attributes: ['campaign'],
      warnings: [],
    });
  });

  it('reports the warnings of send, beside problems too', async () => {
    marked = ['content'];
    const attributes = [
      { name: '', value: 'x' },
      { name: 'amount', value: 'x' },
      { name: 'amount', value: '1' },
    ];
    expect((await reportOn(event({}, { attributes }))).warnings).toMatchObject([
      { code: 'value_not_parsed', field: 'event.attributes[1].value' },
      { code: 'content_differs', field: 'event.id' },
    ]);
  });

  it('reports a handled id as a duplicate where send does, whatever is wrong with link and contract', async () => {
    marked = ['content'];
    expect(await reportOn(event({ platform_user_id: 'stranger' }))).toMatchObject({
      valid: false,
      duplicate: true,
      problems: [{ code: 'user_not_linked', retry: 'later' }],
    });
    const twice = { attributes: ['1', '2'].map((value) => ({ name: 'amount', value })) };
    expect(await reportOn(event({}, twice))).toMatchObject({ valid: false, duplicate: true });
    expect(await reportOn(event({}, { name: 'depositt' }))).toMatchObject({ valid: false, duplicate: true });
    // Form and platform are checked before the id: these get 400 and 403.
    expect(await reportOn(event({}, { created_at: 1.5 }))).toMatchObject({ valid: false, duplicate: false });
    expect(await reportOn(event({ platform: 'zenith' }))).toMatchObject({ valid: false, duplicate: false });
    marked = undefined;
    expect(await reportOn(event())).toMatchObject({ valid: true, duplicate: false });
  });

  it('checks as many attributes as an event may have, however many the body has, so that one body takes little time', async () => {
    const reportOnMany = (nameOf: (at: number) => string): Promise<EventReport> =>
      reportOn(event({}, { attributes: Array.from({ length: 2_000 }, (_, at) => ({ name: nameOf(at), value: 'x' })) }));
    const repeated = await reportOnMany(() => 'amount');
    expect(repeated.problems[0].message).toBe('event.attributes holds more than 100 attributes.');
    expect([repeated.problems.length, repeated.warnings.length]).toEqual([100, 100]);
    expect((await reportOnMany((at) => `other-${at}`)).dropped_attributes).toHaveLength(100);
  });

  it('tells that a handled id came with other content, also beyond the attributes that it checks', async () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ name: `a-${at}`, value: '' }));
    const asEvent = (attributes: object[]): PartnerEvent =>
      ({
        ...{ platform: 'acme', platformUserId: 'player-1', id: 'e', name: 'deposit', createdAt: 1_700_000_000 },
        attributes,
      }) as PartnerEvent;
    marked = [identityOf(asEvent(many.slice(0, 100))).content];
    expect((await reportOn(event({}, { attributes: many.slice(0, 100) }))).warnings).toEqual([]);
    expect((await reportOn(event({}, { attributes: many }))).warnings).toMatchObject([{ code: 'content_differs' }]);
  });

  it('reports all problems at once, each with field, sentence and retry class', async () => {
    const long = 'x'.repeat(4097);
    const attributes = [
      { name: 'amount', value: '1' },
      { name: 'amount', value: '2' },
      { name: 'currency', value: long },
      { name: 'other', value: long },
      { name: 7, value: '' },
    ];
    const report = await reportOn(
      event({ platform: 'zenith', platform_user_id: 'stranger' }, { created_at: nowMs, attributes }),
    );
    expect(found(report)).toEqual([
      'invalid_request event.created_at',
      'invalid_request event.attributes[4].name',
      'platform_mismatch platform',
      'invalid_request event.attributes[1].name',
      'invalid_request event.attributes[2].value',
      'user_not_linked platform_user_id',
    ]);
    expect(report.problems[3].message).toBe('event.attributes[1].name repeats "amount"; an attribute is given once.');
    expect(report.problems.map(({ retry }) => retry)).toEqual(['never', 'never', 'pause', 'never', 'never', 'later']);
    expect(found(await reportOn(event({}, { name: 'depositt' })))).toEqual(['event_not_negotiated event.name']);
    expect(found(await reportOn('{"platform"'))).toEqual(['invalid_request ']);
  });

  it('says of an event that is ahead as by a clock that is off that it can succeed later', async () => {
    const report = await reportOn(event({}, { created_at: Math.floor(nowMs / 1000) + 360, id: '' }));
    expect(report.problems).toMatchObject([
      { field: 'event.id', code: 'invalid_request', retry: 'never' },
      { field: 'event.created_at', code: 'invalid_request', retry: 'later' },
    ]);
  });

  it('asks for nothing of the platform that a body names, only of that of the key', async () => {
    const attributes = [{ name: 'secret', value: 'x' }];
    const report = await reportOn(event({ platform: 'zenith' }, { attributes }));
    expect(found(report)).toEqual(['platform_mismatch platform']);
    expect(report.dropped_attributes).toEqual(['secret']);
    expect(asked).toEqual(['acme']);
  });

  it.each(['a\0b', '\ud800'])('asks for no user with the id %j, which no user can have', async (platform_user_id) => {
    expect(found(await reportOn(event({ platform_user_id })))).toEqual([
      'invalid_request platform_user_id',
      'user_not_linked platform_user_id',
    ]);
    expect(asked).toEqual([]);
  });

  it('answers 503 when it cannot check the contract or the link in time', async () => {
    linksFail = true;
    expect(await answerTo(event())).toMatchObject({ status: 503, retryAfterS: 2 });
    linksFail = false;
    contracts.forget('acme');
    expect(await answerTo(event())).toMatchObject({ status: 503 });
    contracts.apply('acme', integrationOf('acme', ['amount', 'currency']));
    linksHang = true;
    expect(await answerTo(event(), performance.now() + 20)).toMatchObject({ status: 503 });
  });
});
