import 'reflect-metadata';
import { runApp } from '@podium/runtime/app';
import { compose } from './compose';
import { fields } from './config';

void runApp({ service: 'competition-read', fields, compose }, process.env);
