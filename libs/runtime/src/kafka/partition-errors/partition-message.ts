import { IHeaders } from 'kafkajs';

/**
 * A message of a sender that checks the reply for each partition. The client returns the error codes of a request with such
 * messages, and rejects for all others as kafkajs does.
 */
export class PartitionMessage {
  // kafkajs copies each message and sets these two fields on the copy. In V8, adding fields to a copy takes microseconds;
  // setting existing ones is nearly free.
  readonly offsetDelta = 0;
  readonly timestampDelta = 0;

  constructor(
    readonly key: string | Buffer | null,
    readonly value: Buffer | null,
    readonly partition: number,
    readonly headers: IHeaders | undefined,
  ) {}
}
