import type { TestContext } from 'node:test';
import { KINDS } from '../../../../src/storage/events/duckdb/tables.ts';
import { sampleDataset } from '../../../contracts/questions/differential.ts';
import type { Dataset } from '../../../reference/datasets.ts';
import type { ReferenceEvent } from '../../../reference/values.ts';
import { appendJunk, appendOften, appendPart, ChangingStore, compareAll, junkEvent } from './states.ts';

export interface StatesOptions {
  seed: number;
  runs: number;
  datasets: number;
  eventsPerDataset: number;
}

interface State {
  title: string;
  late?: boolean;
  reach(changing: ChangingStore, datasets: Dataset[]): Promise<void>;
}

const crowded = () => junkEvent([...KINDS], { dotted: true });
const crowdedUndotted = () => junkEvent([...KINDS]);

export const STATES: State[] = [
  {
    title: 'every key learned, all events in merged runs',
    reach: async (changing, datasets) => {
      for (const quarter of [0, 0.25, 0.5, 0.75]) {
        await appendPart(changing, datasets, quarter, quarter + 0.25);
        await changing.sort();
      }
      await changing.merge();
    },
  },
  {
    title: 'no key learned, dotted keys missed too',
    reach: async (changing, datasets) => {
      await appendJunk(changing, datasets, crowded);
      await appendPart(changing, datasets, 0, 0.5);
      await changing.sort();
      await appendPart(changing, datasets, 0.5, 1);
    },
  },
  {
    title: 'no key learned, dotted keys missed later',
    reach: async (changing, datasets) => {
      await appendJunk(changing, datasets, crowdedUndotted);
      await changing.reopen();
      await appendPart(changing, datasets, 0, 1);
    },
  },
  {
    title: 'some keys learned, half the events in runs',
    reach: async (changing, datasets) => {
      await appendPart(changing, datasets, 0, 0.2);
      await appendJunk(changing, datasets, crowdedUndotted);
      await appendPart(changing, datasets, 0.2, 0.5);
      await changing.sort();
      await appendPart(changing, datasets, 0.5, 1);
    },
  },
  ...KINDS.map((kind) => ({
    title: `keys unlearned for lack of a ${kind} column`,
    late: true,
    reach: async (changing: ChangingStore, datasets: Dataset[]) => {
      await appendPart(changing, datasets, 0, 0.35);
      await appendJunk(changing, datasets, () => junkEvent([kind]));
      await changing.reopen();
      await appendPart(changing, datasets, 0.35, 0.7);
      await changing.sort();
      await appendPart(changing, datasets, 0.7, 1);
    },
  })),
  {
    title: 'known keys with values of new kinds',
    late: true,
    reach: async (changing, datasets) => {
      for (const [index, part] of PHASES.entries()) {
        const share = 1 / PHASES.length;
        await appendPart(changing, datasets, index * share, (index + 1) * share);
        if (part === 'sorted') await changing.sort();
        else if (part === 'merged') await changing.merge();
        else await changing.reopen();
      }
    },
  },
  {
    title: 'keys learned late, before and after sorting',
    reach: async (changing, datasets) => {
      await appendJunk(changing, datasets, crowded);
      await appendPart(changing, datasets, 0, 0.3);
      await changing.sort();
      await appendPart(changing, datasets, 0.3, 0.5);
      await appendOften(changing, datasets[0]!);
      await appendPart(changing, datasets, 0.5, 1);
    },
  },
  {
    title: 'keys learned late, in rewritten runs',
    late: true,
    reach: async (changing, datasets) => {
      await appendJunk(changing, datasets, crowded);
      await appendPart(changing, datasets, 0, 0.4);
      await appendOften(changing, { ...datasets[0]!, events: datasets[0]!.events.slice(0, 40) });
      await appendPart(changing, datasets, 0.4, 0.6);
      await changing.sort();
      await appendPart(changing, datasets, 0.6, 0.8);
      await changing.sort();
      await changing.merge();
      await appendPart(changing, datasets, 0.8, 1);
    },
  },
];

const PHASES = ['sorted', 'reopened', 'sorted', 'merged', 'sorted', 'reopened'];

export async function compareState(t: TestContext, state: State, options: StatesOptions): Promise<void> {
  t.diagnostic(`DIFFERENTIAL_SEED=${options.seed}`);
  const changing = await ChangingStore.open(t);
  const sampled = Array.from({ length: options.datasets }, (_, index) => sampleDataset(index, options));
  const datasets = state.late ? sampled.map(lateKinds) : sampled;
  await state.reach(changing, datasets);
  await compareAll(changing.store, datasets, options);
}

/** The values that each sixth of the events may have under a key; the last one has all. */
const LATER: ((value: unknown) => boolean)[] = [
  (value) => Number.isSafeInteger(value),
  (value) => typeof value === 'number',
  (value) => typeof value === 'number' || typeof value === 'string',
  (value) => typeof value === 'boolean' || typeof value === 'string',
  (value) => typeof value === 'object' && !Array.isArray(value),
  () => true,
];

/**
 * Keys that reach the same value in two ways, look like indexes or shadow fields; used in both
 * orders.
 */
const COLLIDING: Record<string, unknown>[] = [
  { 'a.b': 1, list: { 0: 'x' }, id: 1 },
  { a: { b: 2 }, list: ['y', { x: 1 }], timestamp: 'then' },
  { 'a.b': null, a: { b: 'text', 'b.c': 3 }, 'list.0': 4, properties: { x: 1 } },
  { 'a.b': 'dotted', a: { b: 4 }, 'a.b.c': 1, 'properties.id': true },
  { a: { b: { c: 0.5 } }, 'list.0': null, list: [7], 0: 'zero' },
  { 'a.b': { c: [1] }, a: 'flat', list: 5, id: { x: 2 }, timestamp: 6.5 },
];

function lateKinds(dataset: Dataset, datasetIndex: number): Dataset {
  const colliding = datasetIndex % 2 === 0 ? COLLIDING : COLLIDING.toReversed();
  const events = dataset.events.map((event, at): ReferenceEvent => {
    const phase = Math.floor((at / dataset.events.length) * LATER.length);
    const members = Object.entries(event.properties).filter(([, value]) => LATER[phase]!(value));
    // `vanishing` is in the first half only.
    const extra = { ...(at % 3 === 0 ? colliding[phase] : {}), ...(phase < 3 ? { vanishing: at % 5 } : {}) };
    const texts = [...members, ...Object.entries(extra)].map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
    );
    // Through JSON text, so that only the last of equal keys is left.
    return { ...event, properties: JSON.parse(`{${texts.join()}}`) as Record<string, unknown> };
  });
  return { ...dataset, events };
}
