import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { exactWords, searchTerms } from '../../../../src/core/agents/reviews/portuguese.ts';
import { ALL, review } from '../../../contracts/reviews.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { openReviews } from '../../../support/reviews.ts';
import { withoutProcesses } from '../../../support/state.ts';

const BEFORE = '0013-review-index';

test('reviews: those of an earlier version are indexed anew, in their place', async (t) => {
  const directory = temporaryDirectory(t);
  const earlier = await openReviews(directory);
  const made = [
    ...['Erros em mensagens', 'O cartão do cliente'].map((comment) =>
      review({ comment, tags: ['x y'], rating: 'good' }),
    ),
    ...Array.from({ length: 1_200 }, () => review({ comment: 'sem novidades' })),
  ];
  for (const one of made) await earlier.reviews.create('one', one);
  const theirs = review({ comment: 'Erros' });
  await earlier.reviews.create('two', theirs);
  await earlier.reviews.remove('one', made[2]!.id);
  await earlier.close();
  forget(join(directory, 'state.sqlite'));

  const { reviews, database, close } = await openReviews(directory);
  t.after(close);
  const idsOf = async (filter: Parameters<typeof reviews.list>[1], tenantId = 'one') =>
    (await reviews.list(tenantId, filter, ALL)).items.map(({ id }) => id);
  const [plural, singular] = made.map(({ id }) => id);
  assert.deepEqual(await idsOf({ search: searchTerms('erro') }), [plural]);
  assert.deepEqual(await idsOf({ search: searchTerms('cartões'), tags: ['x y'] }), [singular]);
  assert.deepEqual(await idsOf({ words: exactWords('cartão') }), [singular]);
  assert.deepEqual(await idsOf({ rating: ['good'] }), [singular, plural]);
  assert.deepEqual(await idsOf({ search: searchTerms('erro') }, 'two'), [theirs.id]);
  assert.equal((await reviews.list('one', { words: ['novidades'] }, ALL)).total, 1_199);
  const indexed = sql<{ rows: number }>`SELECT count(*) AS rows FROM review_index`;
  assert.equal((await indexed.execute(database)).rows[0]!.rows, made.length);
});

/** As before the migration: an index with other terms. */
function forget(path: string): void {
  const sqlite = new BetterSqlite3(path);
  withoutProcesses(sqlite);
  sqlite.prepare('DELETE FROM kysely_migration WHERE name >= ?').run(BEFORE);
  for (const later of [
    'deliveries',
    'metrics',
    'terms',
    'segments',
    'annotations',
    'alert_changes',
    'alerts',
    'digests',
    'oauth_records',
    'oauth_grants',
    'oauth_clients',
    'totp_factors',
    'passkeys',
    'recovery_codes',
    'user_identities',
    'session_identities',
    'identity_providers',
    'used_names',
  ])
    sqlite.exec(`DROP TABLE ${later}`);
  sqlite.exec('ALTER TABLE audit_log DROP COLUMN client');
  sqlite.exec('ALTER TABLE tenants DROP COLUMN second_factor; ALTER TABLE sessions DROP COLUMN second_factor_at');
  sqlite.exec('ALTER TABLE tenants DROP COLUMN password_login');
  sqlite.exec("INSERT INTO review_index (review_index) VALUES ('delete-all')");
  sqlite.exec("INSERT INTO review_index (rowid, terms) SELECT number, 'onewerros' FROM reviews");
  sqlite.close();
}
