import type { TestContext } from 'node:test';
import fc from 'fast-check';
import type { EventStore } from '../../../src/core/analytics/events/store.ts';
import { type Dataset, datasetArbitrary } from '../../reference/datasets.ts';
import { actualAnswer, difference, expectedAnswer, storedEvent } from '../../reference/differential.ts';
import { requestArbitrary } from '../../reference/generators.ts';

/*
 * Generated questions about generated events, answered by a store and by the reference evaluator. A
 * failure reports the seed and the shrunk request; DIFFERENTIAL_SEED repeats the run.
 */

export type OpenStore = (t: TestContext) => Promise<EventStore>;

export interface Asked {
  name: string;
  openStore: OpenStore;
}

export interface DifferentialOptions {
  seed: number;
  runs: number;
  datasets: number;
  eventsPerDataset: number;
}

/** The same seed gives the same datasets and requests. */
export function differentialSeed(byDefault: number): number {
  return Number(process.env.DIFFERENTIAL_SEED ?? byDefault);
}

export function differentialRuns(byDefault: number): number {
  return Number(process.env.DIFFERENTIAL_RUNS ?? byDefault);
}

export function sampleDataset(index: number, { seed, eventsPerDataset }: DifferentialOptions): Dataset {
  return fc.sample(datasetArbitrary(index, eventsPerDataset), { seed: seed + index, numRuns: 1 })[0]!;
}

/** Every dataset is a tenant in one store, so that a leak between tenants is a difference too. */
export async function compareWithReference(
  t: TestContext,
  openStore: OpenStore,
  options: DifferentialOptions,
): Promise<void> {
  t.diagnostic(`DIFFERENTIAL_SEED=${options.seed} DIFFERENTIAL_RUNS=${options.runs}`);
  const store = await openStore(t);
  const datasets = Array.from({ length: options.datasets }, (_, index) => sampleDataset(index, options));
  for (const { tenantId, events } of datasets) {
    const { receipt } = await store.append(tenantId, events.map(storedEvent));
    if (!(await store.waitFor(receipt, 30_000))) throw new Error('the events did not become visible');
  }
  const numRuns = Math.ceil(options.runs / options.datasets);
  await Promise.all(
    datasets.map((dataset, index) =>
      t.test(`Dataset ${index}: ${numRuns} requests, clock change in ${dataset.timezone}`, () =>
        compareDataset(store, dataset, { seed: options.seed + index, numRuns }),
      ),
    ),
  );
}

async function compareDataset(
  store: EventStore,
  dataset: Dataset,
  { seed, numRuns }: { seed: number; numRuns: number },
): Promise<void> {
  const sameAnswer = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
    const expected = expectedAnswer(request, dataset);
    const found = difference(await actualAnswer(store, request, dataset), expected);
    if (found !== null) throw new Error(`${found}\n${JSON.stringify(request)}`);
  });
  await fc.assert(sameAnswer, { seed, numRuns });
}
