import { test } from 'node:test';
import { Races } from './races.ts';

test('DuckdbEventStore: concurrent operations leave every answer consistent', (t) => new Races(t).run(1.5));
