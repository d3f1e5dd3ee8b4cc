import { Command } from 'commander';
import { PodiumError } from '../errors/podium-error';
import { systemClock } from '../pacing/clock';
import { describeError, waitNote } from './describe-error';
import { EdgeOptions, edgeHelp, eventIdsApiOf, withEdge } from './edge-access';
import { askPatiently } from './patient-question';
import { Terminal } from './terminal';

const help = `
What it does: asks whether Podium has ever accepted an event of your platform with this id. "accepted" is certain. "missing"
means that no request with this id was answered 200 before the question: send the event again with the same id.

Exit codes: 0 accepted, 1 missing, 2 wrong usage, 3 not known, for instance because Podium did not answer within a minute.
${edgeHelp}

Example:
  $ npx --no podium-partner status deposit-93f1`;

/** `status <id>`; `end` gets the exit code. */
export function statusCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return withEdge(new Command('status').description('ask whether an event was accepted'))
    .argument('<id>', 'the id of the event, exactly as it was sent')
    .addHelpText('after', help)
    .action(async (id: string, options: EdgeOptions) => {
      const api = eventIdsApiOf(options, terminal);
      try {
        const isAccepted = await askPatiently(() => api.isAccepted(id), {
          ...{ clock: systemClock, patienceMs: 60_000 },
          onWait: (error, waitMs) => terminal.err(`${waitNote(error, waitMs)}\n`),
        });
        terminal.out(isAccepted ? 'accepted\n' : 'missing\n');
        end(isAccepted ? 0 : 1);
      } catch (error) {
        if (!(error instanceof PodiumError)) throw error;
        terminal.err(`${describeError(error)}\n`);
        end(3);
      } finally {
        api.close();
      }
    });
}
