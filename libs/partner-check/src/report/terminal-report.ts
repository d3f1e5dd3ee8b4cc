import { CheckReport, ReportedCase, ReportedFinding } from './check-report';
import { observationText, profileTitles, secretText, severityTitles, verdictTitles } from './report-texts';

/** The report as text for a terminal, lines of at most 110 characters; `details` adds every exchange. */
export function terminalReport(report: CheckReport, { details = false } = {}): string {
  const lines = [
    verdictTitles[report.verdict],
    '',
    ...(report.findings.length === 0 ? ['No findings.', ''] : report.findings.flatMap((each) => finding(each, report))),
    'Profile',
    ...profileTitles.map(([field, title]) => `  ${title.padEnd(26)} ${observationText(report.profile[field])}`),
    '',
    ...secretLines(report),
    'Cases',
    ...report.cases.map(caseLine),
    '',
    ...(details ? ['Exchanges', ...report.exchanges.flatMap(exchangeLines), ''] : []),
  ];
  return `${lines.flatMap((line) => wrapped(line)).join('\n')}\n`;
}

function finding(each: ReportedFinding, report: CheckReport): string[] {
  const evidence = report.exchanges.filter(({ number }) => each.exchanges.includes(number)).slice(0, 2);
  return [
    `${severityTitles[each.severity]}: ${each.title}${each.detail === null ? '' : ` (${each.detail})`}   [${each.code}]`,
    `  Rule    ${each.rule}`,
    `  Effect  ${each.effect}`,
    `  Fix     ${each.fix}`,
    ...evidence.flatMap((exchange) => [
      `  Sent    ${oneLine(exchange.sent)}`,
      `  Got     ${oneLine(exchange.received)}   (exchange ${exchange.number})`,
    ]),
    '',
  ];
}

function secretLines({ client_secrets: secrets = [] }: CheckReport): string[] {
  if (secrets.length === 0) return [];
  const lines = secrets.map((each) => `  ${`${each.which} (${each.fingerprint})`.padEnd(26)} ${secretText(each)}`);
  return ['Client secrets', ...lines, ''];
}

const marks = { passed: 'ok', failed: 'FAILED', not_observed: 'not observed' } as const;

function caseLine({ title, outcome, why }: ReportedCase): string {
  return `  ${marks[outcome].padEnd(13)} ${title}${why === null ? '' : `: ${why}`}`;
}

function exchangeLines({ number, purpose, sent, received, took_ms }: CheckReport['exchanges'][number]): string[] {
  return [
    `  ${number}. ${purpose} (${took_ms} ms)`,
    `     Sent    ${oneLine(sent)}`,
    `     Got     ${oneLine(received)}`,
  ];
}

function oneLine(text: string): string {
  return text.replace(/\n/g, ' | ');
}

const widthMax = 110;

/** Breaks a line at blanks; what follows is indented below the text. */
function wrapped(line: string): string[] {
  const indent = /^ *(?:[A-Z][a-z]+ {2,})?/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > widthMax) {
    const at = rest.lastIndexOf(' ', widthMax);
    if (at <= indent) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = ' '.repeat(indent) + rest.slice(at + 1).trimStart();
  }
  return [...lines, rest];
}
