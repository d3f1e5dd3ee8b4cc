import 'reflect-metadata';
import { runApp } from '@podium/runtime/app';
import { compose } from './compose';
import { sandboxFields } from './config';

void runApp({ service: 'sandbox', fields: sandboxFields, compose }, process.env);
