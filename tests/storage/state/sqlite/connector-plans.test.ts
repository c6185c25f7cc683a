import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { SqlConnectorStore, SqlCredentialStore } from '../../../../src/storage/state/sql/connectors.ts';
import { SqlUserStore } from '../../../../src/storage/state/sql/users.ts';
import { openStateDatabase } from '../../../../src/storage/state/sqlite/database.ts';
import { storedCredential } from '../../../contracts/credential-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';

test('connectors and credentials: every statement uses an index, in its order', async (t) => {
  const path = join(temporaryDirectory(t), 'state.sqlite');
  const database = await openStateDatabase(path);
  t.after(() => database.destroy());
  const texts = new Set<string>();
  const { prepare } = BetterSqlite3.prototype;
  t.mock.method(BetterSqlite3.prototype, 'prepare', function (this: BetterSqlite3.Database, text: string) {
    if (!['begin', 'commit', 'rollback'].includes(text)) texts.add(text);
    return prepare.call(this, text);
  });
  const [connectors, credentials] = [new SqlConnectorStore(database), new SqlCredentialStore(database)];
  await connectors.find('one', 'pets');
  await connectors.list('one');
  await connectors.names('one');
  await connectors.remove('one', 'pets');
  await credentials.find('one', 'main');
  await credentials.list('one');
  await credentials.put('one', storedCredential());
  await credentials.remove('one', 'main');
  await new SqlUserStore(database).counts('ana');
  t.mock.restoreAll();
  assert.equal(texts.size, 10, [...texts].join('\n'));
  const reader = new BetterSqlite3(path, { readonly: true });
  t.after(() => reader.close());
  for (const text of texts) {
    const values = Array.from({ length: text.split('?').length - 1 }, () => null);
    const plan = reader.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values);
    for (const { detail } of plan) assert.doesNotMatch(detail, /^SCAN (?!CONSTANT)|TEMP B-TREE|AUTOMATIC/, text);
    if (/"?name"? = \?/.test(text) && text.includes('from "connectors"')) {
      assert.match(plan[0]!.detail, /USING INDEX connectors_name \(tenant_id=\? AND name=\?\)/);
    }
  }
});
