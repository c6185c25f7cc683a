import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Caller, hasScope, requireScope } from '../../../../src/core/base/shared/caller.ts';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

test('hasScope: * is every scope; otherwise each one is needed by name', () => {
  const caller = (scopes: Caller['scopes']) => ({ scopes }) as Caller;
  assert.equal(hasScope(caller(['*']), 'chat:write'), true);
  assert.equal(hasScope(caller(['events:read']), 'events:write'), false);
  assert.throws(
    () => requireScope(caller([]), 'mcp:read'),
    (error: RuntimeError) => error.scope === 'mcp:read',
  );
});
