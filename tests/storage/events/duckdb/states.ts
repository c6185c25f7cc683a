import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import type { EventStore, StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import { AnalyticsDatabase } from '../../../../src/storage/events/duckdb/database.ts';
import { DuckdbEventStore } from '../../../../src/storage/events/duckdb/store.ts';
import { KINDS, type Kind, MAX_COLUMNS } from '../../../../src/storage/events/duckdb/tables.ts';
import { mergeRuns, readTableState, sortArrivals } from '../../../../src/storage/events/duckdb/upkeep/compaction.ts';
import { NO_OBSERVER } from '../../../../src/storage/events/shared/observer.ts';
import { EVENTS_FILE } from '../../../../src/storage/installation/names.ts';
import { sampleDataset } from '../../../contracts/questions/differential.ts';
import type { Dataset } from '../../../reference/datasets.ts';
import { actualAnswer, difference, expectedAnswer, storedEvent } from '../../../reference/differential.ts';
import { requestArbitrary } from '../../../reference/generators.ts';
import type { ReferenceEvent } from '../../../reference/values.ts';
import { storeOptions } from '../../../support/event-store.ts';

/*
 * A store in every state: keys learned or crowded out, events sorted and runs merged, reopened in
 * between. Answers must not depend on the state.
 */

export class ChangingStore {
  private readonly directory: string;
  private readonly onFault: (error: unknown) => void;
  private opened: DuckdbEventStore;

  private constructor(directory: string, onFault: (error: unknown) => void, opened: DuckdbEventStore) {
    this.directory = directory;
    this.onFault = onFault;
    this.opened = opened;
  }

  static async open(t: TestContext): Promise<ChangingStore> {
    const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-states-'));
    const onFault = (error: unknown) => t.diagnostic(String(error));
    const changing = new ChangingStore(directory, onFault, await openAt(directory, onFault));
    t.after(async () => {
      await changing.opened.close();
      rmSync(directory, { recursive: true, force: true });
    });
    return changing;
  }

  get store(): EventStore {
    return this.opened;
  }

  async append(tenantId: string, events: StoredEvent[]): Promise<number> {
    const { receipt, duplicates } = await this.opened.append(tenantId, events);
    if (!(await this.opened.waitFor(receipt, 30_000))) throw new Error('the events did not become visible');
    return duplicates;
  }

  sort(): Promise<void> {
    return this.betweenOpenings((database) => sortArrivals(database.maintain, NO_OBSERVER));
  }

  merge(): Promise<void> {
    return this.betweenOpenings(async (database) => {
      const { runs } = await readTableState(database.maintainer);
      if (runs.length > 1) await mergeRuns(database.maintain, runs, NO_OBSERVER);
    });
  }

  reopen(): Promise<void> {
    return this.betweenOpenings(async () => undefined);
  }

  private async betweenOpenings(use: (database: AnalyticsDatabase) => Promise<unknown>): Promise<void> {
    await this.opened.close();
    const path = join(this.directory, EVENTS_FILE);
    const database = await AnalyticsDatabase.open(path, { readers: 1, memoryLimit: 512e6 });
    try {
      await use(database);
    } finally {
      await database.close();
    }
    this.opened = await openAt(this.directory, this.onFault);
  }
}

function openAt(directory: string, onFault: (error: unknown) => void): Promise<DuckdbEventStore> {
  return DuckdbEventStore.open(storeOptions(directory), { onFault });
}

/** The name of junk events, which no generated question selects. */
export const JUNK_NAME = 'runtime.junk';

const JUNK_VALUE: Record<Kind, unknown> = { text: 'junk', integer: 1, double: 0.5, boolean: true, container: {} };
let junkEvents = 0;

/** An event with more keys of these kinds than columns, if wanted with a dotted key too. */
export function junkEvent(kinds: Kind[], { dotted = false } = {}): StoredEvent {
  const keys = kinds.flatMap((kind) =>
    Array.from({ length: MAX_COLUMNS[kind] + 1 }, (_, index) => [`junk ${kind} ${index}`, JUNK_VALUE[kind]]),
  );
  const properties = { ...Object.fromEntries(keys), ...(dotted ? { 'junk.dotted': {} } : {}) };
  return {
    id: `junk ${++junkEvents}`,
    idFromCaller: false,
    agentId: 'junk',
    eventName: JUNK_NAME,
    timestamp: 0,
    threadId: null,
    executionId: null,
    properties: JSON.stringify(properties),
  };
}

/** Appends a part of every dataset, as shares of its events; each is a tenant of its own. */
export async function appendPart(changing: ChangingStore, datasets: Dataset[], from: number, to: number) {
  for (const { tenantId, events } of datasets) {
    const part = events.slice(Math.round(events.length * from), Math.round(events.length * to));
    if (part.length > 0) await changing.append(tenantId, part.map(storedEvent));
  }
}

export async function appendJunk(changing: ChangingStore, datasets: Dataset[], junk: () => StoredEvent) {
  for (const { tenantId } of datasets) await changing.append(tenantId, [junk()]);
}

export async function compareAll(store: EventStore, datasets: Dataset[], options: { seed: number; runs: number }) {
  const numRuns = Math.ceil(options.runs / datasets.length);
  const compared = datasets.map((dataset, index) =>
    compareOne(store, dataset, { seed: options.seed + index, numRuns }),
  );
  await Promise.all(compared);
}

async function compareOne(store: EventStore, dataset: Dataset, parameters: { seed: number; numRuns: number }) {
  const sameAnswer = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
    const found = difference(await actualAnswer(store, request, dataset), expectedAnswer(request, dataset));
    if (found !== null) throw new Error(`${dataset.tenantId}: ${found}\n${JSON.stringify(request)}`);
  });
  await fc.assert(sameAnswer, parameters);
}

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
