import 'reflect-metadata';
import { runApp } from '@podium/runtime/app';
import { compose } from './compose';
import { linkageFields } from './config';

void runApp({ service: 'linkage', fields: linkageFields, compose }, process.env);
