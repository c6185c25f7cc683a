import { test } from 'node:test';
import { Races } from './races.ts';

test('everything at once for twenty seconds: each answer is about one moment and one tenant', (t) =>
  new Races(t).run(20));
