import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat } from '../src/chat.ts';
import { loadConfig } from '../src/config.ts';
import { realEffects } from '../src/core/effects.ts';
import { RuntimeError } from '../src/core/errors.ts';
import type { Log } from '../src/log.ts';
import { testApp } from './support/app.ts';

test('a disk that takes nothing does not keep chats, and so the server, from starting', async (t) => {
  const { runtime } = await testApp(t);
  const errors: unknown[] = [];
  const executionStore = Object.create(runtime.executionStore, {
    failChats: { value: () => Promise.reject(new RuntimeError('unavailable', 'The disk is full.')) },
  }) as typeof runtime.executionStore;
  const log = { ...runtime.log, error: (line: unknown) => errors.push(line) } as unknown as Log;
  for (const chatRecording of ['full', 'off'] as const) {
    const config = loadConfig({ dataDir: runtime.config.dataDir, chatRecording }, {}, {});
    const { chat, close } = await openChat({ ...runtime, config, executionStore, log, effects: realEffects });
    await close();
    assert.ok(chat);
  }
  assert.equal(errors.length, 2);
});
