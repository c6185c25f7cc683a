import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chunk, openStore, plan } from '../../../contracts/knowledge/backend.ts';
import { sqliteKnowledge } from '../sqlite/backend.ts';
import type { PostgresBackend } from './backend.ts';

const DOCS = join(import.meta.dirname, '../../../../docs');
const PORTUGUESE = [
  'O prazo de entrega é de cinco dias úteis; informações do cartão não são guardadas.',
  'Não consigo acesso à rede: a configuração da senha falhou em São Paulo.',
  'A ação do botão é rápida: açúcar e café. Reembolso por boleto em trinta dias.',
  '東京都の天気は晴れです。東京の天気。',
];
const QUERIES = [
  ...['vector store', 'how are documents deleted', 'the a of and to', 'API key scope', 'HTTP 503 retry'],
  ...['embedder dimensions', 'PostgreSQL', 'informacoes do cartao', 'NÃO acesso à rede', 'açucar', '東京', '天'],
  ...[
    'authenticaton of clients',
    'e-mail digest schedule time zone',
    'agent',
    'zzzz',
    'a',
    '429',
    'metrics metric metrics',
  ],
];

export function testBm25(backend: PostgresBackend): void {
  test('Search: BM25 is that of SQLite: the same chunks, scores and totals', async (t) => {
    const one = await openStore(t, sqliteKnowledge);
    const other = await openStore(t, backend);
    for (const { name, parts } of documents()) {
      for (const { filled } of [one, other]) {
        await filled({
          documentId: name,
          jobId: `job of ${name}`,
          chunks: parts.map((text) => chunk(text, { headings: [name] })),
        });
      }
    }
    // Hidden chunks count for the frequencies.
    for (const { begun, store } of [one, other]) {
      const { lease } = await begun({ jobId: 'hidden', documentId: 'hidden' });
      await store.commit(lease, {
        ...{ chunks: [chunk('a hidden vector store')], embedded: null, units: null, notes: [], checkpoint: {} },
        ...{ progress: 0.5, leaseMs: 1_000_000 },
      });
    }
    let compared = 0;
    for (const text of QUERIES) {
      const wanted = plan({ text, limit: 60 });
      const [expected, found] = [await one.store.search('one', wanted), await other.store.search('one', wanted)];
      assert.deepEqual([found?.total, found?.repaired], [expected?.total, expected?.repaired], text);
      assert.deepEqual(inOrder(found!.hits), inOrder(expected!.hits), text);
      for (const [place, { score }] of found!.hits.entries()) {
        assert.ok(Math.abs(score - expected!.hits[place]!.score) < 1e-9, `${text}: ${score}`);
      }
      compared += found!.hits.length;
    }
    assert.ok(compared > 400, `${compared} hits`);
  });
}

/** SQLite orders equal scores by bits that depend on the order of a sum. */
function inOrder(hits: readonly { documentId: string; chunkIndex: number; score: number }[]): string[] {
  const last = hits.at(-1)?.score.toFixed(9);
  return hits
    .filter(({ score }) => hits.length < 60 || score.toFixed(9) !== last)
    .map(({ documentId, chunkIndex, score }) => ({ name: `${documentId} ${chunkIndex}`, score: score.toFixed(9) }))
    .sort((a, b) => Number(b.score) - Number(a.score) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

function documents(): { name: string; parts: string[] }[] {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  return [
    { name: 'pt', parts: PORTUGUESE },
    ...pages.map((name) => ({ name, parts: readFileSync(join(DOCS, name), 'utf8').split(/\n\n+/).filter(Boolean) })),
  ];
}
