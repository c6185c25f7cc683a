import { test } from 'node:test';
import { differentialRuns } from '../../../contracts/questions/differential.ts';
import { compareWithOwnTenant } from '../../../contracts/questions/held-events.ts';
import { openStore } from '../../../storage/events/duckdb/read/open-store.ts';
import { rareTest } from '../../../support/rare.ts';

test('HeldEvents: generated questions are answered as by a tenant of its own', (t) =>
  compareWithOwnTenant(t, openStore, { runs: differentialRuns(240), datasets: 8 }));

rareTest('HeldEvents: 2,000 generated questions are answered as by a tenant of its own', (t) =>
  compareWithOwnTenant(t, openStore, { runs: differentialRuns(2_000), datasets: 25 }),
);
