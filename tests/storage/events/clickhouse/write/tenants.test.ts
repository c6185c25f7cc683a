import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlushTenants } from '../../../../../src/storage/events/clickhouse/write/tenants.ts';
import { openPostgres } from '../../../../../src/storage/state/postgres/database.ts';
import { skip, useEngines } from '../places.ts';

const engines = useEngines();

test('FlushTenants: what is kept of tenants is bounded, and loaded again', { skip }, async (t) => {
  const place = await (await engines()).place();
  const { pool, close } = await openPostgres({ url: place.postgresUrl, connections: 1 });
  t.after(close);
  const tenants = new FlushTenants();
  const many = Array.from({ length: 2_000 }, (_, index) => `tenant ${index}`);
  await tenants.load(pool, many);
  const { number, columns } = tenants.find('tenant 7');
  columns.claim('/a', 'text');
  await tenants.saveColumns(pool, ['tenant 7']);
  await tenants.load(pool, ['another']);
  assert.throws(() => tenants.find('tenant 7'), 'it is not kept for ever');
  await tenants.load(pool, ['tenant 7']);
  const again = tenants.find('tenant 7');
  assert.deepEqual([again.number, again.columns.used('text')], [number, 1]);
});
