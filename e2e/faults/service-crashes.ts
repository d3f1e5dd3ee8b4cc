import { readFileSync } from 'node:fs';
import { StackFailure } from '../../tools/stack/failure';
import { WholeStack } from '../../tools/stack/whole-stack';
import { restartUntilReady } from './restart-until-ready';

/** Records crashes of services, that is ends that no fault caused, and restarts them. */
export class Crashes {
  readonly seen: string[] = [];
  private stack: WholeStack | undefined;

  constructor(private readonly say: (line: string) => void) {}

  /** The stack's `onCrash` handler. */
  readonly note = (failure: StackFailure): void => {
    const handle = this.stack?.services.all.find(({ name }) => failure.message.startsWith(`${name} `));
    const last =
      handle &&
      readFileSync(handle.logPath, 'utf8')
        .split('\n')
        .findLast((line) => line.includes('"level":"fatal"'));
    this.seen.push(`${failure.message.split(';')[0]}: ${last ?? failure.details ?? ''}`);
    this.say(this.seen[this.seen.length - 1]);
    if (handle) restartUntilReady(handle).catch((error: Error) => this.seen.push(error.message));
  };

  watch(stack: WholeStack): void {
    this.stack = stack;
  }
}
