import { channel } from 'node:diagnostics_channel';

const secrets = channel('podium:test:secret');
const outputs = channel('podium:test:output');

/** Tells the record of the run a secret that no connection carries, so that its scan looks for it. */
export function keepSecret(kind: string, value: string): void {
  secrets.publish({ kind, value });
}

/** Gives the record of the run something that may have no secret and that it does not see by itself. */
export function keepOutput(kind: 'metrics', text: string): void {
  outputs.publish({ kind, text });
}
