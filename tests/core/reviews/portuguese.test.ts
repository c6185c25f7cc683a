import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { commentTerms, searchTerms } from '../../../src/core/reviews/portuguese.ts';
import { comments } from './portuguese-comments.ts';
import { ourMatches } from './portuguese-matches.ts';

const TERM = /^[\p{L}\p{N}\p{M}]{1,100}$/u;

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

function finds(search: string, comment: string): boolean {
  return ourMatches([comment], [search])[0]!.length === 1;
}

function assertFinds(comment: string, searches: string[]): void {
  assert.deepEqual(
    searches.filter((search) => !finds(search, comment)),
    [],
  );
}

function assertFindsNot(comment: string, searches: string[]): void {
  assert.deepEqual(
    searches.filter((search) => finds(search, comment)),
    [],
  );
}

test('a comment is indexed under the stems of its words, each once', () => {
  assert.deepEqual(commentTerms('Devolução recusada; devoluções RECUSADAS!'), ['devolu', 'recus']);
});

test('a search finds every inflection that PostgreSQL finds', () => {
  for (const form of ['NFC', 'NFD']) assertFinds('É preciso verificá-lo'.normalize(form), ['verificar', 'precisa']);
  assertFinds('O agente informou o prazo', ['informação', 'informações', 'informar', 'prazos', 'agentes informam']);
});

test('accents may be missing in the search, in the comment or in both, whatever the inflection', () => {
  const spellings = ['informação', 'informações', 'informacao', 'informacoes', 'INFORMAÇÃO', 'Informacoes'];
  for (const comment of spellings) assertFinds(comment, spellings);
  for (const comment of ['aceitável', 'aceitaveis']) assertFinds(comment, ['aceitavel', 'aceitáveis']);
  assertFinds('gostaríamos', ['gostariamos', 'gostaria']);
  assertFinds('cliente importante', ['importância', 'importancia']);
  assertFinds('eles pagarão', ['pagarao', 'pagar']);
  assertFinds('O acento caiu: vovo', ['vovó', 'vovô']);
});

test('every word of a search must be found', () => {
  assertFinds('prazo de entrega errado', ['entrega prazo', 'erradas no prazo']);
  assertFindsNot('prazo de entrega errado', ['prazo de reembolso', 'reembolso']);
});

test('stop words do not count, with or without accents', () => {
  assertFinds('Informou o prazo', ['não informou o prazo', 'nao informou o prazo', 'está: o prazo que informou']);
  assert.deepEqual(searchTerms('não informou o prazo'), [['inform'], ['praz']]);
});

test('a search of stop words alone finds the comments that have them', () => {
  assertFinds('Isso não é assim', ['não', 'nao', 'NÃO', 'não é', 'isso não']);
  assertFindsNot('Está na base', ['não', 'nao', 'que está']);
});

test('hyphenated words, addresses and paths are found whole and by their parts', () => {
  assertFinds('Ver guarda-chuva na segunda-feira', ['guarda-chuva', 'guarda-chuvas', 'chuva', 'segunda feira']);
  assertFinds('Enviou a ajuda@loja.com.br', ['ajuda@loja.com.br', 'loja.com.br', 'ajuda', 'AJUDA@LOJA.COM.BR']);
  assertFinds('Ver https://www.loja.com.br/trocas?id=7', [
    'https://www.loja.com.br/trocas?id=7',
    'www.loja.com.br',
    'troca',
  ]);
  assertFinds('Em /docs/trocas.pdf, problema/solução', [
    '/docs/trocas.pdf',
    'trocas.pdf',
    'solução',
    'problema/solução',
  ]);
  assertFindsNot('guarda-roupa', ['guarda-chuva']);
});

test('a number is found with and without the unit that is written to it', () => {
  assertFinds('Peso 12.5kg, entrega em 2-3dias, 2ª via', [
    '12.5kg',
    '12.5 kg',
    'kg',
    '3 dias',
    '2a via',
    '2º via',
    '2 via',
  ]);
  assertFinds('Pedido BR-2025-00123', ['BR-2025-00123', '#br-2025-00123', '00123']);
  assertFindsNot('Pedido BR123', ['123', 'BR']);
});

test('what PostgreSQL ignores in a search is ignored: tags, entities and protocols', () => {
  assertFinds('prazo curto', ['<b>prazo</b> curto', 'prazo &amp; curto&nbsp;', 'prazo <!-- longo --> curto']);
  assertFinds('prazo curto', [
    '<p class="x y">prazo',
    '<script>alert(1)</script>prazo',
    'https://prazo',
    '<?xml a?>prazo',
  ]);
  assertFindsNot('prazo curto', ['<b', 'prazo < longo', 'https prazo', 'prazo & longo;']);
  assertFinds('Escapou <b>HTML</b> &amp; http://x', ['html', 'b', 'amp', 'http']);
});

test('what holds nothing to search for finds nothing', () => {
  for (const search of ['', '   ', '?!', '👍', '<b>', '&nbsp;', 'https://', '_ - "', '\0', '\ud83d']) {
    assert.deepEqual(searchTerms(search), [], JSON.stringify(search));
  }
});

test('no text is query syntax', () => {
  assert.deepEqual(searchTerms('"prazo" OR NEAR(prazo* -entrega, 5) ^col:x'), [
    ['praz'],
    ['or'],
    ['near'],
    ['entreg'],
    ['5'],
    ['col'],
    ['x'],
  ]);
  assertFinds('prazo\0entrega \ud83d', ['entrega\0', 'prazo\ud83d']);
});

test('words of any length are cut alike on both sides', () => {
  for (const word of ['á'.repeat(10_000), '𝒳'.repeat(10_000), 'ﷺ'.repeat(99), '가'.repeat(60), 'ções'.repeat(2_500)]) {
    assertFinds(word, [word, word.toUpperCase(), word.normalize('NFD')]);
    for (const term of commentTerms(word)) assert.match(term, TERM);
  }
});

test('terms have the promised alphabet, whatever the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  );
  const property = fc.property(text, (any) => {
    for (const term of [...commentTerms(any), ...searchTerms(any).flat()]) {
      assert.match(term, TERM);
      assert.doesNotMatch(term, /[^a-z0-9\u0080-\u{10ffff}]/u);
      assert.equal(term, term.toLowerCase());
    }
    assert.ok(searchTerms(any).every((variants) => variants.length > 0));
  });
  fc.assert(property, { seed: 20_251_122, numRuns: 500 });
});

test('a comment is found by each of its words, without accents, in capitals and decomposed', () => {
  const property = fc.property(fc.constantFrom(...comments), fc.nat(), (comment, nth) => {
    const words = comment.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    const word = words[nth % words.length];
    if (word === undefined) return;
    assertFinds(comment, [
      word,
      withoutAccents(word),
      word.toUpperCase(),
      word.normalize('NFD'),
      word.normalize('NFC'),
    ]);
    assertFinds(withoutAccents(comment), [word, withoutAccents(word)]);
  });
  fc.assert(property, { seed: 20_251_122, numRuns: 1000 });
});

test('a comment finds itself, in any spelling', () => {
  for (const comment of comments.filter((text) => /\p{L}/u.test(text) && !text.includes('<'))) {
    assertFinds(comment, [comment, comment.toUpperCase(), withoutAccents(comment), comment.normalize('NFD')]);
  }
});

test('every term is one token of an FTS5 index that keeps what is not ASCII', (t) => {
  const database = new Database(':memory:');
  t.after(() => database.close());
  database.exec(`CREATE VIRTUAL TABLE indexed USING fts5(terms, tokenize = 'ascii');
    CREATE VIRTUAL TABLE tokens USING fts5vocab(indexed, 'row');`);
  const terms = commentTerms([...comments, '東京 Ελλάδα Привет हिन्दी 한국어 ٣٤ 𝒳 ŉ ﬁm'].join(' '));
  database.prepare('INSERT INTO indexed (terms) VALUES (?)').run(terms.join(' '));
  assert.deepEqual(database.prepare('SELECT term FROM tokens').pluck().all().sort(), [...terms].sort());
});
