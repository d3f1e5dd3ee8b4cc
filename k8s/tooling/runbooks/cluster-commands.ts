import { Manifest } from '../generators/yaml-file';
import { blocksOf } from './operations-page';

/** A listener of the brokers, as Strimzi takes it. */
interface Listener {
  readonly port: number;
  readonly tls: boolean;
  readonly authentication?: object;
}

/** Commands of a page that show or reach less than their reader expects, although kubectl accepts them. */
export function clusterCommandProblems(text: string, kafka: Manifest | undefined): string[] {
  const listeners = (kafka?.spec as { kafka: { listeners: Listener[] } } | undefined)?.kafka.listeners ?? [];
  return blocksOf(text, 'sh')
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((command) => [
      ...cutLogProblems(command),
      ...earlyRequestProblems(command),
      ...endlessWaitProblems(command),
      ...listenerProblems(command, listeners),
    ]);
}

/** With a selector kubectl shows the last 10 lines of each pod, whatever `--since` says. */
function cutLogProblems(command: string): string[] {
  const isCut = /\bkubectl\b.*\blogs\b.* (?:-l|--selector)[ =]/.test(command) && !/ --tail[ =]/.test(command);
  return isCut ? [`"${command.trim()}" shows 10 lines of each pod: add --tail=-1`] : [];
}

/** kubectl listens a moment after it was started. */
function earlyRequestProblems(command: string): string[] {
  return /\bport-forward\b[^&]*& *curl\b/.test(command)
    ? [`"${command.trim()}" sends its request before the port is forwarded: wait in between`]
    : [];
}

/** A Job or a backup that has failed never meets the condition of success: the command waits on until its timeout. */
function endlessWaitProblems(command: string): string[] {
  const forSuccess = /\bwait\b.*--for=(?:condition=complete\b|jsonpath='\{\.status\.phase\}'=completed\b)/i.test(
    command,
  );
  return forSuccess && !/--timeout=\d{1,2}s\b/.test(command)
    ? [`"${command.trim()}" goes on when it has failed: wait for its end, then compare`]
    : [];
}

/** Kafka's own tools in a broker's pod have no certificate and no user. */
function listenerProblems(command: string, listeners: readonly Listener[]): string[] {
  const [, port] = /--bootstrap-server[ =]localhost:(\d+)/.exec(command) ?? [];
  const isOpen = listeners.some((each) => each.port === Number(port) && !each.tls && !each.authentication);
  return port === undefined || isOpen
    ? []
    : [`"${command.trim()}": the brokers have no plain listener at port ${port}`];
}
