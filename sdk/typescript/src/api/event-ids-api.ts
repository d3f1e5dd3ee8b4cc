import { EdgeQuestions, EdgeQuestionsOptions } from './edge-questions';

/** Limits of one reconcile request. */
export const reconcileLimits = { maxIds: 10_000, maxIdBytes: 255, maxBodyBytes: 3 * 1024 * 1024 } as const;

/** Questions per second of a platform, until an answer names another rate. */
const questionsPerSecond = 4;

/** Asks whether events were accepted, within the rate of these questions. Nothing is retried here. */
export class EventIdsApi {
  private readonly questions: EdgeQuestions;

  constructor(private readonly options: EdgeQuestionsOptions) {
    this.questions = new EdgeQuestions(options, questionsPerSecond);
  }

  /** Whether the event with this id was accepted; throws PodiumError when that is not known. */
  async isAccepted(id: string): Promise<boolean> {
    const url = new URL(this.options.addresses.status);
    url.searchParams.set('id', id);
    return this.questions.ask(url, undefined, (body) => {
      const { accepted } = fieldsOf(body);
      return typeof accepted === 'boolean' ? accepted : undefined;
    });
  }

  /** Those of at most 10,000 ids that were never accepted; throws PodiumError when that is not known. */
  async missing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = new Set(ids);
    return this.questions.ask(this.options.addresses.reconcile, JSON.stringify({ ids }), (body) => {
      const { missing } = fieldsOf(body);
      // A proxy may answer 200 as well: only ids that were asked about are an answer.
      const isAnswer = Array.isArray(missing) && missing.every((id) => asked.has(id as string));
      return isAnswer ? new Set(missing as string[]) : undefined;
    });
  }

  /** Closes idle connections. */
  close(): void {
    this.questions.close();
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
