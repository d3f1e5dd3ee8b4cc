import 'reflect-metadata';
import { runApp } from '@podium/runtime/app';
import { compose, composeProjector } from './compose';
import { changesFields, fields } from './config';

const service = 'competition-read';

void (process.env.COMPETITION_READ_PARTS === 'changes'
  ? runApp({ service, fields: changesFields, compose: composeProjector }, process.env)
  : runApp({ service, fields, compose }, process.env));
