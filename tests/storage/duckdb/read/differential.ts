import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { DuckdbEventStore } from '../../../../src/storage/duckdb/store.ts';
import { type Dataset, datasetArbitrary } from '../../../reference/datasets.ts';
import { actualAnswer, difference, expectedAnswer, storedEvent } from '../../../reference/differential.ts';
import { requestArbitrary } from '../../../reference/generators.ts';
import { storeOptions } from '../../../support/event-store.ts';

/*
 * Generated questions about generated events, answered by DuckDB and by the reference evaluator. A
 * failure reports the seed and the shrunk request; DIFFERENTIAL_SEED repeats the run.
 */

export interface DifferentialOptions {
  seed: number;
  /** Requests in all, spread over the datasets. */
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
export async function compareWithReference(t: TestContext, options: DifferentialOptions): Promise<void> {
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
  store: DuckdbEventStore,
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

export async function openStore(t: TestContext): Promise<DuckdbEventStore> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-differential-'));
  const store = await DuckdbEventStore.open(storeOptions(directory), {
    onFault: (error) => t.diagnostic(String(error)),
  });
  t.after(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return store;
}
