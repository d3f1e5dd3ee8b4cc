import { fixes } from './describe-error';
import { Batch, BatchSending, RecordOutcome, batchesOf, sendBatch } from './backfill-batches';
import { BackfillJournal, Backfilled, RefusedLine, WarnedLines } from './backfill-journal';
import { EventFile, EventRecord, readEvents } from './event-records';

/** A file to send. */
export interface BackfillJob {
  readonly file: EventFile;
  readonly journal: BackfillJournal;
  readonly sending: BatchSending;
  /** The page of the error catalogue; a code is its anchor. */
  readonly docsUrl: string;
  /** Called after progress is on disk. */
  readonly onProgress: (state: Backfilled) => void;
}

/** Batches under way at once: enough for the largest rate when an answer takes a tenth of a second. */
const batchesAtOnce = 8;
/** Progress is stored at most this often, so that the disk does not bound the rate. */
const commitEveryMs = 200;
const maxDroppedNames = 100;
const maxWarningCodes = 20;
const maxWarnedLines = 20;

/** A batch on its way. */
interface Sent {
  readonly batch: Batch;
  readonly outcomes: Promise<(RecordOutcome | undefined)[]>;
}

/**
 * Sends the events of a file from where its journal ends. Several batches are under way at once; progress is that of the first
 * records without a gap, so that a killed process sends at most those batches again, as duplicates. Memory stays constant.
 * Throws PodiumError when nothing can be sent; what has an answer is stored before.
 */
export async function backfillFile(job: BackfillJob): Promise<Backfilled> {
  const { journal, sending, file } = job;
  if (journal.state.isFinished) return journal.state;
  const ended = new AbortController();
  const batches = batchesOf(readEvents(file, journal.state), sending.maxEvents);
  const underWay: Sent[] = [];
  const tally = new Tally(journal, job.docsUrl);
  let committedAtMs = sending.clock.nowMs();
  const commit = (isFinished: boolean): void => {
    tally.commit(isFinished);
    committedAtMs = sending.clock.nowMs();
    job.onProgress(journal.state);
  };
  try {
    for (;;) {
      while (underWay.length < batchesAtOnce) {
        const { value: batch, done } = batches.next();
        if (done) break;
        const outcomes = sendBatch(batch, sending, ended.signal);
        // Awaited in turn; until then a failure is nobody's.
        outcomes.catch(() => undefined);
        underWay.push({ batch, outcomes });
      }
      const first = underWay.at(0);
      if (!first) break;
      tally.add(first.batch, await first.outcomes);
      underWay.shift();
      if (sending.clock.nowMs() - committedAtMs >= commitEveryMs) commit(false);
    }
    commit(true);
    return journal.state;
  } catch (error) {
    commit(false);
    throw error;
  } finally {
    ended.abort();
    await Promise.allSettled(underWay.map(({ outcomes }) => outcomes));
  }
}

/** Counts outcomes, and the refused lines that are not in the report yet. */
class Tally {
  private next: Omit<Backfilled, 'reportBytes'>;
  private refused: RefusedLine[] = [];

  constructor(
    private readonly journal: BackfillJournal,
    private readonly docsUrl: string,
  ) {
    this.next = journal.state;
  }

  /** Adds the outcomes of the batch that follows. */
  add(batch: Batch, outcomes: readonly (RecordOutcome | undefined)[]): void {
    const counts = { accepted: 0, duplicate: 0, refused: 0 };
    const droppedAttributes = byName(this.next.droppedAttributes);
    const refusedByCode = byName(this.next.refusedByCode);
    const warnings = byName(this.next.warnings);
    for (const [at, record] of batch.entries()) {
      const outcome = outcomes[at];
      counts[outcome?.kind ?? 'refused'] += 1;
      if (outcome === undefined || outcome.kind === 'refused') {
        const line = refusedLine(record, outcome, this.docsUrl);
        this.refused.push(line);
        refusedByCode[line.code] = (refusedByCode[line.code] ?? 0) + 1;
      } else {
        for (const name of outcome.dropped)
          if (Object.hasOwn(droppedAttributes, name) || Object.keys(droppedAttributes).length < maxDroppedNames)
            droppedAttributes[name] = (droppedAttributes[name] ?? 0) + 1;
        for (const code of new Set(outcome.warnings))
          if (Object.hasOwn(warnings, code) || Object.keys(warnings).length < maxWarningCodes)
            warnings[code] = withLine(warnings[code], record.line);
      }
    }
    const { records, accepted, duplicates, refused } = this.next;
    this.next = {
      ...{ ...this.next, ...batch[batch.length - 1].next, droppedAttributes, refusedByCode, warnings },
      records: records + batch.length,
      accepted: accepted + counts.accepted,
      duplicates: duplicates + counts.duplicate,
      refused: refused + counts.refused,
    };
  }

  /** Stores what was added. */
  commit(isFinished: boolean): void {
    this.journal.commit(this.refused, { ...this.next, isFinished });
    this.refused = [];
  }
}

/** A copy in which `constructor` and `__proto__`, which attributes may be called, are names as all others. */
function byName<T>(counts: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, counts);
}

function withLine({ events, lines }: WarnedLines = { events: 0, lines: [] }, line: number): WarnedLines {
  return { events: events + 1, lines: lines.length < maxWarnedLines ? [...lines, line] : lines };
}

/** A line of the report; with `event` it is a record that backfill takes again. */
function refusedLine(
  { line, text, body }: EventRecord,
  outcome: Extract<RecordOutcome, { kind: 'refused' }> | undefined,
  docsUrl: string,
): RefusedLine {
  if ('problem' in body || outcome === undefined) {
    const problem = 'problem' in body ? body.problem : { code: 'invalid_request', field: '', message: '' };
    const docs_url = `${docsUrl}#${problem.code}`;
    return { line, code: problem.code, message: problem.message, field: problem.field, retry: 'never', docs_url, text };
  }
  const { code, message, retry, status, requestId: request_id, docsUrl: docs_url } = outcome.error;
  const reason = { code, message, retry, fix: fixes[retry], status, request_id, docs_url };
  return { line, event_id: body.event.id, ...reason, event: JSON.parse(body.event.body) as unknown };
}
