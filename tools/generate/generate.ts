import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { generatedManifests } from '../../k8s/tooling/generated-manifests';
import { GeneratedFile } from './generators/generated-file';
import { asyncApi } from './generators/asyncapi';
import { clientTypes } from './generators/client-types';
import { configuration } from './generators/configuration-page';
import { engineConditionsPage } from './generators/engine-conditions-page';
import { errorsPages } from './generators/errors-page';
import { firstDayPage } from './generators/first-day-page';
import { linkingPage } from './generators/linking-page';
import { openApi } from './generators/openapi';
import { partnerSdk } from './generators/partner-sdk';
import { partnerSdkPython } from './generators/partner-sdk-python';
import { sdkInstallSamples } from './generators/sdk-install-samples';
import { schemas } from './generators/schemas';
import { services } from '../stack/settings/service-fields';

const help = `Writes what is derived from code: JSON Schemas, AsyncAPI, OpenAPI, the error catalogue, .env.example.

  npm run generate              write the files
  npm run generate -- --check   fail when a committed file differs, naming it`;

const root = resolve(__dirname, '../..');

async function generatedFiles(): Promise<GeneratedFile[]> {
  const documents = await openApi();
  return [
    ...schemas(),
    ...asyncApi(),
    ...errorsPages(),
    ...firstDayPage(),
    ...linkingPage(),
    ...sdkInstallSamples(),
    ...configuration(services),
    ...engineConditionsPage(),
    ...documents,
    ...(await clientTypes(documents)),
    ...(await partnerSdk(documents)),
    ...partnerSdkPython(documents),
    ...generatedManifests(),
  ];
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return console.log(help);
  const differing: string[] = [];
  for (const { path, content, immutable } of await generatedFiles()) {
    const file = resolve(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    differing.push(path);
    if (process.argv.includes('--check')) continue;
    if (immutable && existsSync(file))
      throw new Error(`${path} is published: give the changed event a new schemaVersion instead`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  if (!process.argv.includes('--check'))
    return console.log(differing.length === 0 ? 'nothing changed' : differing.join('\n'));
  if (differing.length > 0) {
    console.error(`Out of date, run npm run generate and commit: ${differing.join(', ')}`);
    process.exitCode = 1;
  }
}

main().catch((error: Error) => {
  console.error(error.stack);
  process.exitCode = 1;
});
