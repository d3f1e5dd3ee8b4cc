import 'reflect-metadata';
import { runApp } from '@podium/runtime/app';
import { compose } from './compose';
import { fields } from './config';

void runApp({ service: 'engagement', fields, compose }, process.env);
