import { type TestContext, test } from 'node:test';
import { testBreakdown } from '../../../../contracts/questions/breakdown.ts';
import { testCases } from '../../../../contracts/questions/cases.ts';
import {
  compareWithReference,
  differentialRuns,
  differentialSeed,
} from '../../../../contracts/questions/differential.ts';
import { testRetention } from '../../../../contracts/questions/retention.ts';
import { testSegments } from '../../../../contracts/questions/segments.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openNode, skip, useEngines } from '../places.ts';

const engines = useEngines();

async function openStore(t: TestContext) {
  const store = await openNode(
    await (await engines()).place(),
    {},
    { onFault: (error) => t.diagnostic(String(error)) },
  );
  t.after(() => store.close());
  return store;
}

const asked = { name: 'ClickhouseEventStore', openStore };
const define = ((title: string, run: never) => test(title, { skip }, run)) as unknown as typeof test;

// Each statement takes some 15 ms, mostly to plan it: fewer questions, and the others in the soak.
testBreakdown(asked, define, 2);
testBreakdown(asked, rareTest);
testCases(asked, rareTest, rareTest);
testRetention(asked, rareTest);
testSegments(asked, define);

const options = {
  seed: differentialSeed(20_240_310),
  runs: differentialRuns(24),
  datasets: 4,
  eventsPerDataset: 150,
};

test('ClickhouseEventStore: generated questions are answered as by the reference', { skip, concurrency: 3 }, (t) =>
  compareWithReference(t, openStore, options),
);

rareTest('ClickhouseEventStore: more generated questions are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, openStore, { ...options, runs: differentialRuns(3_000), datasets: 20 }),
);
