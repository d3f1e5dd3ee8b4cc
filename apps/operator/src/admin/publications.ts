import { Command } from 'commander';
import { parseVersion } from '../cli/command-context';
import { UsageError } from '../cli/usage-error';

/** What operators say of a publication; the names are those of the options. */
export interface PublicationOptions {
  readonly version?: number;
  readonly inForceFrom?: string;
  readonly rewardsWithoutEvents?: true;
  readonly recount?: true;
  readonly forecastMultiple?: number;
}

/** Options of the publication of any version. */
export function addPublicationOptions(publish: Command, kind: 'segment' | 'task'): void {
  publish.option(
    '--version <number>',
    'the draft that was read; may be left out while there is only one version',
    parseVersion,
  );
  addFirstPublicationOptions(publish, kind);
  if (kind === 'segment') return;
  publish
    .option('--recount', 'count a changed goal from the start of the task; needs a finished dry run')
    .option('--forecast-multiple <number>', 'pause it above so many times the forecast of its dry run', parseMultiple);
}

/** Those of them that a first version has, which nobody could price before. */
export function addFirstPublicationOptions(command: Command, kind: 'segment' | 'task'): void {
  command.option(
    '--in-force-from <time>',
    'ISO 8601, 10 minutes to 366 days ahead, or the start of a day that is ahead',
  );
  if (kind === 'task')
    command.option('--rewards-without-events', 'its goal can hold without any event, and is meant to pay everybody');
}

/** The request to publish. */
export function publicationOf(options: PublicationOptions): Readonly<Record<string, unknown>> {
  return {
    version: options.version,
    in_force_from: options.inForceFrom,
    rewards_without_events: options.rewardsWithoutEvents,
    recount: options.recount,
    forecast_multiple: options.forecastMultiple,
  };
}

function parseMultiple(text: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text)) throw new UsageError(`--forecast-multiple ${text}: must be a number.`);
  return Number(text);
}
