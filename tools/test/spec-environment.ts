import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { OpenResources, lastingResources, leftOpen } from '../../libs/runtime/src/app/open-resources';
import { reportedHandles, serversOf } from './reported-handles';
import { reuseCompiledCode } from './reuse-compiled-code';

/** Time for handles to close by themselves after the last test. */
const graceMs = 5_000;

reuseCompiledCode();

/**
 * Node's environment in which a spec file fails when it leaves open a handle that keeps a process alive: a socket, a
 * server, a timer, a child process. Jest kills its workers, so nothing else would show such a handle.
 */
export default class SpecEnvironment extends TestEnvironment {
  private before: OpenResources = new Map();

  override async setup(): Promise<void> {
    await super.setup();
    // Both are opened at their first use, which must not count as the spec's.
    void process.stdout;
    void process.stderr;
    // A worker of jest has no timers of its own; the process that runs a single file draws the progress as well.
    this.before = await lastingResources(process.send ? 0 : 250);
  }

  /** Called by jest-circus, which reports unhandled errors as a failure of the file. */
  async handleTestEvent(event: Circus.AsyncEvent, state: Circus.State): Promise<void> {
    if (event.name !== 'run_finish') return;
    const open = await leftOpen(this.before, graceMs);
    if (open.size > 0) state.unhandledErrors.push(new Error(sentence(open)));
  }
}

function sentence(open: OpenResources): string {
  const counts = [...open].map(([type, count]) => `${count} ${type}`).join(', ');
  // The report also lists handles that were open before.
  const handles = reportedHandles(process.report.getReport(), serversOf(process.env.PODIUM_TEST_STACK));
  const named = handles.length === 0 ? '' : ` (open are ${handles.join(', ')})`;
  return (
    `This file leaves open ${counts}${named}: close it after the last test. ` +
    '"npx jest --detectOpenHandles <file>" says where it was opened.'
  );
}
