import { Exchange, describeAnswer, describeRequest, describeReturn, shownAddress } from '../exchanges/redact';
import { severities } from '../findings/finding';
import { FindingCode, findingCatalogue } from '../findings/finding-catalogue';
import { CheckReport, ReportedCase, ReportedFinding, ReportedSecret } from '../report/check-report';
import { CaseOutcome, CheckCase, checkCases } from '../report/check-cases';
import { CheckTarget, logInsMax, serviceTimeoutMs } from './check-target';
import { DerivedProfile, unobservedProfile } from '../report/derived-profile';
import { SeenAnswer, seenAnswer } from './seen-answer';
import { CheckPorts, CheckRequest, LogIn, LogInReturn } from '../exchanges/transport';

const defaultTimeoutMs = 15_000;
const slowMs = 2000;

/** A finding of this check. */
interface Found {
  exchanges: number[];
  detail: string | null;
  slowestMs?: number;
}

/** The state of one check: what was asked, what was seen, what follows. */
export class CheckRun {
  readonly profile: DerivedProfile = unobservedProfile();
  /** Hints of the server's own metadata (RFC 8414), if it publishes them. */
  metadata: ReadonlyMap<string, unknown> = new Map();
  logIns = 0;
  /** What the server said to each live client secret; empty unless two are live. */
  clientSecrets: readonly ReportedSecret[] = [];
  private readonly secrets: string[] = [];
  private readonly exchanges: Exchange[] = [];
  private readonly findings = new Map<FindingCode, Found>();
  private readonly outcomes = new Map<CheckCase, CaseOutcome>();
  private readonly startedMs: number;
  private isExperiment = false;

  constructor(
    private checked: CheckTarget,
    readonly ports: CheckPorts,
  ) {
    this.startedMs = ports.nowMs();
    this.keepSecret(checked.clientSecret);
    for (const { secret } of checked.liveSecrets ?? []) this.keepSecret(secret);
  }

  get target(): CheckTarget {
    return this.checked;
  }

  /** How long the service waits for an answer, ms. */
  get waitMs(): number {
    return this.checked.timeoutMs ?? serviceTimeoutMs;
  }

  /** Authenticates with this client secret from here on. */
  useSecret(clientSecret: string): void {
    this.checked = { ...this.checked, clientSecret };
  }

  /** Text that no report may show. */
  keepSecret(secret: string | null): void {
    if (secret !== null) this.secrets.push(secret);
  }

  /** Sends a request and writes the exchange down. */
  async ask(purpose: string, request: Omit<CheckRequest, 'timeoutMs'>): Promise<SeenAnswer> {
    const { timeoutMs = Math.max(defaultTimeoutMs, this.waitMs) } = this.ports;
    const startMs = this.ports.nowMs();
    const answer = await this.ports.transport.send({ ...request, timeoutMs });
    const tookMs = Math.round(this.ports.nowMs() - startMs);
    const number = this.exchanges.length + 1;
    // Tokens of an answer are secrets before the answer is described.
    const seen = seenAnswer(number, answer, tookMs);
    for (const name of ['access_token', 'refresh_token', 'id_token', 'sub', 'nickname']) {
      const value = seen.fields?.get(name);
      if (typeof value === 'string' && value !== '') this.keepSecret(value);
    }
    this.exchanges.push({
      number,
      purpose,
      sent: describeRequest(request, this.secrets),
      received: describeAnswer(answer, this.secrets),
      took_ms: tookMs,
    });
    if (tookMs > slowMs && answer.ok) this.findSlow('slow_answer', seen);
    return seen;
  }

  /** A log-in in a browser; null when there is none left. */
  async logIn(logIn: Omit<LogIn, 'number'>): Promise<(LogInReturn & { exchange: number }) | null> {
    if (this.logIns >= logInsMax) return null;
    this.logIns++;
    this.keepSecret(logIn.state);
    const startMs = this.ports.nowMs();
    const back = await this.ports.browser.logIn({ ...logIn, number: this.logIns });
    if (back.returned)
      for (const name of ['code', 'state']) for (const value of valuesOf(back.query, name)) this.keepSecret(value);
    const exchange = this.exchanges.length + 1;
    this.exchanges.push({
      number: exchange,
      purpose: `Log-in ${this.logIns}: ${logIn.purpose}`,
      sent: describeRequest({ method: 'GET', url: logIn.url, headers: {} }, this.secrets),
      received: back.returned ? describeReturn(back.query, this.secrets) : 'no redirect in time',
      took_ms: Math.round(this.ports.nowMs() - startMs),
    });
    return { ...back, exchange };
  }

  hasLogInsLeft(): boolean {
    return this.logIns < logInsMax;
  }

  /**
   * Tries something that may fail, after something that works: users need only what works, so neither blocking findings nor
   * failed cases are recorded.
   */
  async experiment<Result>(work: () => Promise<Result>): Promise<Result> {
    this.isExperiment = true;
    try {
      return await work();
    } finally {
      this.isExperiment = false;
    }
  }

  /** Records a finding; a repeated one gets further evidence. */
  find(code: FindingCode, exchanges: readonly number[], detail: string | null = null): void {
    if (this.isExperiment && findingCatalogue[code].severity === 'blocks') return;
    const known = this.findings.get(code);
    if (known) known.exchanges.push(...exchanges);
    else this.findings.set(code, { exchanges: [...exchanges], detail });
  }

  /** Records that an answer took long; the finding tells the longest time. */
  findSlow(code: FindingCode, { exchange, tookMs }: SeenAnswer): void {
    this.find(code, [exchange]);
    const known = this.findings.get(code);
    if (!known) return;
    known.slowestMs = Math.max(tookMs, known.slowestMs ?? 0);
    known.detail = `${known.slowestMs} ms`;
  }

  has(code: FindingCode): boolean {
    return this.findings.has(code);
  }

  passed(id: CheckCase): void {
    this.outcomes.set(id, { outcome: 'passed' });
  }

  failed(id: CheckCase): void {
    if (this.isExperiment) return;
    this.outcomes.set(id, { outcome: 'failed' });
  }

  notObserved(id: CheckCase, why: string): void {
    this.outcomes.set(id, { outcome: 'not_observed', why });
  }

  outcomeOf(id: CheckCase): CaseOutcome & { readonly why: string } {
    return {
      why: 'the check did not get that far',
      ...(this.outcomes.get(id) ?? { outcome: 'not_observed' as const }),
    };
  }

  report(): CheckReport {
    const { authorizationUrl, baseUrl, redirectUri } = this.target;
    const findings = this.reportedFindings();
    return {
      format: 1,
      authorization_url: shownAddress(authorizationUrl, this.secrets),
      base_url: shownAddress(baseUrl, this.secrets).replace(/\/$/, ''),
      redirect_uri: redirectUri,
      started_at: new Date(this.startedMs).toISOString(),
      finished_at: new Date(this.ports.nowMs()).toISOString(),
      verdict: verdictOf(findings, this.outcomes.get('user_info')),
      log_ins: this.logIns,
      profile: this.profile,
      ...(this.clientSecrets.length === 0 ? {} : { client_secrets: this.clientSecrets }),
      findings,
      cases: this.reportedCases(),
      exchanges: this.exchanges,
    };
  }

  private reportedFindings(): ReportedFinding[] {
    const all = [...this.findings].map(([code, { exchanges, detail }]) => ({
      ...{ code, ...findingCatalogue[code] },
      ...{ exchanges, detail },
    }));
    return all.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  }

  private reportedCases(): ReportedCase[] {
    return (Object.keys(checkCases) as CheckCase[]).map((id) => {
      const { outcome, why } = this.outcomeOf(id);
      return { id, ...checkCases[id], outcome, why: outcome === 'not_observed' ? why : null };
    });
  }
}

function verdictOf(findings: readonly ReportedFinding[], userInfo: CaseOutcome | undefined): CheckReport['verdict'] {
  const blocking = findings.filter(({ severity }) => severity === 'blocks');
  if (blocking.some(({ code }) => code !== 'log_in_not_returned')) return 'does_not_link';
  return blocking.length > 0 || userInfo?.outcome !== 'passed' ? 'not_finished' : 'links';
}

function valuesOf(query: string, name: string): string[] {
  return new URLSearchParams(query).getAll(name).filter((value) => value !== '');
}
