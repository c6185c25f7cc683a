import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledTarget } from '../../../../src/core/connectors/request/target.ts';
import { RuntimeError } from '../../../../src/core/shared/errors.ts';
import { connector } from '../support.ts';

const SHOP = connector(
  { path: '/orders' },
  {
    headers: { 'X-Version': '1', 'X-Tenant': 'shop' },
    environments: {
      production: { baseUrl: 'https://api.example.com/v1//', headers: { 'x-version': '2' }, auth: { type: 'none' } },
      staging: { baseUrl: 'https://api.example.com' },
    },
    auth: { type: 'apiKey', in: 'header', name: 'X_Shop_Key' },
    credentials: ['shop'],
  },
);

test('an environment has the headers of its connector, and its own in their place in any case', () => {
  const { origin, basePath, headers, fixedNames, takenNames } = compiledTarget(SHOP, 'production');
  assert.deepEqual([origin, basePath], ['https://api.example.com', '/v1']);
  assert.deepEqual(headers, [
    ['X-Tenant', 'shop'],
    ['x-version', '2'],
  ]);
  assert.deepEqual([...fixedNames], ['x-tenant', 'x-version']);
  assert.deepEqual([...takenNames], ['x-tenant', 'x-version']);
});

test('the header of the key is taken where the environment authenticates with one', () => {
  const { basePath, takenNames, fixedNames } = compiledTarget(SHOP, 'staging');
  assert.equal(basePath, '');
  assert.ok(takenNames.has('x-shop-key') && !fixedNames.has('x-shop-key'));
});

test('an environment is compiled once for its definition, and one that is not there is refused', () => {
  assert.equal(compiledTarget(SHOP, 'staging'), compiledTarget(SHOP, 'staging'));
  assert.notEqual(compiledTarget(SHOP, 'staging'), compiledTarget(SHOP, 'production'));
  const alone = connector({});
  assert.throws(
    () => compiledTarget(alone, 'staging'),
    (error) => error instanceof RuntimeError && error.code === 'invalid' && /has no staging/.test(error.message),
  );
});
