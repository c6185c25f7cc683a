import assert from 'node:assert/strict';
import { stemmer } from '@orama/stemmers/portuguese';
import { stopwords } from '@orama/stopwords/portuguese';
import { commentTerms } from '../../../../src/core/agents/reviews/portuguese.ts';
import { type Postgres, startPostgres, whyNoPostgres } from '../../../support/postgres.ts';
import { rareTest } from '../../../support/rare.ts';
import { scopeOfThisFile } from '../../../support/shared.ts';
import { beyond, ourMatches, postgresMatches } from './portuguese-matches.ts';
import { CONFUSED, comments, FALSE_FRIENDS, type Pair, searches } from './portuguese-texts.ts';

const skip = whyNoPostgres();
const scope = scopeOfThisFile();
let started: Promise<Postgres> | undefined;

function postgres(): Promise<Postgres> {
  started ??= startPostgres(scope);
  return started;
}

rareTest("stop words: the list equals PostgreSQL's", { skip }, async () => {
  const [row] = await (await postgres()).rows<[string]>(
    "SELECT pg_read_file(setting || '/tsearch_data/portuguese.stop') FROM pg_config WHERE name = 'SHAREDIR'",
  );
  assert.deepEqual([...stopwords].sort(), row![0].trim().split(/\s+/).sort());
});

rareTest('termsOf: every word has the stem that PostgreSQL gives it', { skip }, async () => {
  const text = [...comments, ...searches].join(' ').normalize('NFC').toLowerCase();
  const words = [...new Set(text.match(/[\p{L}\p{M}]+/gu))].filter((word) => !stopwords.includes(word));
  assert.ok(words.length > 500, `${words.length} words`);
  const rows = await (await postgres()).rows<[string, string[]]>(
    "SELECT word, ts_lexize('portuguese_stem', word) FROM unnest($1::text[]) word",
    [words],
  );
  assert.deepEqual(
    rows.map(([word]) => [word, stemmer(word)]),
    rows.map(([word, stems]) => [word, stems[0]]),
  );
});

rareTest('wordsOf: no character splits words in PostgreSQL only', { skip }, async () => {
  const rows = await (await postgres()).rows<[string]>(
    `SELECT chr(code) FROM generate_series(1, $1::int) code
     WHERE code NOT BETWEEN x'250'::int AND x'1fff'::int
       AND EXISTS (SELECT FROM ts_parse('default', 'ab' || chr(code) || 'cd') WHERE token = 'cd')`,
    [0x2bff],
  );
  assert.ok(rows.length > 2000, `${rows.length} characters`);
  const undivided = rows.filter(([character]) => !commentTerms(`ab${character}cd`).includes('cd'));
  assert.deepEqual(undivided, []);
});

rareTest('searchTerms: every search finds at least what PostgreSQL finds', { skip }, async () => {
  const expected = await postgresMatches(await postgres(), comments, searches);
  assert.ok(expected.filter((places) => places.length > 0).length > 90, 'most searches find something');
  const missed = beyond(expected, ourMatches(comments, searches));
  assert.deepEqual(
    missed.flatMap((places, search) => places.map((place) => [searches[search], comments[place]])),
    [],
  );
});

rareTest('searchTerms: false friends are confused by PostgreSQL where it is said', { skip }, async () => {
  const server = await postgres();
  const confused = async (pairs: readonly Pair[]) => {
    const rows = await server.rows<[boolean]>(
      `SELECT ts_lexize('portuguese_stem', one) = ts_lexize('portuguese_stem', other)
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given(one, other, place) ORDER BY place`,
      [pairs.map(([one]) => one), pairs.map(([, other]) => other)],
    );
    return pairs.filter((_, place) => rows[place]![0]);
  };
  for (const [reason, pairs] of [...CONFUSED, ['not found', FALSE_FRIENDS] as const]) {
    assert.deepEqual(await confused(pairs), reason === 'one stem in PostgreSQL' ? pairs : [], reason);
  }
});
