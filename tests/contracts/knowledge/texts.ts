import assert from 'node:assert/strict';
import { batch, chunk, HYGIENE, type KnowledgeBackend, newJob, openStore, plan, ROOM, suiteOf } from './backend.ts';

const ODD = 'a\u0000b\u0001c\u0002 \u{1f4a1}\uffee é';
/** By code points; UTF-16 has the last two the other way round. */
const IN_ORDER = ['Z', 'a', 'a\u0000', 'a\u0000b', 'a\u0001', 'a\u0002', 'a b', 'b', 'é', '\uffee', '\u{1f4a1}'];

/** What texts may hold, and their order. */
export function testTexts(backend: KnowledgeBackend): void {
  const { name } = backend;
  const { test } = suiteOf(backend);

  test(`KnowledgeStore (${name}): texts return as stored, U+0000 included`, async (t) => {
    const { store, created, claimed, close, at } = await openStore(t, backend);
    const metadata = { [ODD]: ODD, list: [ODD], deep: { [ODD]: ODD } };
    const made = await created(
      {
        ...{ jobId: `job ${ODD}`, documentId: `document ${ODD}`, vectorStore: ODD, fingerprint: ODD, uploadId: ODD },
        ...{ originalName: ODD, sourceId: ODD, agentId: ODD, metadata },
        options: { format: 'csv', csvContentColumns: [ODD], hygiene: HYGIENE },
      },
      ODD,
    );
    const claim = await claimed();
    assert.deepEqual([claim.options, claim.metadata, claim.uploadId], [made.options, metadata, ODD]);
    const headings = [ODD, 'plain'];
    const lease = { jobId: claim.job.jobId, fence: claim.fence };
    const chunks = [chunk(`pump ${ODD}`, { headings, metadata: { [ODD]: ODD, code: ODD } })];
    assert.equal(await store.commit(lease, batch(chunks, { checkpoint: { [ODD]: ODD } })), 1);
    await store.release(lease, false);
    const again = await claimed();
    assert.deepEqual(again.checkpoint, { [ODD]: ODD });
    assert.equal(await store.complete({ ...lease, fence: again.fence }, 5), true);
    await close();
    const { store: reopened } = await openStore(t, backend, at);
    const answer = await reopened.search(ODD, plan({ store: ODD, text: 'pump' }));
    const [hit] = answer?.hits ?? [];
    assert.deepEqual(
      [hit?.text, hit?.headings, hit?.name, hit?.documentId, hit?.metadata],
      [`pump ${ODD}`, headings, ODD, made.documentId, { ...metadata, code: ODD }],
    );
    const { items } = await reopened.listDocuments(ODD, { vectorStore: ODD, limit: 9, offset: 0 });
    assert.deepEqual([items[0]?.sourceId, items[0]?.metadata], [ODD, metadata]);
    assert.deepEqual(await reopened.findDocument(made.documentId), { tenantId: ODD, vectorStore: ODD });
    assert.deepEqual(
      (await reopened.listStores(ODD)).map((one) => one.name),
      [ODD],
    );
    const [end] = await reopened.unreportedJobs(1);
    assert.deepEqual([end?.agentId, end?.uploadId, end?.job.originalName], [ODD, ODD, ODD]);
    const { jobId } = newJob();
    await reopened.createJob('two', newJob({ jobId }), ROOM);
    assert.equal(await reopened.cancelJob('two', jobId, ODD, 6), true);
    assert.equal((await reopened.findJob(jobId))?.error, ODD);
  });

  test(`KnowledgeStore (${name}): names and values are ordered by code points`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    for (const vectorStore of IN_ORDER.toReversed()) await filled({ vectorStore });
    assert.deepEqual(
      (await store.listStores('one')).map((one) => one.name),
      IN_ORDER,
    );
    const chunks = IN_ORDER.map((value, index) => chunk(`word ${index}`, { metadata: { value } }));
    await filled({ tenantId: 'two', chunks });
    for (const [place, value] of IN_ORDER.entries()) {
      const above = await store.search(
        'two',
        plan({ text: 'word', limit: 99, tests: [{ key: 'value', test: 'gt', value }] }),
      );
      assert.equal(above?.total, IN_ORDER.length - place - 1, JSON.stringify(value));
      const same = await store.search(
        'two',
        plan({ text: 'word', tests: [{ key: 'value', test: 'in', values: [value] }] }),
      );
      assert.deepEqual(
        same?.hits.map(({ chunkIndex }) => chunkIndex),
        [place],
      );
    }
  });

  test(`KnowledgeStore (${name}): chunks of equal score are found in their order`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    await filled({ chunks: Array.from({ length: 40 }, () => chunk('the same few words')) });
    const { hits = [] } = (await store.search('one', plan({ text: 'words same', limit: 40 }))) ?? {};
    assert.deepEqual(
      hits.map(({ chunkIndex }) => chunkIndex),
      Array.from({ length: 40 }, (_, index) => index),
    );
  });
}
