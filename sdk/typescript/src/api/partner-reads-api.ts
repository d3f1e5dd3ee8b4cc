import { RateLimitedError } from '../errors/podium-error';
import type { components } from '../generated/partner-events';
import { EdgeQuestions, EdgeQuestionsOptions } from './edge-questions';

/** What is negotiated with the partner. */
export type Contract = components['schemas']['PartnerContractDto'];
/** A page of the partner's refused events. */
export type RefusedEventsPage = components['schemas']['RefusedEventsPageDto'];
/** What sending an event would do. */
export type EventReport = components['schemas']['EventReportDto'];

/** Requests per second until an answer names the platform's rate. */
const requestsPerSecond = 40;

/** Events of the partner share the rate, so that a request may have to wait several times. */
const maxAttempts = 10;

/** What a partner reads of itself, and checks of events. A request above the rate waits as long as it is told. */
export class PartnerReadsApi {
  private readonly questions: EdgeQuestions;

  constructor(private readonly options: EdgeQuestionsOptions) {
    this.questions = new EdgeQuestions(options, requestsPerSecond);
  }

  /** Throws PodiumError when there is no answer. */
  contract(): Promise<Contract> {
    return this.ask(this.options.addresses.contract, undefined, 'platform');
  }

  /** Throws PodiumError when there is no answer. */
  refusals(query: Readonly<Record<string, string | undefined>>): Promise<RefusedEventsPage> {
    const url = new URL(this.options.addresses.refusals);
    for (const [field, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(field, value);
    return this.ask(url, undefined, 'items');
  }

  /** Checks the body of an event, which may be any text; throws PodiumError when there is no answer. */
  validate(body: string): Promise<EventReport> {
    return this.ask(this.options.addresses.validate, body, 'problems');
  }

  /** Closes idle connections. */
  close(): void {
    this.questions.close();
  }

  /** `field` is one that every answer to this question has: a proxy may answer 200 as well. */
  private async ask<T extends object>(url: URL, body: string | undefined, field: keyof T & string): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.questions.ask(url, body, (answer) =>
          typeof answer === 'object' && answer !== null && field in answer ? (answer as T) : undefined,
        );
      } catch (error) {
        // The questions wait for the time that they were told.
        if (!(error instanceof RateLimitedError) || attempt === maxAttempts) throw error;
      }
  }
}
