import { CodedError, DefinitionData, DefinitionVersionData, topicMaxBytes } from '@podium/messages';
import fc from 'fast-check';
import { propertyOptions } from '../../test/property-options';
import { definitionRecord, definitionRecordBytes } from './definition-record';
import { largestDefinition } from './largest-definition';
import { requireRoom } from './version-limits';

const at = '2026-11-28T00:00:00.123456+00:00';
const longestId = 'o'.repeat(255);
const uuid = 'd0000000-0000-4000-8000-000000000001';

/** Names of up to 255 bytes, of which JSON doubles some. */
const names = fc.constantFrom('n', '€'.repeat(85), '"'.repeat(255), `${'😀'.repeat(63)}n`);
const written = fc.record({ name: names, text: fc.constantFrom('é', '"', 'x', '😀'), length: fc.nat(120_000) });
const operators = fc.constantFrom('operator-1', longestId);
const kinds = fc.constantFrom('segment' as const, 'task' as const);

describe('a definition', () => {
  it('that is filled until a version is refused has room for all that can follow', () => {
    fc.assert(
      fc.property(kinds, operators, fc.infiniteStream(written), fc.nat(100), (kind, operator, stream, share) => {
        const filled = fill(definitionOf(kind), stream, operator);
        const publishable = filled.versions.length;
        const first = 1 + Math.floor(((publishable - 1) * share) / 100);
        let state = filled;
        let largestBytes = topicMaxBytes;
        for (const next of lives(filled, first)) {
          state = next;
          expect(definitionRecordBytes(state)).toBeLessThanOrEqual(roomBytes(state));
          expect(roomBytes(state)).toBeLessThanOrEqual(largestBytes);
          largestBytes = roomBytes(state);
        }
        expect((definitionRecord(state).data as DefinitionData).audit).toHaveLength(100);
      }),
      propertyOptions(20),
    );
  });

  it.each([
    ['names in several bytes', '€'.repeat(85)],
    ['names that JSON doubles', '"'.repeat(255)],
  ])('is refused before its record is too large for its topic: %s', (_what, name) => {
    const added = (data: DefinitionData) => withVersion(data, { name, text: 'x', length: 200 }, longestId);
    let data = definitionOf('task');
    for (let version = 1; version <= 300; version++) data = added(data);
    expect(problemOf(data)).toBeNull();
    while (problemOf(data) === null) data = added(data);
    expect(definitionRecordBytes(data)).toBeLessThan(topicMaxBytes);
    expect(definitionRecordBytes(largestDefinition(data))).toBeGreaterThan(topicMaxBytes);
    expect(problemOf(data)).toEqual({
      code: 'conflict',
      message:
        'The versions of this task are too large together, 1025 KiB of at most 1024 KiB with their changes. ' +
        'Shorten the new version, or end this task and create a new one.',
    });
  });

  it('is refused with its first version if that is too large', () => {
    const data = withVersion(definitionOf('segment'), { name: 'n', text: '€', length: 350_000 }, 'o');
    expect(problemOf(data)).toEqual({
      code: 'unprocessable',
      message:
        'This segment is too large, 1087 KiB of at most 1024 KiB with its changes. State fewer or shorter tests and values.',
    });
  });

  it.each([
    [
      'task.published',
      {
        ...{ generation: 1, in_force_from: 253_402_300_799, rewards_without_events: true, recount: true },
        ...{ max_per_day: 1_000_000_000, dry_run: uuid, from: 'topic' },
      },
    ],
    ['task.paused', { day: '2026-11-28', awards: 2_147_483_647, max_per_day: 1_000_000_000, from: 'topic' }],
    ['segment.ended', { ended_at: 253_402_300_799, from: 'topic' }],
    ['segment.backfill_resumed', {}],
  ])('has room for entries of the audit trail about %s', (action, details) => {
    const name = '"'.repeat(255);
    const data = withVersion(definitionOf('task'), { name, text: '', length: 0 }, 'o');
    const entry = entryOf(action, longestId, { version: 1, name, ...details });
    const [largest] = largestDefinition(data).audit;
    expect(JSON.stringify(entry).length).toBeLessThanOrEqual(JSON.stringify(largest).length);
  });

  it('has at most 1,000 versions', () => {
    const versions = Array.from({ length: 1_000 }, (_, index) => ({
      ...versionOf(index + 1, 'n', '', 'o'),
      ...{
        state: 'replaced' as const,
        generation: 1,
        published_by: 'o',
        published_at: at,
        counts_from: at,
        ended_at: at,
      },
    }));
    const full = { ...definitionOf('task'), versions };
    expect(problemOf(full)).toBeNull();
    const message = 'A task has at most 1000 versions; end this task and create a new one.';
    expect(problemOf(withVersion(full, { name: 'n', text: '', length: 0 }, 'o'))).toEqual({
      code: 'conflict',
      message,
    });
  });
});

describe('the record of a definition', () => {
  it('leaves out the oldest entries of an audit trail that is larger than expected', () => {
    const versions = [versionOf(1, 'n', 'x'.repeat(800_000), 'o')];
    const audit = Array.from({ length: 100 }, (_, index) => entryOf('task.paused', 'o'.repeat(10_000), { index }));
    const { data } = definitionRecord({ ...definitionOf('task'), versions, audit }) as { data: DefinitionData };
    expect(data.versions).toEqual(versions);
    expect(data.audit).toEqual(audit.slice(-data.audit.length));
    expect(definitionRecordBytes(data)).toBeLessThanOrEqual(topicMaxBytes);
    const more = { ...data, audit: audit.slice(-data.audit.length - 1) };
    expect(definitionRecordBytes(more)).toBeGreaterThan(topicMaxBytes);
  });
});

interface Written {
  readonly name: string;
  readonly text: string;
  readonly length: number;
}

function definitionOf(kind: 'segment' | 'task'): DefinitionData {
  return {
    ...{ definition_id: uuid, kind, platform: 'acme', organizer_id: 'organizer-1' },
    ...{ versions: [], raised_budget: null, audit: [] },
  };
}

function versionOf(version: number, name: string, text: string, createdBy: string): DefinitionVersionData {
  return {
    ...{ version, name, body: { text }, attribute_types: { deposit: { amount: 'decimal' } }, state: 'draft' },
    ...{ created_by: createdBy, created_at: at, generation: null, published_by: null, published_at: null },
    ...{ counts_from: null, in_force_from: null, ended_at: null, ended_while_paused: false, recount: false },
    ...{ max_per_day: null, paused_because: null },
  };
}

function withVersion(data: DefinitionData, { name, text, length }: Written, createdBy: string): DefinitionData {
  const version = versionOf(data.versions.length + 1, name, text.repeat(length), createdBy);
  return { ...data, versions: [...data.versions, version] };
}

/** Adds versions while there is room, the last ones small; of each the one that was refused is left out. */
function fill(empty: DefinitionData, stream: Iterable<Written>, createdBy: string): DefinitionData {
  let data = withVersion(empty, { name: 'n', text: '', length: 0 }, createdBy);
  let divisor = 1;
  for (const { length, ...each } of stream) {
    const next = withVersion(data, { ...each, length: Math.floor(length / divisor) }, createdBy);
    if (problemOf(next) === null) data = next;
    else if (divisor > 100_000) return data;
    else divisor *= 4;
  }
  throw new Error('the stream has an end');
}

/** The definition after each change: some versions are published, the last one is paused, resumed and ended. */
function* lives(data: DefinitionData, from: number): Generator<DefinitionData> {
  let state = data;
  const set = (version: number, own: Partial<DefinitionVersionData>): void => {
    const versions = state.versions.map((each) => (each.version === version ? { ...each, ...own } : each));
    state = { ...state, versions };
  };
  const change = (version: number, own: Partial<DefinitionVersionData>, action: string, details: object = {}): void => {
    set(version, own);
    const { name } = state.versions[version - 1];
    const entry = entryOf(`${data.kind}.${action}`, longestId, { version, name, ...details });
    state = { ...state, audit: [...state.audit, entry].slice(-100) };
  };
  for (let number = from; number <= data.versions.length; number++) {
    const replaced = state.versions.find(({ state: live }) => live === 'published');
    if (replaced) set(replaced.version, { state: 'replaced', ended_at: at });
    const published = { generation: number, in_force_from: 253_402_300_799, max_per_day: 1_000_000_000 };
    const times = { published_at: at, counts_from: at };
    change(number, { state: 'published', published_by: longestId, ...times, ...published }, 'published', {
      ...{ ...published, rewards_without_events: true, recount: true, dry_run: uuid },
    });
  }
  yield state;
  const last = data.versions.length;
  const because = { day: '2026-11-28', awards: 2_147_483_647, max_per_day: 1_000_000_000 };
  for (let count = 0; count < 50; count++) {
    change(last, { state: 'paused', paused_because: because }, 'paused', because);
    if (count === 0) yield state;
    change(last, { state: 'published', paused_because: null }, 'resumed');
  }
  const total = '999999999999999999.999999999';
  state = { ...state, raised_budget: { stated_total: total, total } };
  change(last, { state: 'ended', ended_at: at, ended_while_paused: true, paused_because: because }, 'ended', {
    ended_at: 253_402_300_799,
  });
  yield state;
}

function entryOf(action: string, operatorId: string, details: object): DefinitionData['audit'][number] {
  return { at, operator_id: operatorId, action, details: { ...details } };
}

function roomBytes(data: DefinitionData): number {
  return definitionRecordBytes(largestDefinition(data));
}

function problemOf(data: DefinitionData): { code: string; message: string } | null {
  try {
    requireRoom(data);
    return null;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { code: error.code, message: error.message };
  }
}
