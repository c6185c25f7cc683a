import { test } from 'node:test';
import { Races } from './races.ts';

test('everything at once for a while: each answer is about one moment and one tenant', (t) => new Races(t).run(1.5));
