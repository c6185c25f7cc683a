import { test } from 'node:test';
import { Races } from './races.ts';

test('DuckdbEventStore soak: twenty seconds of concurrency keep answers consistent', (t) => new Races(t).run(20));
