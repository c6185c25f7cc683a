import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipOnServers } from '../../../support/app.ts';
import { accepted, ask, ended, ingested, jobOf, search, send, storePath, VECTORS } from '../../../support/knowledge.ts';
import { eventually } from '../../../support/process.ts';
import { heldApp, newDesk, sharedApp } from './support.ts';

const text = (content: string, name = 'a.txt') => ({ name, content });
const nameOf = ({ name }: { name: string }) => name;

test('GET /vectors stores: by name with their contents, in pages', async () => {
  const desk = await newDesk();
  assert.deepEqual(await ask(desk, 'GET', `${VECTORS}/stores`), { status: 200, body: { stores: [], total: 0 } });
  for (const vectorStore of ['b', 'a', 'c']) await ingested(desk, text(vectorStore), { vectorStore });
  await ingested(desk, text('more'), { vectorStore: 'b' });
  const { body } = await ask(desk, 'GET', `${VECTORS}/stores`);
  assert.deepEqual([body.total, body.stores.map(nameOf)], [3, ['a', 'b', 'c']]);
  const { createdAt, ...rest } = body.stores[1];
  assert.deepEqual(rest, { name: 'b', embedder: 'none', dimensions: null, documents: 2, chunks: 2, size: 5 });
  assert.match(createdAt, /Z$/);
  const page = (await ask(desk, 'GET', `${VECTORS}/stores?limit=1&offset=1`)).body;
  assert.deepEqual([page.total, page.stores.map(nameOf)], [3, ['b']]);
  assert.equal((await ask(desk, 'GET', `${VECTORS}/stores?limit=0`)).status, 400);
});

test('/vectors stores: created empty, read, and renamed to a name that is free', async () => {
  const desk = await newDesk();
  const stores = `${VECTORS}/stores`;
  const made = await ask(desk, 'POST', stores, { name: 'manuals' });
  const { createdAt, ...rest } = made.body;
  const empty = { embedder: 'none', dimensions: null, documents: 0, chunks: 0, size: 0 };
  assert.deepEqual([made.status, rest], [201, { name: 'manuals', ...empty }]);
  const again = await ask(desk, 'POST', stores, { name: 'manuals' });
  assert.deepEqual(
    [again.status, again.body.message],
    [409, 'There is a vector store "manuals" already. Choose another name.'],
  );
  await ingested(desk, text('pump'));
  const renamed = await ask(desk, 'PATCH', storePath('manuals'), { name: 'handbooks' });
  assert.deepEqual(
    [renamed.status, renamed.body],
    [200, { ...empty, name: 'handbooks', documents: 1, chunks: 1, size: 4, createdAt }],
  );
  assert.deepEqual((await ask(desk, 'GET', storePath('handbooks'))).body, renamed.body);
  assert.equal((await ask(desk, 'GET', storePath('manuals'))).status, 404);
  assert.equal((await search(desk, 'handbooks', 'pump')).total, 1);
  await ask(desk, 'POST', stores, { name: 'manuals' });
  assert.equal((await ask(desk, 'PATCH', storePath('handbooks'), { name: 'manuals' })).status, 409);
  assert.equal((await ask(desk, 'PATCH', storePath('handbooks'), { name: 'handbooks' })).status, 200);
  const reader = { ...desk, key: await desk.newKey(['knowledge:read']) };
  assert.equal((await ask(reader, 'POST', stores, { name: 'x' })).status, 403);
  assert.equal((await ask(reader, 'PATCH', storePath('manuals'), { name: 'x' })).status, 403);
});

test('GET /vectors document: its passages around one that was found', async () => {
  const desk = await newDesk();
  const rows = Array.from({ length: 30 }, (_, index) => `item ${index + 1}`).join('\n');
  const { documentId } = await ingested(desk, { name: 'items.csv', content: `name\n${rows}\n` });
  const { results, words } = await search(desk, 'manuals', 'Item 17');
  assert.deepEqual(words.sort(), ['17', 'item']);
  const [{ chunkIndex, source }] = results;
  const path = `${storePath('manuals')}/documents/${documentId}`;
  const { status, body } = await ask(desk, 'GET', `${path}?from=${chunkIndex - 1}&limit=3`);
  assert.deepEqual([status, body.name, body.chunks, source.row], [200, 'items.csv', 30, 17]);
  const [{ line, ...before }, ...after] = body.passages;
  assert.deepEqual(before, { chunkIndex: 15, text: 'name: item 16', row: 16 });
  assert.ok(line > 0);
  assert.deepEqual(
    after.map(({ row }: { row: number }) => row),
    [17, 18],
  );
  assert.deepEqual((await ask(desk, 'GET', `${path}?from=30`)).body.passages, []);
  assert.equal((await ask(desk, 'GET', `${path}?from=-1`)).status, 400);
  assert.equal((await ask(desk, 'GET', `${storePath('manuals')}/documents/x`)).status, 404);
});

test('POST /vectors ingest: a file replaces the document that it names', async () => {
  const desk = await newDesk();
  const { documentId } = await ingested(desk, text('first edition'));
  const refused = await send(desk, text('second'), { replaces: documentId, metadata: '{"sourceId":"other"}' });
  assert.deepEqual(
    [refused.status, refused.body.message],
    [400, ['metadata.sourceId: is that of another document than the replaced one; leave it out']],
  );
  assert.equal((await send(desk, text('second'), { replaces: 'nothing' })).status, 404);
  const second = await ingested(desk, text('second edition'), { replaces: documentId });
  const { documents, total } = (await ask(desk, 'GET', `${storePath('manuals')}/documents`)).body;
  assert.deepEqual(
    [total, documents[0].documentId, documents[0].sourceId],
    [1, second.documentId, documentId],
    'the first one is gone, and the second can be replaced in its place',
  );
  await ingested(desk, text('third edition'), { replaces: second.documentId });
  const { results } = await search(desk, 'manuals', 'edition');
  assert.deepEqual(
    results.map((found: { text: string }) => found.text),
    ['third edition'],
  );
});

test('GET /vectors limits: what a file must meet', async () => {
  const desk = await newDesk();
  const { body } = await ask(desk, 'GET', `${VECTORS}/files/limits`);
  const { extensions, ...rest } = body;
  assert.ok(extensions.includes('pdf') && extensions.includes('tsv'));
  assert.deepEqual(rest, { fileBytes: 2_147_483_648, documentBytes: null, storedBytes: null, embedder: 'none' });
  const { runtime } = await sharedApp();
  await runtime.quotas.changeTenant({ id: desk.tenantId }, { documents: 1_000 });
  await ingested(desk, text('pump'));
  const { documentBytes, storedBytes } = (await ask(desk, 'GET', `${VECTORS}/files/limits`)).body;
  assert.deepEqual([documentBytes, storedBytes], [1_000, 4]);
});

test('GET /vectors documents: newest first, as sent, in pages', async () => {
  const desk = await newDesk();
  const jobs = [];
  for (const name of ['1.txt', '2.txt', '3.txt']) {
    jobs.unshift(await ingested(desk, text('content', name), { metadata: `{"a":{"b":[1]},"sourceId":"s${name}"}` }));
  }
  const path = `${storePath('manuals')}/documents`;
  const { body } = await ask(desk, 'GET', path);
  assert.deepEqual(body.documents[0], {
    ...{ documentId: jobs[0].documentId, name: '3.txt', format: 'txt', size: 7, chunks: 1, sourceId: 's3.txt' },
    ...{ metadata: { a: { b: [1] }, sourceId: 's3.txt' }, createdAt: jobs[0].createdAt },
  });
  assert.deepEqual([body.total, body.documents.map(nameOf)], [3, ['3.txt', '2.txt', '1.txt']]);
  const page = (await ask(desk, 'GET', `${path}?limit=1&offset=2`)).body;
  assert.deepEqual([page.total, page.documents.map(nameOf)], [3, ['1.txt']]);
  const named = (await ask(desk, 'GET', `${path}?search=2.T`)).body;
  assert.deepEqual([named.total, named.documents.map(nameOf)], [1, ['2.txt']]);
  assert.equal((await ask(desk, 'GET', `${storePath('nothing')}/documents`)).status, 404);
});

test('POST /vectors ingest: a file replaces that of its sourceId once it is ingested', async () => {
  const desk = await newDesk();
  const metadata = '{"sourceId":"page"}';
  const first = await ingested(desk, text('first edition'), { metadata });
  const broken = await ended(desk, await accepted(desk, { name: 'a.pdf', content: 'broken' }, { metadata }));
  assert.equal(broken.status, 'failed');
  assert.equal((await search(desk, 'manuals', 'edition')).results[0].text, 'first edition');
  const second = await ingested(desk, text('second edition'), { metadata });
  assert.notEqual(second.documentId, first.documentId);
  const { results } = await search(desk, 'manuals', 'edition');
  assert.deepEqual(
    results.map(({ text: found }: { text: string }) => found),
    ['second edition'],
  );
  assert.equal((await ask(desk, 'DELETE', `${storePath('manuals')}/documents/${first.documentId}`)).status, 404);
});

test('DELETE /vectors document: it is no longer found; one elsewhere is named as such', async () => {
  const desk = await newDesk();
  const { documentId } = await ingested(desk, text('pump'));
  await ingested(desk, text('pump in another'), { vectorStore: 'other' });
  const elsewhere = await ask(desk, 'DELETE', `${storePath('other')}/documents/${documentId}`);
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.message],
    [404, `There is no document "${documentId}" in other; it is in manuals.`],
  );
  assert.deepEqual(await ask(desk, 'DELETE', `${storePath('manuals')}/documents/${documentId}`), {
    status: 204,
    body: undefined,
  });
  assert.equal((await ask(desk, 'DELETE', `${storePath('manuals')}/documents/${documentId}`)).status, 404);
  assert.deepEqual((await search(desk, 'manuals', 'pump')).results, []);
  assert.equal((await search(desk, 'other', 'pump')).results.length, 1);
});

test('DELETE /vectors store: its contents are gone, and its name is free at once', {
  skip: skipOnServers,
}, async (t) => {
  const { app, letGo } = await heldApp(t);
  const desk = await newDesk(app);
  const running = await accepted(desk, text('running'));
  const waiting = await accepted(desk, text('waiting', 'b.txt'));
  await eventually('it is processed', async () => (await jobOf(desk, running)).status === 'processing', 5_000);
  assert.equal((await ask(desk, 'DELETE', storePath('manuals'))).status, 204);
  for (const jobId of [running, waiting]) {
    const { status, error } = await jobOf(desk, jobId);
    assert.deepEqual([status, error], ['failed', 'The vector store was deleted.']);
  }
  const gone = await ask(desk, 'DELETE', storePath('manuals'));
  assert.deepEqual([gone.status, gone.body.message], [404, 'There is no vector store "manuals". There is none yet.']);
  const next = await accepted(desk, text('running'));
  letGo();
  assert.equal((await ended(desk, next)).status, 'completed');
  const { results, total } = await search(desk, 'manuals', 'running');
  assert.deepEqual([results.length, total], [1, 1]);
});

test('/vectors: an invalid store name is refused by every route', async () => {
  const desk = await newDesk();
  for (const [method, path] of [
    ['GET', `${storePath('a%2Fb')}/documents`],
    ['DELETE', storePath('%20')],
    ['POST', `${storePath('%F0%9F%98%80')}/search`],
    ['DELETE', `${storePath('a'.repeat(101))}/documents/x`],
  ] as const) {
    const { status, body } = await ask(desk, method, path, method === 'POST' ? { query: 'x' } : undefined);
    assert.equal(status, 400, path);
    assert.match(body.message[0], /^name: must be 1-100 letters, digits/, path);
  }
});

test("/vectors: two tenants' stores of one name are separate", async () => {
  const [one, other] = [await newDesk(), await newDesk()];
  await ingested(one, text('mine pump'));
  await ingested(other, text('theirs pump'));
  assert.deepEqual(
    (await search(one, 'manuals', 'pump theirs')).results.map((found: { text: string }) => found.text),
    ['mine pump'],
  );
  assert.equal((await ask(one, 'DELETE', storePath('manuals'))).status, 204);
  assert.equal((await search(other, 'manuals', 'pump')).total, 1);
  assert.equal((await send(one, text('again'))).status, 202);
});
