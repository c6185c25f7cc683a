import type { test } from 'node:test';
import fc from 'fast-check';
import { actualAnswer, difference, expectedAnswer, storedEvent } from '../../reference/differential.ts';
import { type Request, requestArbitrary } from '../../reference/generators.ts';
import { type Asked as Backend, differentialRuns, differentialSeed, sampleDataset } from './differential.ts';

const DATASETS = 12;
const OPTIONS = { seed: differentialSeed(8), datasets: DATASETS, eventsPerDataset: 150 };
const RUNS = 24;

export function testRetention({ name, openStore }: Backend, define: typeof test): void {
  const options = { ...OPTIONS, runs: differentialRuns(RUNS) };

  define(`Retention on ${name}: generated grids around every clock change are those of the reference`, async (t) => {
    t.diagnostic(`DIFFERENTIAL_SEED=${options.seed} DIFFERENTIAL_RUNS=${options.runs}`);
    const store = await openStore(t);
    for (let index = 0; index < DATASETS; index += 1) {
      const dataset = sampleDataset(index, options);
      const { receipt } = await store.append(dataset.tenantId, dataset.events.map(storedEvent));
      await store.waitFor(receipt, 30_000);
      const same = fc.asyncProperty(requestArbitrary(dataset).filter(isRetention), async (request) => {
        const found = difference(await actualAnswer(store, request, dataset), expectedAnswer(request, dataset));
        if (found !== null) throw new Error(`${dataset.timezone} ${found}\n${JSON.stringify(request)}`);
      });
      await fc.assert(same, { seed: options.seed + index, numRuns: Math.ceil(options.runs / DATASETS) });
    }
  });
}

function isRetention(request: Request): boolean {
  return request.kind === 'table' && request.input.mode === 'retention';
}
