import { ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as readline from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { PartnerLine, PartnerPlan } from './partner-plan';

/** The SDKs that are checked. */
export type SdkName = 'TypeScript' | 'Python';

/** A command and its first arguments; the plan follows them. */
export type PartnerProgram = readonly [string, ...string[]];

/** The partner's program with each SDK. */
export const programs: Readonly<Record<SdkName, PartnerProgram>> = {
  TypeScript: [process.execPath, '-r', '@swc-node/register', path.join(__dirname, 'typescript-partner.ts')],
  Python: ['python3', path.join(__dirname, 'python_partner.py')],
};
const pythonPath = path.resolve(__dirname, '../../sdk/python/src');

/** A process of a partner, which a check may kill and start again. */
export class PartnerProcess {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly lines: PartnerLine[] = [];
  private readonly ended: Promise<unknown>;

  /** The key is in the environment, as the SDKs' documentation asks for. */
  constructor([command, ...args]: PartnerProgram, plan: PartnerPlan, key: string) {
    const env = { ...process.env, PODIUM_EVENT_KEY: key, PYTHONPATH: pythonPath, PYTHONDONTWRITEBYTECODE: '1' };
    this.child = spawn(command, [...args, JSON.stringify(plan)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.ended = once(this.child, 'exit');
    readline
      .createInterface({ input: this.child.stdout })
      .on('line', (line) => this.lines.push(JSON.parse(line) as PartnerLine));
  }

  /** The line of a type, once it is printed. */
  line<Type extends PartnerLine['type']>(type: Type): Extract<PartnerLine, { type: Type }> | undefined {
    return this.lines.find((line): line is Extract<PartnerLine, { type: Type }> => line.type === type);
  }

  /** How it has ended; null while it runs. */
  get end(): string | null {
    const { exitCode, signalCode } = this.child;
    if (signalCode !== null) return signalCode;
    return exitCode === null ? null : `exit code ${exitCode}`;
  }

  /** Kills it; resolves with how it had ended by itself before, or null when it ran until then. */
  async kill(): Promise<string | null> {
    const before = this.end;
    this.child.kill('SIGKILL');
    await this.ended;
    return before ?? (this.end === 'SIGKILL' ? null : this.end);
  }

  /** Tells the process to send what is left, and to end; rejects when it fails. */
  async finish(timeoutMs: number): Promise<Extract<PartnerLine, { type: 'finished' }>> {
    this.child.stdin.write('\n');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), timeoutMs);
    await this.ended;
    clearTimeout(timer);
    const finished = this.line('finished');
    if (!finished) throw new Error(`the partner's process did not finish within ${timeoutMs / 1000} s`);
    return finished;
  }
}

/** The ids that a plan's processes have confirmed. */
export function confirmedIds(plan: PartnerPlan): ReadonlySet<string> {
  const ids = fs.readFileSync(plan.confirmedFile, 'utf8').split('\n');
  return new Set(ids.filter((id) => /-(\d+)$/.test(id) && id.startsWith(`${plan.prefix}-`)));
}
