import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { GeneratedFile } from './generated-file';

const sdk = resolve(__dirname, '../../../sdk');
const address = 'https://address.podium.invalid/docs';

/**
 * The commands from an empty folder to the first event with each SDK, and to the check of account linking. They name the
 * archives by their versions. `npx --no` runs installed programs only: a package of this name in the public registry is not ours.
 */
export function sdkInstallSamples(): GeneratedFile[] {
  return [
    {
      path: 'docs/site/samples/first-event-typescript.sh',
      content: `export PODIUM_EVENT_KEY='your-event-key'
npm install ${address}/sdk/podium-partner-${typescriptVersion()}.tgz
curl -fsSO ${address}/samples/first-event.mjs
node first-event.mjs your-platform-name user-1
`,
    },
    {
      path: 'docs/site/samples/link-check.sh',
      content: `npm install ${address}/sdk/podium-partner-${typescriptVersion()}.tgz
npx --no podium-partner link-check --authorization-url https://test.shop.example/authorize \\
  --base-url https://test.shop.example --client-id podium --client-secret-file secret.txt
`,
    },
    {
      path: 'docs/site/samples/first-event-python.sh',
      content: `export PODIUM_EVENT_KEY='your-event-key'
python3 -m venv venv
venv/bin/pip install ${address}/sdk/podium_partner-${pythonVersion()}-py3-none-any.whl
curl -fsSO ${address}/samples/first_event.py
venv/bin/python first_event.py your-platform-name user-1
`,
    },
  ];
}

function typescriptVersion(): string {
  const { version } = JSON.parse(readFileSync(resolve(sdk, 'typescript/package.json'), 'utf8')) as { version: string };
  return version;
}

function pythonVersion(): string {
  const source = readFileSync(resolve(sdk, 'python/src/podium_partner/version.py'), 'utf8');
  const version = /"([\d.]+)"/.exec(source)?.[1];
  if (!version) throw new Error('sdk/python/src/podium_partner/version.py has no version');
  return version;
}
