import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import { services } from '../../tools/stack/services';

interface Deployment {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

interface Container {
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** Fits the memory limit of a container. */
const ofMemory = /^--max-old-space-size=/;

const deployed = services.filter(({ name }) => name !== 'sandbox');

describe('flags of Node', () => {
  it.each(deployed)('of $name are the same in the local stack and in its deployment', ({ name, nodeFlags }) => {
    const file = path.join(__dirname, '../base', name, 'deployment.yaml');
    const [{ command = ['node', 'dist/main.js'], env }] = (parse(fs.readFileSync(file, 'utf8')) as Deployment).spec
      .template.spec.containers;
    expect([command[0], command.at(-1)]).toEqual(['node', 'dist/main.js']);
    const options = env.find((variable) => variable.name === 'NODE_OPTIONS')?.value?.split(' ') ?? [];
    const flags = [...options, ...command.slice(1, -1)].filter((flag) => !ofMemory.test(flag));
    expect(flags).toEqual(nodeFlags);
  });
});
