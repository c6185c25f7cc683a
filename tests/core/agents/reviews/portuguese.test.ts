import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { commentTerms, exactWords, searchTerms, singularsOf } from '../../../../src/core/agents/reviews/portuguese.ts';
import { UPDATES_GOLDEN } from '../../../support/golden.ts';
import { ourMatches } from './portuguese-matches.ts';
import {
  CONFUSED,
  comments,
  FALSE_FRIENDS,
  MISSED_PLURALS,
  MORE_PLURALS,
  OTHER_FORMS,
  type Pair,
  PLURALS,
} from './portuguese-texts.ts';

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

test('commentTerms: a comment has each stem of its words once', () => {
  assert.deepEqual(commentTerms('Devolução recusada; devoluções RECUSADAS!'), ['devolu', 'recus']);
});

test('searchTerms: a search finds every inflection that PostgreSQL finds', () => {
  for (const form of ['NFC', 'NFD']) assertFinds('É preciso verificá-lo'.normalize(form), ['verificar', 'precisa']);
  assertFinds('O agente informou o prazo', ['informação', 'informações', 'informar', 'prazos', 'agentes informam']);
});

test('searchTerms: accents may be missing on either side', () => {
  const spellings = ['informação', 'informações', 'informacao', 'informacoes', 'INFORMAÇÃO', 'Informacoes'];
  for (const comment of spellings) assertFinds(comment, spellings);
  for (const comment of ['aceitável', 'aceitaveis']) assertFinds(comment, ['aceitavel', 'aceitáveis']);
  assertFinds('gostaríamos', ['gostariamos', 'gostaria']);
  assertFinds('cliente importante', ['importância', 'importancia']);
  assertFinds('eles pagarão', ['pagarao', 'pagar']);
  assertFinds('O acento caiu: vovo', ['vovó', 'vovô']);
});

test('searchTerms: every word of a search must match', () => {
  assertFinds('prazo de entrega errado', ['entrega prazo', 'erradas no prazo']);
  assertFindsNot('prazo de entrega errado', ['prazo de reembolso', 'reembolso']);
});

test('searchTerms: stop words are ignored, with or without accents', () => {
  assertFinds('Informou o prazo', ['não informou o prazo', 'nao informou o prazo', 'está: o prazo que informou']);
  assert.deepEqual(searchTerms('não informou o prazo'), [['inform'], ['praz']]);
});

test('searchTerms: a search of stop words finds comments with them', () => {
  assertFinds('Isso não é assim', ['não', 'nao', 'NÃO', 'não é', 'isso não']);
  assertFindsNot('Está na base', ['não', 'nao', 'que está']);
});

test('searchTerms: hyphenated words, URLs and paths match as a whole and in parts', () => {
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

test('searchTerms: a number matches with and without its attached unit', () => {
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

test('searchTerms: tags, entities and protocols are ignored', () => {
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

test('searchTerms: a text without words finds nothing', () => {
  for (const search of ['', '   ', '?!', '👍', '<b>', '&nbsp;', 'https://', '_ - "', '\0', '\ud83d']) {
    assert.deepEqual(searchTerms(search), [], JSON.stringify(search));
  }
});

test('searchTerms: no text is query syntax', () => {
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

test('exactWords: every word as written, in lower case, once', () => {
  const text = 'Não informou O prazo — o PRAZO, informação/informacao; <b>5kg</b> https://loja'.normalize('NFD');
  const words = 'não informou o prazo informação informacao b 5 kg https loja';
  assert.deepEqual(exactWords(text), words.split(' '));
  assert.deepEqual(exactWords(' ?! 👍 '), []);
  assert.deepEqual(exactWords('É'.repeat(200)), ['é'.repeat(100)]);
});

test('searchTerms: long words are cut alike on both sides', () => {
  for (const word of ['á'.repeat(10_000), '𝒳'.repeat(10_000), 'ﷺ'.repeat(99), '가'.repeat(60), 'ções'.repeat(2_500)]) {
    assertFinds(word, [word, word.toUpperCase(), word.normalize('NFD')]);
    for (const term of commentTerms(word)) assert.match(term, TERM);
  }
});

test('commentTerms: terms contain only letters, digits and marks', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  );
  const property = fc.property(text, (any) => {
    for (const term of [...commentTerms(any), ...searchTerms(any).flat(), ...exactWords(any)]) {
      assert.match(term, TERM);
      assert.doesNotMatch(term, /[^a-z0-9\u0080-\u{10ffff}]/u);
      assert.equal(term, term.toLowerCase());
    }
    assert.ok(searchTerms(any).every((variants) => variants.length > 0));
  });
  fc.assert(property, { seed: 20_251_122, numRuns: 500 });
});

test('commentTerms: a comment matches each of its words in any spelling', () => {
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

test('commentTerms: a comment matches itself in any spelling', () => {
  for (const comment of comments.filter((text) => /\p{L}/u.test(text) && !text.includes('<'))) {
    assertFinds(comment, [comment, comment.toUpperCase(), withoutAccents(comment), comment.normalize('NFD')]);
  }
});

test('commentTerms: every term and exact word is one token of the FTS5 index', (t) => {
  const database = new Database(':memory:');
  t.after(() => database.close());
  database.exec(`CREATE VIRTUAL TABLE indexed USING fts5(terms, tokenize = 'ascii');
    CREATE VIRTUAL TABLE tokens USING fts5vocab(indexed, 'row');`);
  const text = [...comments, '東京 Ελλάδα Привет हिन्दी 한국어 ٣٤ 𝒳 ŉ ﬁm'].join(' ');
  const terms = new Set([...commentTerms(text), ...exactWords(text)]);
  database.prepare('INSERT INTO indexed (terms) VALUES (?)').run([...terms].join(' '));
  assert.deepEqual(database.prepare('SELECT term FROM tokens').pluck().all().sort(), [...terms].sort());
});

const bothWays = ([one, other]: Pair): Pair[] => [
  [one, other],
  [other, one],
];

function directed(pairs: readonly Pair[]): Pair[] {
  return pairs.flatMap(bothWays);
}

test('searchTerms: singular and plural find one another, with and without accents', () => {
  const pairs = directed([...PLURALS, ...MORE_PLURALS]);
  const plain = pairs.map(([search, comment]): Pair => [withoutAccents(search), withoutAccents(comment)]);
  const mixed = pairs.map(([search, comment]): Pair => [withoutAccents(search), comment]);
  assert.deepEqual(
    [...pairs, ...plain, ...mixed].filter((pair) => !finds(...pair)),
    [],
  );
});

test('searchTerms: false friends do not find one another, but for those that are known', () => {
  assert.deepEqual(
    directed(FALSE_FRIENDS).filter((pair) => finds(...pair)),
    [],
  );
  assert.deepEqual(
    directed([...CONFUSED.values()].flat()).filter((pair) => !finds(...pair)),
    [],
  );
});

test('searchTerms: pairs of words equal the golden file (UPDATE_GOLDEN=1)', () => {
  assert.equal([...PLURALS, ...OTHER_FORMS].length, 58);
  const sections: [title: string, pairs: readonly Pair[]][] = [
    ['Singular and plural, and other forms: 58 pairs', [...PLURALS, ...OTHER_FORMS]],
    ['More plurals', MORE_PLURALS],
    ['Plurals that are missed', MISSED_PLURALS],
    ['False friends', FALSE_FRIENDS],
    ...[...CONFUSED].map(([reason, pairs]): [string, Pair[]] => [`False friends that are found: ${reason}`, pairs]),
  ];
  const lines = sections.map(([title, pairs]) =>
    [
      `${title}`,
      ...directed(pairs).map((pair) => `  ${pair.join(' -> ')}: ${finds(...pair) ? 'found' : 'not found'}`),
    ].join('\n'),
  );
  const text = `${lines.join('\n\n')}\n`;
  const file = join(import.meta.dirname, 'golden/portuguese-pairs.txt');
  if (UPDATES_GOLDEN) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'));
});

const ENDINGS = [
  ...['a', 'e', 'i', 'o', 'u', 'é', 'ê', 'ã'].map((vowel): Pair => [vowel, `${vowel}s`]),
  ...pairsOf('ão/ões ão/ães ão/ãos ção/ções são/sões ém/éns em/ens im/ins om/ons um/uns'),
  ...pairsOf('or/ores ar/ares er/eres az/azes iz/izes oz/ozes ês/eses'),
  ...pairsOf('al/ais el/éis ável/áveis ível/íveis ol/óis ul/uis il/is il/eis'),
];

function pairsOf(text: string): Pair[] {
  return text.split(' ').map((pair) => pair.split('/') as Pair);
}

const syllable = fc
  .tuple(fc.constantFrom(...'bcdfglmnprtvz', 'ch', 'lh', 'nh', 'pr', 'tr'), fc.constantFrom(...'aeiouáéíóúâêô'))
  .map((letters) => letters.join(''));
const beginning = fc
  .tuple(fc.array(syllable, { minLength: 1, maxLength: 3 }), fc.constantFrom(...'bcdfglmnprtv'))
  .map(([syllables, consonant]) => `${syllables.join('')}${consonant}`);
const noun = fc
  .tuple(beginning, fc.constantFrom(...ENDINGS))
  .map(([start, [singular, plural]]): Pair => [`${start}${singular}`, `${start}${plural}`]);

test('searchTerms: every regular plural and its singular find one another', () => {
  const property = fc.property(noun, fc.boolean(), fc.boolean(), (pair, isPlain, isCapital) => {
    for (const [search, comment] of bothWays(pair)) {
      const written = isPlain ? withoutAccents(comment) : comment;
      assert.ok(finds(isCapital ? search.toUpperCase() : search, `o ${written}, sim`), `${search}: ${comment}`);
    }
  });
  fc.assert(property, { seed: 20_261_123, numRuns: 3_000 });
});

test('searchTerms: a word is searched by the terms that it is indexed with', () => {
  const word = fc.oneof(
    noun.map(([singular]) => singular),
    noun.map(([, plural]) => plural),
  );
  fc.assert(fc.property(word, (any) => assert.deepEqual(searchTerms(any), [commentTerms(any)])));
});

test('singularsOf: any text gives plain words, and what is no plural gives none', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.string({ unit: 'grapheme', maxLength: 50 }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((any) => `${any}s`),
      ),
      (any) => {
        for (const singular of singularsOf(any)) assert.match(singular, /^[a-z]{2,}$/);
      },
    ),
  );
  const singular = noun.map(([one]) => one).filter((one) => !one.endsWith('s'));
  fc.assert(fc.property(singular, (one) => assert.deepEqual(singularsOf(one), [])));
  for (const word of ['', 's', 'as', 'ns', 'país', 'dois', '123s']) {
    assert.deepEqual(singularsOf(word), [], word);
  }
});

test('singularsOf: a singular gives nothing more, except a word in s', () => {
  const property = fc.property(noun, ([, plural]) => {
    const singulars = singularsOf(plural).filter((singular) => !singular.endsWith('s'));
    assert.deepEqual(singulars.flatMap(singularsOf), []);
  });
  fc.assert(property);
});
