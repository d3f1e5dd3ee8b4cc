import { UserEventData } from '@podium/messages';

/** An accepted event and the trace that it belongs to. */
export interface IncomingEvent {
  readonly data: UserEventData;
  readonly traceparent?: string;
}
