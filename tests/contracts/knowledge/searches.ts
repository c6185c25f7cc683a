import assert from 'node:assert/strict';
import {
  batch,
  chunk,
  EMBEDDER,
  type KnowledgeBackend,
  newJob,
  openStore,
  plan,
  planted,
  ROOM,
  suiteOf,
} from './backend.ts';

const TEXTS = [
  'A ação do botão é rápida: açúcar e café',
  '東京都の天気は晴れです',
  'サーバーを再起動する',
  'ภาษาไทยง่าย',
  '한국어 문서를 검색한다',
  'Refunds are paid within 30 days, e-mail a.b@c.de',
  'Ä straße in МОСКВА, naïve résumé',
  '家',
];

export function testSearches(backend: KnowledgeBackend): void {
  const { name } = backend;
  const { test, vectorTest } = suiteOf(backend);

  test(`KnowledgeStore (${name}): words match in any script, accent and case`, async (t) => {
    const { filled, texts } = await openStore(t, backend);
    await filled({ chunks: TEXTS.map((text) => chunk(text)) });
    const found: Record<number, string[]> = {
      0: ['acao', 'AÇÃO', 'botao', 'acucar', 'cafe', 'ac\u0327a\u0303o'],
      1: ['東京', '天気', '京都', '晴れ'],
      2: ['サーバー', '再起動', '動'],
      3: ['ภาษา', 'ไทย'],
      4: ['한국어', '검색'],
      5: ['refunds', '30', 'MAIL', 'within days'],
      6: ['москва', 'naive', 'resume', 'straße'],
      7: ['家'],
    };
    for (const [place, queries] of Object.entries(found)) {
      for (const query of queries) assert.equal((await texts({ text: query }))?.[0], TEXTS[Number(place)], query);
    }
  });

  test(`KnowledgeStore (${name}): a query is words, never query syntax`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    await filled({ chunks: TEXTS.map((text) => chunk(text)) });
    const hostile = [
      ...[
        '"',
        '*',
        'refunds*',
        'NEAR(',
        'a OR',
        'NOT',
        '-',
        '^',
        'text:refunds',
        '{a}',
        "';--",
        '\0',
        '\ud800',
        '%',
        '_',
      ],
      ...[
        '(',
        ')',
        '""',
        '+',
        'headings : x',
        '~!@#$',
        '🌍',
        '\u202e',
        ' '.repeat(100),
        'AND AND',
        '"refunds" NOT "days"',
      ],
      'x '.repeat(1_500),
      Array.from({ length: 900 }, (_, index) => `w${index}`).join(' '),
    ];
    for (const text of hostile) {
      const answer = await store.search('one', plan({ text }));
      assert.ok(answer && answer.total === answer.hits.length, text);
    }
    assert.equal((await store.search('one', plan({ text: '"refunds" NOT "days"' })))?.hits.length, 1);
  });

  test(`KnowledgeStore (${name}): headings are searched`, async (t) => {
    const { filled, texts } = await openStore(t, backend);
    await filled({ chunks: [chunk('one', { headings: ['Warranty', 'Pümpe'] }), chunk('two')] });
    assert.deepEqual(await texts({ text: 'warranty' }), ['one']);
    assert.deepEqual(await texts({ text: 'pumpe' }), ['one']);
  });

  test(`KnowledgeStore (${name}): a misspelt word is corrected and reported`, async (t) => {
    const { store, filled, texts } = await openStore(t, backend);
    await filled({ chunks: [chunk('the invoice is paid'), chunk('the warranty ends'), chunk('an invoice again')] });
    const answer = await store.search('one', plan({ text: 'invioce' }));
    assert.deepEqual(answer?.repaired, [{ word: 'invioce', by: ['invoice'] }]);
    assert.deepEqual(answer?.hits.map(({ text }) => text).sort(), ['an invoice again', 'the invoice is paid']);
    assert.deepEqual((await store.search('one', plan({ text: 'waranty invoice' })))?.total, 3);
    assert.deepEqual(await texts({ text: 'zzzzzzzz' }), []);
    assert.deepEqual((await store.search('one', plan({ text: 'invoice' })))?.repaired, [], 'a known word stays');
  });

  test(`KnowledgeStore (${name}): words of most chunks are ignored if others are left`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    await filled({
      chunks: Array.from({ length: 150 }, (_, index) => chunk(`the page ${index} ${index === 70 ? 'pump' : ''}`)),
    });
    const both = await store.search('one', plan({ text: 'the pump' }));
    assert.deepEqual([both?.total, both?.hits.length, both?.hits[0]?.chunkIndex], [1, 1, 70]);
    const common = await store.search('one', plan({ text: 'the page', limit: 50 }));
    assert.deepEqual([common?.total, common?.hits.length], [150, 50]);
  });

  vectorTest(`KnowledgeStore (${name}): nearest vectors with similarity, up to the limit`, async (t) => {
    const { store, filled } = await openStore(t, backend);
    const angles = Array.from({ length: 130 }, (_, index) => (index * Math.PI) / 130);
    await filled({
      chunks: angles.map((_, index) => chunk(`at ${index}`)),
      vectors: angles.map((angle) => [Math.cos(angle), Math.sin(angle)]),
    });
    const answer = await store.search('one', plan({ vector: Float32Array.of(1, 0), limit: 120 }));
    assert.equal(answer?.total, 130);
    assert.deepEqual(
      answer?.hits.map(({ chunkIndex }) => chunkIndex),
      Array.from({ length: 120 }, (_, index) => index),
    );
    for (const { score, chunkIndex } of answer?.hits ?? []) {
      assert.ok(Math.abs(score - Math.cos(angles[chunkIndex]!)) < 1e-5, `${chunkIndex}: ${score}`);
    }
  });

  vectorTest(`KnowledgeStore (${name}): hybrid fuses ranks; weight 0 only fills up`, async (t) => {
    const { filled, texts } = await openStore(t, backend);
    await filled({
      chunks: ['pump pump pump', 'pump and much else that is said here', 'seal', 'valve'].map((text) => chunk(text)),
      vectors: [
        [0, 1],
        [1, 0.1],
        [1, 0],
        [0.5, 0.5],
      ],
    });
    const both = { text: 'pump', vector: Float32Array.of(1, 0) };
    assert.equal((await texts({ ...both, vectorWeight: 1 }))?.[0], 'pump and much else that is said here');
    const filledUp = await texts({ ...both, vectorWeight: 0 });
    assert.deepEqual(filledUp, ['pump pump pump', 'pump and much else that is said here', 'seal', 'valve']);
    assert.deepEqual(await texts({ ...both, vectorWeight: 0, limit: 1 }), ['pump pump pump']);
    assert.deepEqual((await texts({ text: 'nothing', vector: both.vector }))?.[0], 'seal');
  });

  vectorTest(`KnowledgeStore (${name}): many hidden documents do not affect results`, async (t) => {
    const { store, filled, begun, texts } = await openStore(t, backend);
    await filled({ chunks: [chunk('found')], vectors: [[0.1, 1]] });
    for (let number = 0; number < 25; number++) {
      const { lease } = await begun({ embedder: EMBEDDER, sourceId: `${number}` });
      const vectors = { vectors: Float32Array.of(1, 0), dimensions: 2 };
      await store.commit(lease, batch([chunk('found, but hidden')], { embedded: vectors }));
    }
    // Waiting documents have no vectors yet, and are hidden, too.
    const waiting = Array.from({ length: 100 }, () => newJob({ embedder: EMBEDDER }));
    await Promise.all(waiting.map((job) => store.createJob('one', job, ROOM)));
    assert.deepEqual(await texts({ vector: Float32Array.of(1, 0) }), ['found']);
    assert.deepEqual(await texts({ text: 'found', vector: Float32Array.of(1, 0) }), ['found']);
    assert.deepEqual(await texts({ text: 'found' }), ['found']);
  });

  vectorTest(`KnowledgeStore (${name}): other tenants and stores do not affect results`, async (t) => {
    const { store, filled, texts } = await openStore(t, backend);
    await filled({ chunks: [chunk('secret invoice')], vectors: [[1, 0]], tenantId: 'two' });
    await filled({ chunks: [chunk('secret invoice')], vectors: [[1, 0]], vectorStore: 'other' });
    await filled({ chunks: [chunk('plain')], vectors: [[0, 1]] });
    const answer = await store.search('one', plan({ text: 'invoice invioce', vector: Float32Array.of(1, 0) }));
    assert.deepEqual([answer?.hits.map(({ text }) => text), answer?.total, answer?.repaired], [['plain'], 1, []]);
    assert.deepEqual(await texts({ text: 'invoice' }), []);
    assert.equal(await store.search('three', plan({ text: 'plain' })), null);
    assert.equal(await store.search('one', plan({ text: 'plain', store: 'nothing' })), null);
  });

  test(`KnowledgeStore (${name}): searches work while documents come and go`, async (t) => {
    const { store, filled, begun, texts } = await openStore(t, backend);
    const hasVectors = backend.covers !== 'without vectors';
    const withVectors = (vector: number[]) => (hasVectors ? { vectors: [vector] } : {});
    await filled({ chunks: [chunk('steady')], ...withVectors([1, 0]) });
    let over = false;
    const searching = Array.from({ length: 3 }, async () => {
      let count = 0;
      while (!over) {
        assert.equal((await texts({ text: 'steady', vector: Float32Array.of(1, 0) }))?.[0], 'steady');
        count += 1;
      }
      return count;
    });
    const onlyWhole = async () => {
      for (const wanted of [{ text: 'half' }, { vector: Float32Array.of(0, 1), limit: 1 }]) {
        assert.notEqual((await texts(wanted))?.[0], 'half');
      }
    };
    const dropping = async () => void (await texts({ store: 'passing', text: 'passing' }));
    const asking = [onlyWhole, dropping].map(async (ask) => {
      while (!over) await ask();
    });
    for (let number = 0; number < 5; number++) {
      const { documentId } = await filled({ chunks: [chunk('passing')], ...withVectors([0, -1]) });
      await store.deleteDocument('one', 'manuals', documentId, 5);
      const { lease } = await begun(hasVectors ? { embedder: EMBEDDER } : {});
      await store.commit(lease, batch([chunk('half')], { embedded: hasVectors ? planted([0, 1]) : null }));
      await store.fail(lease, 'no', 5);
      await filled({ vectorStore: 'passing', chunks: [chunk('passing')] });
      await store.dropStore('one', 'passing', 5);
      await store.settle();
    }
    over = true;
    for (const count of await Promise.all(searching)) assert.ok(count > 0);
    await Promise.all(asking);
  });
}
