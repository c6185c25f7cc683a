import assert from 'node:assert/strict';
import { batch, chunk, type KnowledgeBackend, newJob, openStore, plan, ROOM, suiteOf } from './backend.ts';

const CHUNKS = [chunk('red valve'), chunk('blue valve')];
const VECTORS = [
  [1, 0],
  [0, 1],
];
const content = 'digest of the file';
const inTeam = (team: string) => [{ key: 'team', test: 'in' as const, values: [team] }];

export function testRepeats(backend: KnowledgeBackend): void {
  const port = `KnowledgeStore (${backend.name})`;
  const { test, vectorTest } = suiteOf(backend);

  test(`${port}: of documents of equal content the first is found, then the next one`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    const jobs = [];
    for (let copy = 0; copy < 3; copy += 1) jobs.push(await filled({ content, chunks: CHUNKS }));
    await filled({ content: 'another', chunks: [chunk('green valve')] });
    for (const { documentId } of jobs) {
      const { hits, total } = (await store.search('one', plan({ text: 'valve' })))!;
      assert.deepEqual([hits.length, total], [3, 3]);
      assert.deepEqual([...new Set(hits.map((hit) => hit.documentId))].toSorted()[0], documentId);
      assert.equal((await store.listDocuments('one', { vectorStore: 'manuals', limit: 9, offset: 0 })).total > 1, true);
      assert.equal(await store.deleteDocument('one', 'manuals', documentId, 99), true);
    }
    assert.equal((await store.search('one', plan({ text: 'valve' })))!.total, 1);
  });

  test(`${port}: a filter finds the first of equal documents that passes it`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    const jobs = [];
    for (const team of ['a', 'b', 'b']) jobs.push(await filled({ content, chunks: CHUNKS, metadata: { team } }));
    for (const [team, first] of [
      ['a', jobs[0]!],
      ['b', jobs[1]!],
    ] as const) {
      const { hits, total } = (await store.search('one', plan({ text: 'red', tests: inTeam(team) })))!;
      assert.deepEqual([hits.map((hit) => hit.documentId), total], [[first.documentId], 1]);
    }
  });

  test(`${port}: names the first document of equal content, unless it is to be replaced`, async (t) => {
    const { store, filled, claimed } = await openStore(t, backend);
    const same = async (members: object) => {
      const result = await store.createJob('one', newJob({ content, ...members }), ROOM);
      assert.equal(result.outcome, 'created');
      return result.same;
    };
    const first = await filled({ content, chunks: CHUNKS, sourceId: 'x', originalName: 'first.pdf' });
    const named = { documentId: first.documentId, name: 'first.pdf' };
    assert.deepEqual(await same({}), named);
    assert.deepEqual(await same({ sourceId: 'y' }), named);
    assert.notDeepEqual(await same({ sourceId: 'x' }), named);
    assert.equal(await same({ content: null }), null);
    assert.equal(await same({ vectorStore: 'other' }), null);
    assert.ok(await claimed());
    assert.equal(((await store.createJob('two', newJob({ content }), ROOM)) as { same: unknown }).same, null);
  });

  test(`${port}: a replaced or restarted document leaves its content to the other one`, async (t) => {
    const { store, filled, begun, texts } = await openStore(t, backend);
    const other = await filled({ content, chunks: CHUNKS, sourceId: 'x' });
    const { lease, job } = await begun({ content, sourceId: 'x' });
    await store.commit(lease, batch(CHUNKS));
    assert.equal(await store.restart(lease), true);
    await store.commit(lease, batch(CHUNKS));
    assert.deepEqual(await texts({ text: 'red' }), ['red valve']);
    assert.equal(await store.complete(lease, 50), true);
    const { hits } = (await store.search('one', plan({ text: 'red' })))!;
    assert.deepEqual(
      hits.map(({ documentId }) => documentId),
      [job.documentId],
    );
    assert.notEqual(job.documentId, other.documentId);
    await filled({ content, chunks: CHUNKS });
    assert.deepEqual(await texts({ text: 'red' }), ['red valve']);
  });

  test(`${port}: notes of a job are shown with it, and forgotten when it starts again`, async (t) => {
    const { store, begun, job } = await openStore(t, backend);
    const { lease, job: created } = await begun();
    assert.deepEqual((await job(created.jobId)).notes, []);
    await store.commit(lease, batch(CHUNKS, { notes: ['Text in pictures was not read.'] }));
    assert.deepEqual((await job(created.jobId)).notes, ['Text in pictures was not read.']);
    await store.restart(lease);
    assert.deepEqual((await job(created.jobId)).notes, []);
  });

  vectorTest(`${port}: vectors of equal documents are found once, in every mode`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    // More than a search leaves out by name.
    for (let copy = 0; copy < 12; copy += 1) {
      await filled({ content, chunks: CHUNKS, vectors: VECTORS, metadata: { team: copy < 2 ? 'a' : 'b' } });
      const vector = Float32Array.from([1, 0]);
      for (const text of [null, 'red']) {
        for (const tests of [[], inTeam(copy < 2 ? 'a' : 'b')]) {
          const { hits, total } = (await store.search('one', plan({ text, vector, tests })))!;
          assert.deepEqual([hits.map((hit) => hit.text), total], [['red valve', 'blue valve'], 2], `copy ${copy}`);
        }
      }
    }
  });
}
