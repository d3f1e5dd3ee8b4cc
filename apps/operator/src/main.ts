import { operate } from './operate';

void operate(process.argv.slice(2), process.env);
