import { severities } from '../findings/finding';
import { CheckReport, ReportedFinding } from './check-report';
import { observationText, profileTitles, secretText, severityTitles, verdictTitles } from './report-texts';

/** The report as one HTML page without scripts or other files. */
export function htmlReport(report: CheckReport): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Check of ${escaped(report.base_url)}</title>
<style>${style}</style>
<main>
<h1>${escaped(verdictTitles[report.verdict])}</h1>
<p>${escaped(report.base_url)}, ${escaped(report.started_at)}, ${report.log_ins} log-ins. Redirect URL: <code>${escaped(report.redirect_uri)}</code></p>
<h2>Findings</h2>
${report.findings.length === 0 ? '<p>None.</p>' : report.findings.map(findingHtml).join('\n')}
<h2>Profile</h2>
<table>${profileTitles.map(([field, title]) => row([title, observationText(report.profile[field])])).join('\n')}</table>
${secretsHtml(report)}<h2>Cases</h2>
<table>${report.cases.map(({ title, rule, outcome, why }) => row([title, rule, `${outcome.replace('_', ' ')}${why === null ? '' : `: ${why}`}`])).join('\n')}</table>
<h2>Exchanges</h2>
<p>Codes, tokens, secrets and user data are left out.</p>
<ol>${report.exchanges.map(exchangeHtml).join('\n')}</ol>
</main>
</html>
`;
}

function secretsHtml({ client_secrets: secrets = [] }: CheckReport): string {
  if (secrets.length === 0) return '';
  const rows = secrets.map((each) => row([each.which, each.fingerprint, secretText(each)]));
  return `<h2>Client secrets</h2>\n<table>${rows.join('\n')}</table>\n`;
}

function findingHtml(finding: ReportedFinding): string {
  const evidence = finding.exchanges.map((number) => `<a href="#exchange-${number}">exchange ${number}</a>`).join(', ');
  return `<section class="${finding.severity}">
<h3>${severityTitles[finding.severity]}: ${escaped(finding.title)}</h3>
<p><code>${finding.code}</code> ${escaped(finding.detail ?? '')}</p>
<dl><dt>Rule<dd>${escaped(finding.rule)}<dt>Effect<dd>${escaped(finding.effect)}<dt>Fix<dd>${escaped(finding.fix)}
${evidence === '' ? '' : `<dt>Evidence<dd>${evidence}`}</dl>
</section>`;
}

function exchangeHtml({ number, purpose, sent, received, took_ms }: CheckReport['exchanges'][number]): string {
  return `<li id="exchange-${number}">${escaped(purpose)}, ${took_ms} ms
<pre>${escaped(sent)}\n\n${escaped(received)}</pre>`;
}

function row(cells: readonly string[]): string {
  const [first, ...others] = cells.map(escaped);
  return `<tr><th scope="row">${first}</th>${others.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}

const colours: Readonly<Record<(typeof severities)[number], string>> = {
  blocks: '#c62828',
  unsafe: '#c62828',
  fragile: '#b26a00',
  advice: '#0b62c4',
};

const style = `:root { color-scheme: light dark; } body { margin: 0; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; } section { border-left: 4px solid; padding-left: 1rem; margin: 1.5rem 0; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid #8886; font-weight: 400; }
pre { overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #8886; padding: .5rem; } dt { font-weight: 600; } dd { margin: 0 0 .4rem; }
th { overflow-wrap: break-word; }
@media (max-width: 40rem) { tr, th, td { display: block; } th { font-weight: 600; } th, td { border: 0; padding: .1rem 0; } tr { border-bottom: 1px solid #8886; padding: .3rem 0; } }
${severities.map((name) => `.${name} { border-color: ${colours[name]}; }`).join(' ')}`;
