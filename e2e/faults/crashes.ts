import { readFileSync } from 'node:fs';
import { StackFailure } from '../../tools/stack/failure';
import { WholeStack } from '../../tools/stack/whole-stack';
import { startAgain } from './start-again';

/** Services of a stack that ended without being killed: collected, and started again. */
export class Crashes {
  readonly seen: string[] = [];
  private stack: WholeStack | undefined;

  constructor(private readonly say: (line: string) => void) {}

  /** To be given to the stack as `onCrash`. */
  readonly note = (failure: StackFailure): void => {
    const handle = this.stack?.services.all.find(({ name }) => failure.message.startsWith(`${name} `));
    const last =
      handle &&
      readFileSync(handle.logPath, 'utf8')
        .split('\n')
        .findLast((line) => line.includes('"level":"fatal"'));
    this.seen.push(`${failure.message.split(';')[0]}: ${last ?? failure.details ?? ''}`);
    this.say(this.seen[this.seen.length - 1]);
    if (handle) startAgain(handle).catch((error: Error) => this.seen.push(error.message));
  };

  watch(stack: WholeStack): void {
    this.stack = stack;
  }
}
