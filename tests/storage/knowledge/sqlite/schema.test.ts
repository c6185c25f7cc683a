import assert from 'node:assert/strict';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { createTables } from '../../../../src/storage/knowledge/sqlite/schema.ts';

test('createTables(): a file of another version is refused, with both', (t) => {
  const database = new BetterSqlite3(':memory:');
  t.after(() => database.close());
  createTables(database);
  createTables(database);
  database.pragma('user_version = 1');
  assert.throws(() => createTables(database), /older agent-runtime \(schema 1, this program knows 2\)/);
  database.pragma('user_version = 3');
  assert.throws(() => createTables(database), /newer agent-runtime \(schema 3, this program knows 2\)/);
});
