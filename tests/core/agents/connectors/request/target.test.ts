import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiledTarget } from '../../../../../src/core/agents/connectors/request/target.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
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

test('compiledTarget: headers of an environment override those of the connector', () => {
  const { origin, basePath, headers, fixedNames, reservedNames: takenNames } = compiledTarget(SHOP, 'production');
  assert.deepEqual([origin, basePath], ['https://api.example.com', '/v1']);
  assert.deepEqual(headers, [
    ['X-Tenant', 'shop'],
    ['x-version', '2'],
  ]);
  assert.deepEqual([...fixedNames], ['x-tenant', 'x-version']);
  assert.deepEqual([...takenNames], ['x-tenant', 'x-version']);
});

test('compiledTarget: the header of an API key is reserved where it is used', () => {
  const { basePath, reservedNames: takenNames, fixedNames } = compiledTarget(SHOP, 'staging');
  assert.equal(basePath, '');
  assert.ok(takenNames.has('x-shop-key') && !fixedNames.has('x-shop-key'));
});

test('compiledTarget: compiled once per definition, unknown ones are refused', () => {
  assert.equal(compiledTarget(SHOP, 'staging'), compiledTarget(SHOP, 'staging'));
  assert.notEqual(compiledTarget(SHOP, 'staging'), compiledTarget(SHOP, 'production'));
  const alone = connector({});
  assert.throws(
    () => compiledTarget(alone, 'staging'),
    (error) => error instanceof RuntimeError && error.code === 'invalid' && /has no staging/.test(error.message),
  );
});
