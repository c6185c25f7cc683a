import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRun } from '../../../../src/core/access/auth/bootstrap.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';

test('firstRun: of several processes that start at once, one shows keys and password', async (t) => {
  const { runtime } = await testApp(t);
  let holder: string | null = null;
  const shown: string[] = [];
  const start = (name: string) => {
    const held = async () => {
      holder ??= name;
      return holder === name;
    };
    const maintenance = { held, tasks: () => [], close: async () => undefined };
    return firstRun({ ...runtime, maintenance, effects: realEffects }, ({ fullKey }) => void shown.push(fullKey.key));
  };
  await Promise.all(['one', 'two', 'three'].map(start));
  assert.equal(shown.length, 1);
  assert.ok(await runtime.keyAuthenticator.authenticate(shown[0]!));
  holder = null;
  await start('four');
  assert.equal(shown.length, 1, 'once');
});
