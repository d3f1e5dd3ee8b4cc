import { ConsumerGroup, EventDefinition, TopicRow } from '@podium/messages';
import { MessagePattern } from '@nestjs/microservices';
import { BatchHandlerMethod, Outcome } from './outcomes';

/** Metadata of a handler for the server. */
export interface BatchHandlerExtras {
  readonly row: TopicRow;
}

/** The transport of one group: each server takes only the handlers of its own group. */
export function transportOf(group: ConsumerGroup): symbol {
  return Symbol.for(`podium.kafka/${group}`);
}

/** A handler's error as a value: the framework's filters would replace it by a general one. */
export class HandlerFailure {
  constructor(readonly error: unknown) {}
}

/**
 * Marks a controller's method as the handler of a topic's records for a group. The method returns one outcome per record;
 * an error that it throws retries the whole batch, see BatchKafkaServer.
 */
export function BatchHandler<D extends EventDefinition>(row: TopicRow<D>, group: ConsumerGroup) {
  return (target: object, name: string | symbol, descriptor: TypedPropertyDescriptor<BatchHandlerMethod<D>>): void => {
    const handle = descriptor.value!;
    const guarded = async function (this: unknown, ...args: Parameters<BatchHandlerMethod<D>>) {
      try {
        return await handle.apply(this, args);
      } catch (error) {
        return new HandlerFailure(error) as unknown as Outcome[];
      }
    };
    for (const key of Reflect.getMetadataKeys(handle))
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handle), guarded);
    descriptor.value = guarded;
    const extras: BatchHandlerExtras = { row };
    MessagePattern(row.name, transportOf(group), extras)(target, name, descriptor);
  };
}
