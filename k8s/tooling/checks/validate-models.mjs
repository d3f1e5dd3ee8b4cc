// The models of custom resources are ES modules that a CommonJS program cannot require: they run in a process of its
// own. Reads a file of [{ module, model, value }], prints a list with the problem of each, or null.
import { readFileSync } from 'node:fs';

const items = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const problems = [];
for (const { module, model, value } of items) {
  const models = await import(module);
  try {
    new models[model](value).validate();
    problems.push(null);
  } catch (error) {
    problems.push(error.message);
  }
}
console.log(JSON.stringify(problems));
