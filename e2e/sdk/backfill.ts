import * as fs from 'node:fs';
import * as path from 'node:path';
import { nowS } from '../support/partner-api';
import { PartnerUnderTest } from '../support/partner-under-test';
import { acceptedIds } from './accepted-ids';
import { CheckContext, Finding, noneOf } from './check';
import { eventAnswers } from './event-answers';
import { partnerCommand, whileRunning } from './partner-command';
import { eventName } from './partner-plan';

const ratePerSecond = 5_000;
const badShare = 0.01;
const kills = 2;
/** For a third of the lines, which take seconds. */
const answerTimeoutMs = 600_000;

/** The result that `podium-partner backfill --json` prints. */
interface BackfillResult {
  readonly finished: boolean;
  readonly records: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly runs: number;
}

/** Sends a file with bad lines by `podium-partner backfill`, which is killed: each line ends as accepted or in the report. */
export async function checkBackfill(context: CheckContext): Promise<Finding[]> {
  const { stack, folder, sizes, random, say } = context;
  const platform = 'backfilled';
  const contract = [{ name: eventName, kind: 'repeatable' as const, attributes: [] }];
  const partner = await PartnerUnderTest.setUp(stack, { platform, contract, users: 3 });
  await partner.setRate(ratePerSecond);
  const accounts = partner.users.map(({ platformUserId }) => platformUserId);
  const bad = new Set<number>();
  while (bad.size < sizes.backfillLines * badShare) bad.add(1 + Math.floor(random.next() * sizes.backfillLines));
  const file = path.join(folder, 'history.ndjson');
  const numbers = Array.from({ length: sizes.backfillLines }, (_, at) => at + 1);
  const lines = numbers.map((number) => (bad.has(number) ? badLine(number, accounts) : goodLine(number, accounts)));
  fs.writeFileSync(file, `${lines.join('\n')}\n`);

  const access = { url: stack.services.publicUrl, key: partner.keys[0] };
  const command = ['backfill', file, '--json'];
  const answered = async (): Promise<number> => {
    const { all, limited } = await eventAnswers(stack, platform);
    return all - limited;
  };
  for (let killed = 0; killed < kills; killed++) {
    const running = partnerCommand(command, access);
    const share = (killed + 1) / (kills + 1);
    await whileRunning(running, answerTimeoutMs, async () => (await answered()) >= share * sizes.backfillLines);
    running.kill();
    await running.ended;
    say(`backfill: killed after ${Math.round(share * 100)} % of the lines`);
  }
  const { exitCode, output } = await partnerCommand(command, access).ended;
  const result = JSON.parse(output.slice(output.indexOf('{"finished"'))) as BackfillResult;
  const report = fs.readFileSync(`${file}.refused.ndjson`, 'utf8').split('\n').filter(Boolean);
  const reported = report.map((line) => (JSON.parse(line) as { line: number }).line);
  const accepted = await acceptedIds(context, platform);
  const isMissing = (number: number): boolean => !bad.has(number) && !accepted.has(`line-${number}`);
  return [
    {
      holds: exitCode === 1 && result.finished && result.runs === kills + 1,
      sentence: `exit code ${exitCode} after ${result.runs} runs, of which ${kills} were killed`,
    },
    {
      holds:
        result.records === sizes.backfillLines &&
        result.refused === bad.size &&
        result.accepted + result.duplicates === sizes.backfillLines - bad.size,
      sentence: `${result.records} lines: ${result.accepted} accepted, ${result.duplicates} duplicates, ${result.refused} refused`,
    },
    noneOf('good lines are not in the topic', numbers.filter(isMissing).map(String)),
    noneOf('bad lines are not in the report', [...bad].filter((line) => !reported.includes(line)).map(String)),
    noneOf('lines are in the report without reason, or twice', [
      ...reported.filter((line, at) => !bad.has(line) || reported.indexOf(line) !== at).map(String),
    ]),
  ];
}

function goodLine(number: number, accounts: readonly string[]): string {
  const event = { id: `line-${number}`, name: eventName, created_at: nowS() - number, attributes: [] };
  return JSON.stringify({ platform_user_id: accounts[number % accounts.length], event });
}

/** What files of partners have: cut lines, times in milliseconds, users who are not linked, names that are not negotiated. */
function badLine(number: number, accounts: readonly string[]): string {
  const good = goodLine(number, accounts);
  const { platform_user_id: user, event } = JSON.parse(good) as { platform_user_id: string; event: object };
  switch (number % 4) {
    case 0:
      return good.slice(0, -10);
    case 1:
      return JSON.stringify({ platform_user_id: user, event: { ...event, created_at: Date.now() } });
    case 2:
      return JSON.stringify({ platform_user_id: 'nobody', event });
    default:
      return JSON.stringify({ platform_user_id: user, event: { ...event, name: 'unknown' } });
  }
}
