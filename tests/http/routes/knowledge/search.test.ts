import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipOnServers, testApp } from '../../../support/app.ts';
import { type Answer, ask, type Desk, ingested, search, storePath } from '../../../support/knowledge.ts';
import { heldApp, newDesk, sharedApp } from './support.ts';

const CSV = {
  name: 'faq.csv',
  content: `lang,year,text
en,2023,How are refunds paid? Within 30 days
en,2024,Where is the warranty card of the pump?
pt,2024,Como são pagos os reembolsos? Em 30 dias
`,
};
const FIELDS = { csvContentColumns: 'text', csvMetadataColumns: 'lang,year', metadata: '{"team":"support"}' };

async function faq(app = sharedApp()): Promise<Desk> {
  const desk = await newDesk(await app);
  await ingested(desk, CSV, FIELDS);
  return desk;
}

const textsOf = ({ results }: Answer['body']): string[] =>
  results.map(({ text }: { text: string }) => text.slice(0, 9));

test('POST /vectors search: words find passages with position, metadata and total', async () => {
  const desk = await faq();
  const answer = await search(desk, 'manuals', 'refunds');
  const [{ documentId, score, ...first }] = answer.results;
  assert.deepEqual(first, {
    ...{ chunkIndex: 0, text: 'How are refunds paid? Within 30 days', source: { name: 'faq.csv', row: 1, line: 2 } },
    metadata: { team: 'support', lang: 'en', year: '2023' },
  });
  assert.ok(score > 0 && typeof documentId === 'string');
  assert.deepEqual([answer.mode, answer.embedder, answer.total, answer.note], ['lexical', 'none', 1, undefined]);
  const two = await search(desk, 'manuals', '30', { limit: 1 });
  assert.deepEqual([two.results.length, two.total], [1, 2]);
  assert.deepEqual(textsOf(await search(desk, 'manuals', 'sao')), ['Como são ']);
});

test('POST /vectors search: every filter narrows the results', async () => {
  const desk = await faq();
  const found = async (filter: object) => textsOf(await search(desk, 'manuals', 'are where como', { filter })).sort();
  assert.deepEqual(await found({ lang: 'pt' }), ['Como são ']);
  assert.deepEqual(await found({ lang: ['pt', 'en'], year: '2024' }), ['Como são ', 'Where is ']);
  assert.deepEqual(await found({ year: { gte: '2024' } }), ['Como são ', 'Where is ']);
  assert.deepEqual(await found({ team: { neq: 'support' } }), []);
  assert.deepEqual(await found({ nothing: { exists: false } }), ['Como são ', 'How are r', 'Where is ']);
});

test('POST /vectors search: no results are explained: corrections, empty store, filter', async () => {
  const desk = await faq();
  const mended = await search(desk, 'manuals', 'waranty');
  assert.deepEqual(textsOf(mended), ['Where is ']);
  assert.equal(mended.note, 'No passage has the word "waranty"; searched for "warranty".');
  assert.match((await search(desk, 'manuals', 'zzzzzzz')).note, /^Nothing was found\. Use other words\.$/);
  const filtered = await search(desk, 'manuals', 'refunds', { filter: { lang: 'xx' } });
  assert.equal(filtered.note, 'Nothing was found. Use other words, or a wider filter.');
  const { documents } = (await ask(desk, 'GET', `${storePath('manuals')}/documents`)).body;
  await ask(desk, 'DELETE', `${storePath('manuals')}/documents/${documents[0].documentId}`);
  assert.equal((await search(desk, 'manuals', 'refunds')).note, 'The store has no documents yet.');
});

test("POST /vectors search: an invalid request is refused with the member's name", async () => {
  const desk = await faq();
  const wrong: [body: unknown, message: RegExp][] = [
    [{ query: ' ' }, /^query: must say what to look for/],
    [{ query: 'x', filter: [1] }, /^filter: /],
    [{ query: 'x', filter: { year: {} } }, /^filter\.year/],
    [{ query: 'x', filter: { year: { above: 3 } } }, /^filter\.year/],
    [{ query: 'x', filter: { year: [null] } }, /^filter\.year/],
    [{ query: 'x', filter: { year: { in: [] } } }, /^filter\.year/],
    [{ query: 'x', filter: { 'a"b': 1 } }, /^filter/],
    [
      { query: 'x', filter: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 1])) },
      /^filter: .*20 keys/,
    ],
  ];
  for (const [body, message] of wrong) {
    const answer = await ask(desk, 'POST', `${storePath('manuals')}/search`, body);
    assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80));
    assert.match(answer.body.message[0], message, JSON.stringify(body).slice(0, 80));
  }
  assert.equal((await search(desk, 'manuals', 'refunds', { limit: 10_000 })).results.length, 1, 'capped');
  const { status, body } = await ask(desk, 'POST', `${storePath('manualls')}/search`, { query: 'x' });
  assert.deepEqual([status, body.message], [404, 'There is no vector store "manualls". There are "manuals".']);
});

test('POST /vectors search: a filter by __proto__ is refused, not left out', async () => {
  const desk = await faq();
  const query = JSON.parse('{"query":"refunds","filter":{"__proto__":{"eq":1}}}') as object;
  const { status, body } = await ask(desk, 'POST', `${storePath('manuals')}/search`, query);
  assert.deepEqual([status, body.message], [400, ['filter.__proto__: is not a metadata key']]);
});

test('POST /vectors search: vectors are refused in a store without an embedder', async () => {
  const desk = await faq();
  const { status, body } = await ask(desk, 'POST', `${storePath('manuals')}/search`, { query: 'x', mode: 'vector' });
  assert.equal(status, 422);
  assert.match(body.message, /^mode: the store manuals has no vectors.*Search it with mode lexical\.$/);
  assert.equal((await search(desk, 'manuals', 'refunds', { mode: 'hybrid' })).mode, 'lexical');
});

test('POST /vectors search: with an embedder every mode works; hybrid is the default', {
  skip: skipOnServers,
}, async (t) => {
  const desk = await faq(testApp(t, { embedder: 'hash' }));
  const modes = new Map<string, Answer['body']>();
  for (const mode of ['hybrid', 'vector', 'lexical'])
    modes.set(mode, await search(desk, 'manuals', 'refunds paid', { mode }));
  for (const [mode, answer] of modes) {
    assert.deepEqual([answer.mode, answer.embedder, textsOf(answer)[0]], [mode, 'hash', 'How are r']);
  }
  assert.deepEqual(
    [...modes.values()].map(({ total, results }) => [total, results.length]),
    [
      [3, 3],
      [3, 3],
      [1, 1],
    ],
  );
  assert.equal((await search(desk, 'manuals', 'refunds')).mode, 'hybrid');
  const { stores } = (await ask(desk, 'GET', storePath('').slice(0, -1))).body;
  assert.deepEqual([stores[0].embedder, stores[0].dimensions], ['hash', 1024]);
});

test('POST /vectors search: without a query vector words are searched; vectors are 502', {
  skip: skipOnServers,
}, async (t) => {
  const { app, letGo } = await heldApp(t);
  letGo();
  const desk = await newDesk(app);
  await ingested(desk, CSV, FIELDS);
  assert.equal((await search(desk, 'manuals', 'refunds')).mode, 'hybrid');
  const { embedders } = (app.runtime.knowledge as unknown as { parts: { embedders: { of: unknown } } }).parts;
  const of = () => ({
    semantic: true,
    embed: async () => {
      const { RuntimeError } = await import('../../../../src/core/base/shared/errors.ts');
      throw new RuntimeError('upstream', 'compatible/held made no vectors: It answered 500.');
    },
  });
  Object.assign(embedders, { of });
  const answer = await search(desk, 'manuals', 'refunds');
  assert.deepEqual([answer.mode, textsOf(answer)], ['lexical', ['How are r']]);
  assert.equal(answer.note, 'Searched by words alone: compatible/held made no vectors: It answered 500.');
  const { status } = await ask(desk, 'POST', `${storePath('manuals')}/search`, { query: 'refunds', mode: 'vector' });
  assert.equal(status, 502);
});
