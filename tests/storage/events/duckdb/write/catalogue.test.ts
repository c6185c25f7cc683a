import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DuckDBConnection } from '@duckdb/node-api';
import { Catalogue } from '../../../../../src/storage/events/duckdb/write/catalogue.ts';
import { saveSeenNames } from '../../../../../src/storage/events/duckdb/write/known.ts';
import { Shredder } from '../../../../../src/storage/events/duckdb/write/shred.ts';
import { SeenNames } from '../../../../../src/storage/events/shared/seen-names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { openDatabase } from '../compiled-store.ts';

/** Notes an event of each tenant, with a key of its own, and saves them as a flush does. */
async function flush(catalogue: Catalogue, connection: DuckDBConnection, tenantIds: string[]): Promise<void> {
  await catalogue.load(connection, tenantIds);
  const shredder = new Shredder();
  for (const tenantId of tenantIds) {
    const properties = JSON.stringify({ [`own ${tenantId}`]: 1, plan: { name: 'pro' } });
    shredder.add(catalogue.tenant(tenantId), 1, storedEvent({ properties }));
  }
  await saveSeenNames(connection, shredder.finish().seenNames);
  (await catalogue.save(connection, tenantIds))();
}

/** Counts the statements that run on the connection. */
function counting(connection: DuckDBConnection): { connection: DuckDBConnection; statements: () => number } {
  let count = 0;
  const run = <Method extends 'run' | 'runAndReadAll'>(method: Method) =>
    ((...args: Parameters<DuckDBConnection[Method]>) => {
      count += 1;
      return (connection[method] as (...given: unknown[]) => unknown)(...args);
    }) as DuckDBConnection[Method];
  const counted = { run: run('run'), runAndReadAll: run('runAndReadAll') } as DuckDBConnection;
  return { connection: counted, statements: () => count };
}

const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `tenant ${from + index}`);

test('Catalogue: a flush has as many statements for 500 new tenants as for two', async (t) => {
  const { writer } = await openDatabase(t);
  const [two, many] = [counting(writer), counting(writer)];
  const catalogue = new Catalogue();
  await catalogue.open(writer);
  await flush(catalogue, two.connection, names(0, 2));
  await flush(catalogue, many.connection, names(2, 500));
  assert.equal(many.statements(), two.statements());
  assert.deepEqual(catalogue.counts, { tenants: 502, columns: 3 * 502, crowded: 0 });
  const opened = new Catalogue();
  await opened.open(writer);
  assert.deepEqual(opened.counts, catalogue.counts);
});

test('Catalogue: a forgotten tenant is loaded again as it was', async (t) => {
  const { writer } = await openDatabase(t);
  const catalogue = new Catalogue();
  await catalogue.open(writer);
  await flush(catalogue, writer, ['a', 'b']);
  const before = catalogue.tenant('b');
  const listed = before.properties(null, ['a']);
  assert.deepEqual(
    listed.map(({ key, types }) => [key, ...types]),
    [
      ['own b', 'number'],
      ['plan', 'object'],
      ['plan.name', 'string'],
    ],
  );
  catalogue.clear();
  const after = await catalogue.finder('b')(writer);
  assert.notEqual(after, before);
  assert.equal(after?.number, before.number);
  assert.deepEqual(after?.properties(null, ['a']), listed);
  assert.deepEqual(after?.columns.locate(['own b']), before.columns.locate(['own b']));
  assert.deepEqual(after?.columns.locate(['other']), { kind: 'absent' });
  assert.equal(await catalogue.finder('unknown')(writer), null);
  // New tenants never get the number of another.
  await flush(catalogue, writer, ['c']);
  assert.equal(catalogue.tenant('c').number, 3);
});

test('Catalogue: what an older snapshot shows is not kept for later questions', async (t) => {
  const database = await openDatabase(t);
  const catalogue = new Catalogue();
  await catalogue.open(database.writer);
  await flush(catalogue, database.writer, ['a']);
  catalogue.clear();
  const find = catalogue.finder('a');
  await database.maintainer.run('BEGIN; SELECT 1 FROM learned');
  await catalogue.load(database.writer, ['a']);
  const shredder = new Shredder();
  shredder.add(catalogue.tenant('a'), 1, storedEvent({ properties: '{"later":true}' }));
  shredder.finish();
  (await catalogue.save(database.writer, ['a']))();
  catalogue.clear();
  const old = await find(database.maintainer);
  await database.maintainer.run('ROLLBACK');
  assert.deepEqual(old?.columns.locate(['later']), { kind: 'absent' });
  const fresh = await catalogue.finder('a')(database.writer);
  assert.deepEqual(fresh?.columns.locate(['later']), { kind: 'columns', columns: { boolean: 0 } });
});

test('SeenNames: beyond the names of a tenant nothing is noted', async (t) => {
  const { writer } = await openDatabase(t);
  const catalogue = new Catalogue();
  await catalogue.load(writer, ['a']);
  const tenant = catalogue.tenant('a');
  for (let index = 0; index < 10_000; index++) tenant.eventNames('support', `name ${index}`);
  assert.equal(new SeenNames().note(tenant, storedEvent({ eventName: 'one more' })), null);
  assert.ok(new SeenNames().note(tenant, storedEvent({ eventName: 'name 5' })));
});
