import { measuredNames } from '../../../apps/engagement/test/measured-definitions';
import { MonthFigures } from './measure-year';
import { TableSize } from './table-sizes';
import { UsedTime } from './used-time';

/** The months that are compared. */
const [early, late] = [7, 12];

/** What the engine keeps of users, beside the events that are stored for six months. */
const stateTables = [
  ...['event_histories', 'told_progress', 'due_times', 'memberships', 'users', 'links', 'link_periods'],
  ...['task_days', 'task_day_changes'],
];
/** What was awarded is a record: it is kept for good, like the inbox. */
const recordTables = ['awards', 'ledger_entries', 'award_evidence', 'unissued_awards'];

/** Two values side by side. */
interface Compared {
  readonly early: number;
  readonly late: number;
  /** Null where there was nothing. */
  readonly ratio: number | null;
}

/** The figures of the year, for people and as JSON. */
export interface YearSummary {
  /** CPU and wall milliseconds per 1,000 events, in the seventh and the twelfth month. */
  readonly cost: Readonly<Record<string, Compared>>;
  /** Per user and event name, at the end of these months. */
  readonly bytes: Readonly<Record<string, Compared>>;
  /** The same, rows. */
  readonly rows: Readonly<Record<string, Compared>>;
  readonly inbox: { readonly bytesPerEvent: number; readonly bytesPerUserAndName: Compared };
}

/** Compares the seventh and the twelfth month. */
export function summarizeYear(months: readonly MonthFigures[], users: number): YearSummary {
  const compare = (valueOf: (month: MonthFigures) => number): Compared => {
    const [atEarly, atLate] = [early, late].map((month) => valueOf(months[month - 1]));
    return { early: atEarly, late: atLate, ratio: atEarly === 0 ? null : atLate / atEarly };
  };
  const perEvent = (side: 'engine' | 'floor' | 'background', valueOf: (used: UsedTime) => number): Compared =>
    compare((month) => (valueOf(month[side]) * 1e6) / month.events);
  const cpuOf = ({ nodeCpuS, postgresCpuS }: UsedTime): number => nodeCpuS + postgresCpuS;
  const wallOf = ({ wallS }: UsedTime): number => wallS;
  const bytesOf = (names: readonly string[], part: 'total' | 'heap' | 'indexes' | 'toast' = 'total'): Compared =>
    compare(({ sizes }) =>
      names.reduce((sum, name) => sum + tableOf(sizes.tables, name)[part] / (users * measuredNames.length), 0),
    );
  const tables = new Set(months.flatMap(({ sizes }) => [...sizes.tables.keys()]));
  const isListed = (name: string): boolean => [...stateTables, ...recordTables, 'events', 'inbox'].includes(name);
  const last = months[months.length - 1];
  const events = months.reduce((sum, month) => sum + month.events, 0);
  return {
    cost: {
      'engine, wall': perEvent('engine', wallOf),
      'bare limit, wall': perEvent('floor', wallOf),
      'engine / bare limit, wall': compare(({ engine, floor }) => engine.wallS / floor.wallS),
      'engine, CPU': perEvent('engine', cpuOf),
      'of that node': perEvent('engine', ({ nodeCpuS }) => nodeCpuS),
      'of that Postgres sessions': perEvent('engine', ({ postgresCpuS }) => postgresCpuS),
      'bare limit, CPU': perEvent('floor', cpuOf),
      'engine / bare limit, CPU': compare(({ engine, floor }) => cpuOf(engine) / cpuOf(floor)),
      'background work, wall': perEvent('background', wallOf),
      'background work, CPU': perEvent('background', cpuOf),
      'changes per event': compare(({ changes, events: count }) => changes / count),
      'due per event': compare(({ due, events: count }) => due / count),
    },
    bytes: {
      'packed histories, as stored': compare(({ sizes }) => sizes.packedBytes),
      'packed histories, uncompressed': compare(({ sizes }) => sizes.unpackedBytes),
      'event_histories, heap': bytesOf(['event_histories'], 'heap'),
      'event_histories, TOAST': bytesOf(['event_histories'], 'toast'),
      'event_histories, indexes': bytesOf(['event_histories'], 'indexes'),
      ...Object.fromEntries(stateTables.map((name) => [name, bytesOf([name])])),
      'all state': bytesOf(stateTables),
      'events, heap': bytesOf(['events'], 'heap'),
      ...Object.fromEntries(
        Object.keys(last.sizes.eventIndexes).map((name) => [
          `events, index ${name}`,
          compare(({ sizes }) => sizes.eventIndexes[name] / (users * measuredNames.length)),
        ]),
      ),
      events: bytesOf(['events']),
      'all state and events': bytesOf([...stateTables, 'events']),
      ...Object.fromEntries(recordTables.map((name) => [`kept for good: ${name}`, bytesOf([name])])),
      'other tables (outbox, positions …)': bytesOf([...tables].filter((name) => !isListed(name))),
    },
    rows: Object.fromEntries(
      ['event_histories', 'due_times', 'memberships', 'events', ...recordTables].map((name) => [
        name,
        compare(({ sizes }) => tableOf(sizes.tables, name).rows / (users * measuredNames.length)),
      ]),
    ),
    inbox: {
      bytesPerEvent: tableOf(last.sizes.tables, 'inbox').total / events,
      bytesPerUserAndName: bytesOf(['inbox']),
    },
  };
}

const noTable: TableSize = { table: '', rows: 0, heap: 0, indexes: 0, toast: 0, total: 0 };

function tableOf(tables: ReadonlyMap<string, TableSize>, name: string): TableSize {
  return tables.get(name) ?? noTable;
}

/** Prints the comparison, and all months. */
export function printYear(months: readonly MonthFigures[], { cost, bytes, rows, inbox }: YearSummary): void {
  const printCompared = (title: string, rows: Readonly<Record<string, Compared>>, digits: number): void => {
    console.log(`\n${title}`);
    const shown = ({ early: atEarly, late: atLate, ratio }: Compared) => ({
      [`${early} months`]: Number(atEarly.toFixed(digits)),
      [`${late} months`]: Number(atLate.toFixed(digits)),
      ratio: ratio === null ? '' : Number(ratio.toFixed(3)),
    });
    console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, shown(row)])));
  };
  console.table(
    months.map(({ month, events, engine, floor, background, sizes }) => ({
      month,
      events,
      'events/s': Math.round(events / engine.wallS),
      'bare limit': Math.round(events / floor.wallS),
      'CPU ms/1,000': Number((((engine.nodeCpuS + engine.postgresCpuS) * 1e6) / events).toFixed(0)),
      'background s': Number(background.wallS.toFixed(1)),
      packed: Math.round(sizes.packedBytes),
      'histories MB': megabytes(tableOf(sizes.tables, 'event_histories').total),
      'events MB': megabytes(tableOf(sizes.tables, 'events').total),
      'inbox MB': megabytes(tableOf(sizes.tables, 'inbox').total),
    })),
  );
  printCompared('Milliseconds per 1,000 events, and ratios', cost, 3);
  printCompared('Bytes per user and event name', bytes, 1);
  printCompared('Rows per user and event name', rows, 3);
  console.log(
    `\nInbox, apart: ${inbox.bytesPerEvent.toFixed(0)} bytes an event; per user and event name ` +
      `${inbox.bytesPerUserAndName.early.toFixed(0)} bytes after ${early} months, ` +
      `${inbox.bytesPerUserAndName.late.toFixed(0)} after ${late}`,
  );
}

function megabytes(bytes: number): number {
  return Number((bytes / 1e6).toFixed(1));
}
