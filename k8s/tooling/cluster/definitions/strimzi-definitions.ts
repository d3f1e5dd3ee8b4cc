import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from '../../../../tools/stack/failure';
import { StackFolders } from '../../../../tools/stack/folders';
import { runTool } from '../../../../tools/stack/server-process';
import { strimzi } from './sources';

/** Runs Strimzi's generator, which writes its definitions into a folder; Maven downloads the generator. */
export async function makeStrimziDefinitions(to: string, folders: StackFolders): Promise<void> {
  const jars = path.join(folders.root, 'strimzi-jars');
  const logPath = path.join(folders.logs, 'definitions-strimzi.log');
  const bring = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${jars}`];
  const files = strimzi.classes.map((name) => `${name}=${path.join(to, `strimzi-${name.split('.').pop()}.yaml`)}`);
  const version = ['--crd-api-version', 'v1', '--api-versions', 'v1', '--storage-version', 'v1'];
  try {
    await runTool({
      name: 'mvn',
      command: 'mvn',
      args: ['-B', '-ntp', '-f', path.join(__dirname, strimzi.pom), ...bring],
      logPath,
    });
    await runTool({
      name: strimzi.generator,
      command: 'java',
      args: ['-cp', `${jars}/*`, strimzi.generator, '--yaml', ...version, ...files],
      logPath,
    });
  } catch (error) {
    if (!(error instanceof StackFailure)) throw error;
    throw new StackFailure(
      "Strimzi's definitions could not be generated: check the network or Maven's settings, then try again.",
      error.details,
    );
  } finally {
    fs.rmSync(jars, { recursive: true, force: true });
  }
}
