import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat } from '../../src/app/chat.ts';
import { loadConfig } from '../../src/config.ts';
import { chatRequestSchema } from '../../src/core/agents/chat/schema.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { createLog, type Log } from '../../src/logging/log.ts';
import { testApp } from '../support/app.ts';
import { NO_BUDGETS } from '../support/budgets.ts';
import { chatApp } from '../support/chat.ts';
import type { Fault } from '../support/upstream/outcomes.ts';

test('openChat: a full disk does not keep the server from starting', async (t) => {
  const { runtime } = await testApp(t);
  const errors: unknown[] = [];
  const executionStore = Object.create(runtime.executionStore, {
    failChats: { value: () => Promise.reject(new RuntimeError('unavailable', 'The disk is full.')) },
  }) as typeof runtime.executionStore;
  const log = { ...runtime.log, error: (line: unknown) => errors.push(line) } as unknown as Log;
  for (const chatRecording of ['full', 'off'] as const) {
    const config = loadConfig({ dataDir: runtime.config.dataDir, chatRecording }, {}, {});
    const { chat, close } = await openChat({
      ...{ ...runtime, config, executionStore, log },
      ...{ budgets: NO_BUDGETS, effects: realEffects },
    });
    await close();
    assert.ok(chat);
  }
  assert.equal(errors.length, 2);
});

for (const chatRecording of ['full', 'metadata', 'off'] as const) {
  test(`openChat: recording ${chatRecording} logs failed chats without secrets`, async (t) => {
    const apiKey = 'sk-of-this-provider-4f9a8b7c';
    const app = await chatApp(t, {}, { apiKey });
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const config = { ...app.runtime.config, chatRecording };
    const { chat, executions, close } = await openChat({
      ...{ ...app.runtime, config, log },
      ...{ budgets: NO_BUDGETS, effects: realEffects },
    });
    const fail = async (fault: Fault) => {
      app.upstream.script({ pieces: [{ type: 'text', text: 'Once upon a time' }], fault });
      const run = await chat.begin(app.caller, chatRequestSchema.parse(app.ask()), new AbortController().signal);
      await assert.rejects(async () => {
        for await (const _ of (await run.answer()).events);
      });
      const { executionId, model, attempts, ...line } = JSON.parse(lines.at(-1)!);
      assert.deepEqual([line.level, line.msg, executionId], ['warn', 'chat failed', run.executionId]);
      assert.deepEqual([line.tenantId, line.providerName, model, attempts], [app.tenantId, 'local', 'llama3.2', 1]);
      const kept = (await executions.find(app.tenantId, executionId))?.execution.chat?.error;
      assert.equal(kept?.kind, chatRecording === 'off' ? undefined : line.kind, 'and so does the execution');
      return [line.kind, line.providerStatus, line.reason];
    };
    const quoted = (status: number) => ({ type: 'status' as const, status, message: `${apiKey} for: Say hello.` });
    assert.deepEqual(await fail({ type: 'status', status: 401, message: `No ${apiKey}.` }), [
      ...['credential', 401, 'No [secret].'],
    ]);
    assert.deepEqual(await fail(quoted(400)), ['refused', 400, undefined]);
    assert.deepEqual(await fail({ type: 'earlyEnd', after: 1 }), [
      ...['broken', null, 'The provider ended its answer before it was whole.'],
    ]);
    await close();
    assert.equal(lines.length, 3);
    assert.doesNotMatch(lines.join(), /Say hello|Once upon|4f9a8b7c/);
  });
}
