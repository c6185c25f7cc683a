import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../src/core/base/shared/caller.ts';
import { newDesk, sharedApp, type TenantDesk } from '../http/routes/knowledge/support.ts';
import { ingested } from '../support/knowledge.ts';
import { assertSameAnswer } from './same-answer.ts';
import { answerOf } from './support.ts';

const NAME = 'search_knowledge';
const CSV = {
  name: 'faq.csv',
  content: 'lang,text\nen,How are refunds paid?\nen,Where is the pump?\npt,Como funciona a bomba?\n',
};
const FIELDS = { csvContentColumns: 'text', csvMetadataColumns: 'lang' };

async function caller(desk: TenantDesk, scopes: (Scope | '*')[] = ['mcp:read', 'knowledge:read']) {
  const client = await (await sharedApp()).mcpClient(await desk.newKey(scopes));
  return async (args: object) =>
    answerOf(await client.callTool({ name: NAME, arguments: args as Record<string, unknown> }));
}

async function faq(...stores: string[]): Promise<TenantDesk> {
  const desk = await newDesk();
  for (const vectorStore of stores) await ingested(desk, CSV, { ...FIELDS, vectorStore });
  return desk;
}

test('search_knowledge: the only store is the default; passages cite their source', async () => {
  const call = await caller(await faq('faq'));
  const { isError, text, data } = await call({ query: 'refunds' });
  assert.equal(isError, false, text);
  assertSameAnswer(text, data);
  const [{ documentId, score, ...found }] = data.results;
  assert.deepEqual(found, {
    ...{ chunkIndex: 0, text: 'How are refunds paid?', metadata: { lang: 'en' } },
    source: { name: 'faq.csv', row: 1, line: 2 },
  });
  assert.ok(documentId && score > 0);
  const { vectorStore, mode, embedder, total } = data;
  assert.deepEqual(
    { vectorStore, mode, embedder, total },
    { vectorStore: 'faq', mode: 'lexical', embedder: 'none', total: 1 },
  );
});

test('search_knowledge: with several stores one must be named; the error lists them', async () => {
  const call = await caller(await faq('b', 'a'));
  const unnamed = await call({ query: 'refunds' });
  assert.equal(unnamed.isError, true);
  assert.match(unnamed.text, /vectorStore: is required, since there are "a", "b"/);
  assert.equal((await call({ query: 'refunds', vectorStore: 'b' })).data.vectorStore, 'b');
  const unknown = await call({ query: 'refunds', vectorStore: 'c' });
  assert.deepEqual([unknown.isError, unknown.text], [true, 'There is no vector store "c". There are "a", "b".']);
});

test('search_knowledge: without a store it says how to create one', async () => {
  await faq('theirs');
  const call = await caller(await newDesk());
  const { isError, text } = await call({ query: 'refunds' });
  assert.equal(isError, true);
  assert.match(text, /^There is no vector store yet\. Files are ingested into one by POST \/api/);
  assert.match((await call({ query: 'refunds', vectorStore: 'theirs' })).text, /^There is no vector store "theirs"/);
});

test('search_knowledge: filters and limits narrow the answer; wrong ones are named', async () => {
  const call = await caller(await faq('faq'));
  const texts = async (args: object) => (await call(args)).data.results.map((found: { text: string }) => found.text);
  assert.deepEqual(await texts({ query: 'como where', filter: { lang: 'pt' } }), ['Como funciona a bomba?']);
  assert.deepEqual(await texts({ query: 'como where', filter: { lang: { neq: 'pt' } } }), ['Where is the pump?']);
  assert.equal((await texts({ query: 'como where how', limit: 2 })).length, 2);
  assert.equal((await texts({ query: 'como where how', limit: '2' })).length, 2);
  const spelled = { query: 'como where', filter: '{"lang":"pt"}', vectorStore: '', mode: null };
  assert.deepEqual(await texts(spelled), ['Como funciona a bomba?']);
  for (const [args, message] of [
    [{ query: 'x', filter: { lang: { like: 'p' } } }, /filter\.lang/],
    [{ query: '' }, /query: must/],
    [{ query: 'x', filter: { lang: null } }, /filter\.lang/],
    [{ query: 'x', filter: { lang: [] } }, /filter\.lang/],
    [{ query: 'x', filter: '{"lang":null}' }, /filter\.lang/],
    [{ query: 'x', filter: '{"__proto__":1}' }, /filter\.__proto__: is not a metadata key/],
    [{ query: ' ' }, /query: must say what to look for/],
    [{ query: 'x', filter: { lang: [null] } }, /filter\.lang/],
    [{ query: 'x', limit: 0 }, /limit: must be at least 1/],
    [{ query: 'x', store: 'faq' }, /store: unknown member/],
    [{ query: 'x', mode: 'vector' }, /mode: the store faq has no vectors/],
  ] as [object, RegExp][]) {
    const { isError, text } = await call(args);
    assert.equal(isError, true, JSON.stringify(args));
    assert.match(text, message);
  }
  assert.match(
    (await call({ query: 'refnuds' })).data.note,
    /^No passage has the word "refnuds"; searched for "refunds"\.$/,
  );
});

test('search_knowledge: an answer is bounded and says what was left out', async () => {
  const desk = await newDesk();
  const rows = Array.from({ length: 20 }, (_, index) => `${index},"pump ${'ação '.repeat(330)}${index}"`);
  const metadata = JSON.stringify({ long: 'x'.repeat(4_000) });
  await ingested(desk, { name: 'long.csv', content: `id,text\n${rows.join('\n')}\n` }, { metadata });
  const { data, text } = await (await caller(desk))({ query: 'pump', limit: 20 });
  const found = data.results.length;
  assert.ok(found > 1 && found < 20, `${found} passages`);
  assert.ok(Buffer.byteLength(text) < 42 * 1024, `${Buffer.byteLength(text)} bytes`);
  assert.equal(data.note, `${20 - found} more passages were left out, since the answer would be too long.`);
});

test('search_knowledge: a key without both scopes neither sees nor calls it', async () => {
  const desk = await faq('faq');
  const app = await sharedApp();
  const onlyMcp = await app.mcpClient(await desk.newKey(['mcp:read']));
  const { tools } = await onlyMcp.listTools();
  assert.equal(
    tools.some(({ name }) => name === NAME),
    false,
  );
  const { isError, text } = answerOf(await onlyMcp.callTool({ name: NAME, arguments: { query: 'refunds' } }));
  assert.equal(isError, true);
  assert.match(text, /insufficient_scope.*knowledge:read/);
  const call = await caller(desk, ['knowledge:read']);
  await assert.rejects(call({ query: 'refunds' }), /mcp:read|insufficient_scope|403/);
});
