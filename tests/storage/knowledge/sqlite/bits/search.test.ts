import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BitsIndex } from '../../../../../src/storage/knowledge/sqlite/bits/index.ts';
import { openForSearch, statementsOf } from '../../../../../src/storage/knowledge/sqlite/client.ts';
import type { Statements } from '../../../../../src/storage/state/sqlite/prepared.ts';
import { type Asked, BEFORE_BITS, type Entry, numbers, openWithBits, similarity } from './support.ts';

const DIMENSIONS = 16;
const EXACT = 300;
/** Scores of the same vectors differ in their last digits: these are compared in single precision. */
const TOLERANCE = 1e-5;

/** Around 60 centres, as meanings are. */
function vectors(seed: number): () => number[] {
  const random = numbers(seed);
  const drawn = () => Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const centres = Array.from({ length: 60 }, drawn);
  return () => {
    const noise = drawn();
    return centres[Math.floor(random() * centres.length)]!.map((value, index) => value + noise[index]! * 0.6);
  };
}

let counter = 0;

function entries(count: number, vector: () => number[]): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    counter += 1;
    return { text: `text ${counter}`, vector: vector(), metadata: { half: index % 2, rare: index % 40 } };
  });
}

/** Compares an answer with all entries, and returns how many of the nearest it has. */
function assertRight(
  all: Entry[],
  asked: Asked,
  { hits, total }: ReturnType<ReturnType<typeof openWithBits>['exact']>,
) {
  const byText = new Map(all.map((entry) => [entry.text, entry]));
  const scores = all.map(({ vector }) => similarity(vector, asked.vector)).sort((one, other) => other - one);
  assert.equal(total, all.length);
  assert.equal(hits.length, Math.min(asked.limit, all.length));
  assert.equal(new Set(hits.map(({ text }) => text)).size, hits.length);
  for (const [place, { text, score }] of hits.entries()) {
    const entry = byText.get(text);
    assert.ok(entry, `${text} is to be found`);
    assert.ok(Math.abs(score - similarity(entry.vector, asked.vector)) < TOLERANCE, text);
    if (place > 0) assert.ok(score <= hits[place - 1]!.score);
  }
  const least = scores[hits.length - 1]! - TOLERANCE;
  return { nearest: hits.length, found: hits.filter(({ score }) => score >= least).length };
}

const half = [{ key: 'half', test: 'in' as const, values: [1] }];
const rare = [{ key: 'rare', test: 'in' as const, values: [7] }];

/** Documents of a store that are found, in the order of their coming. */
type Documents = Map<string, Entry[]>;

async function changed(opened: ReturnType<typeof openWithBits>, documents: Documents, seed: number, steps: number) {
  const random = numbers(seed);
  const vector = vectors(seed);
  for (let step = 0; step < steps; step++) {
    const kind = random();
    const ids = [...documents.keys()];
    const some = ids[Math.floor(random() * ids.length)];
    if (kind < 0.25 && some !== undefined && ids.length > 3) {
      await opened.store.deleteDocument('one', 'manuals', some, 2);
      documents.delete(some);
    } else {
      const sourceId = kind < 0.5 ? 'replaced' : null;
      const added = entries(20 + Math.floor(random() * 900), vector);
      const id = await opened.added(added, { sourceId });
      if (sourceId !== null) {
        for (const known of ids) if (known.startsWith('replaced ')) documents.delete(known);
        documents.set(`replaced ${id}`, added);
      } else documents.set(id, added);
    }
    if (random() < 0.5) await opened.store.settle();
    if (random() < 0.7) await opened.indexed();
  }
}

async function assertSearches(opened: ReturnType<typeof openWithBits>, documents: Documents, seed: number) {
  const all = [...documents.values()].flat();
  const vector = vectors(seed);
  const sum = { nearest: 0, found: 0 };
  for (let number = 0; number < 6; number++) {
    for (const [tests, found] of [
      [[], all],
      [half, all.filter(({ metadata }) => metadata.half === 1)],
      [rare, all.filter(({ metadata }) => metadata.rare === 7)],
    ] as const) {
      const asked = { vector: vector(), limit: 10, tests: [...tests] };
      const answer = opened.byBits(asked);
      const { nearest, found: hits } = assertRight(found, asked, answer);
      if (found.length <= EXACT) assert.equal(hits, nearest, 'few are searched exactly');
      sum.nearest += nearest;
      sum.found += hits;
      assert.deepEqual(opened.byBitsRead(asked), answer);
      const exact = assertRight(found, asked, opened.exact(asked));
      assert.equal(exact.found, exact.nearest);
    }
  }
  assert.ok(sum.found >= 0.95 * sum.nearest, `${sum.found} of ${sum.nearest}`);
}

for (const seed of [1, 2, 3]) {
  test(`Search by bits: right while documents come, change and go (${seed})`, async (t) => {
    const opened = openWithBits(t, EXACT);
    const documents: Documents = new Map();
    const first = entries(2_500, vectors(seed));
    documents.set(await opened.added(first), first);
    for (let round = 0; round < 3; round++) {
      await changed(opened, documents, seed * 100 + round, 5);
      await assertSearches(opened, documents, seed * 10 + round);
    }
    await opened.store.settle();
    await opened.indexed();
    await assertSearches(opened, documents, seed * 10 + 9);
    const { vectors: kept } = opened.database.prepare('SELECT sum(vectors) AS vectors FROM bits').get() as {
      vectors: number;
    };
    const live = [...documents.values()].flat().length;
    assert.ok(kept <= live && kept > live - 256, `bits of ${kept} vectors are kept, of ${live}`);
    await opened.store.dropStore('one', 'manuals', 3);
    await opened.store.settle();
    assert.equal(opened.database.prepare('SELECT count(*) FROM bits').pluck().get(), 0);
  });
}

async function large(t: TestContext, added: Entry[]) {
  const opened = openWithBits(t, EXACT);
  await opened.added(added);
  await opened.indexed();
  return opened;
}

const candidatesOf = ({ database }: Pick<ReturnType<typeof openWithBits>, 'database'>) =>
  database.prepare('SELECT bits, candidates, recall, measured FROM stores').get() as Record<string, number | null>;

test('Search by bits: equally near chunks come in the order of exact search', async (t) => {
  const random = vectors(4);
  const same = random();
  const added = entries(3_000, random);
  const equal = added.filter((_, index) => index % 5 === 3);
  for (const entry of equal) entry.vector = same;
  const opened = await large(t, added);
  assert.notEqual(candidatesOf(opened).candidates, null);
  for (const tests of [[], half]) {
    const asked = { vector: same, limit: 50, tests };
    const wanted = equal.filter(({ metadata }) => tests.length === 0 || metadata.half === 1).slice(0, 50);
    for (const search of [opened.byBits, opened.exact]) {
      assert.deepEqual(
        search(asked).hits.map(({ text }) => text),
        wanted.map(({ text }) => text),
      );
    }
  }
});

test('Search by bits: hidden documents take no places of others, however near and many', async (t) => {
  const opened = openWithBits(t, EXACT);
  const near = Array.from({ length: DIMENSIONS }, (_, index) => (index === 0 ? 1 : 0));
  const far = vectors(5);
  for (let number = 0; number < 12; number++) {
    await opened.started(
      entries(250, () => near),
      { sourceId: `hidden ${number}` },
    );
  }
  const found = entries(2_000, far);
  await opened.added(found);
  await opened.indexed();
  assert.notEqual(candidatesOf(opened).candidates, null);
  const asked = { vector: near, limit: 20 };
  const { nearest, found: hits } = assertRight(found, asked, opened.byBits(asked));
  assert.ok(hits >= nearest - 1, `${hits} of ${nearest}`);
});

test('BitsUpkeep: recall is measured, and again once the store has doubled', async (t) => {
  const vector = vectors(6);
  const opened = await large(t, entries(1_500, vector));
  const first = candidatesOf(opened);
  assert.ok(first.recall! >= 0.98 && first.candidates! >= 100 && first.bits === 512, JSON.stringify(first));
  await opened.added(entries(1_000, vector));
  await opened.indexed();
  assert.equal(candidatesOf(opened).measured, first.measured);
  await opened.added(entries(1_000, vector));
  await opened.indexed();
  assert.ok(candidatesOf(opened).measured! > 3_000);
});

test('BitsUpkeep: a store whose bits find too little is searched exactly', async (t) => {
  const random = numbers(8);
  // The angles between these are far smaller than one bit tells.
  const vector = () => [0.8, 0.6 + random() * 1e-4];
  const opened = await large(t, entries(5_000, vector));
  const { bits, candidates, recall } = candidatesOf(opened);
  assert.deepEqual([bits, candidates], [2_048, null]);
  assert.ok(recall! < 0.95);
  const asked = { vector: vector(), limit: 10 };
  assert.deepEqual(opened.byBits(asked), opened.exact(asked));
});

test('BitsUpkeep: a store that is not large has no bits', async (t) => {
  const opened = await large(t, entries(EXACT, vectors(9)));
  assert.deepEqual(candidatesOf(opened), { bits: null, candidates: null, recall: null, measured: 0 });
  assert.equal(opened.database.prepare('SELECT count(*) FROM bits').pluck().get(), 0);
});

test('BitsUpkeep: a file of before is searched by bits once they are made', async (t) => {
  const vector = vectors(10);
  const before = openWithBits(t, EXACT);
  await before.added(entries(1_500, vector));
  await before.store.close();
  before.database.exec(BEFORE_BITS);
  const opened = openWithBits(t, EXACT, before.path);
  const asked = { vector: vector(), limit: 10 };
  assert.deepEqual(opened.byBits(asked), opened.exact(asked));
  assert.equal(candidatesOf(opened).candidates, null);
  await opened.indexed();
  assert.ok(candidatesOf(opened).recall! >= 0.98);
  assert.deepEqual(opened.byBits(asked).hits[0], opened.exact(asked).hits[0]);
});

test('BitsIndex: bits in memory are bounded by their bytes', async (t) => {
  const opened = await large(t, entries(5_000, vectors(11)));
  const { path, database } = opened;
  const { id, bits } = database.prepare('SELECT id, bits FROM stores').get() as { id: number; bits: number };
  const size = 'SELECT sum(length(chunks) + length(documents) + length(bits)) FROM bits';
  const bytes = database.prepare<[], number>(size).pluck().get()!;
  const reader = openForSearch(path);
  t.after(() => reader.close());
  const statements = statementsOf(reader);
  const readAgain = (keptBytes: number) => {
    let reads = 0;
    const of = (sql: string) => {
      if (sql.includes('SELECT chunks')) reads += 1;
      return statements.of(sql);
    };
    const index = new BitsIndex({ of } as Statements, keptBytes);
    const nearest = () => index.nearest({ id, dimensions: DIMENSIONS, bits }, new Float32Array(DIMENSIONS), 10, null);
    const first = nearest();
    reads = 0;
    assert.deepEqual(nearest(), first);
    return reads;
  };
  assert.equal(readAgain(bytes), 0);
  assert.ok(readAgain(bytes - 1) > 0);
  assert.equal(readAgain(0), 3, 'every block');
});
