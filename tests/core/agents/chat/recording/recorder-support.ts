import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { AbandonedChats } from '../../../../../src/core/agents/chat/recording/abandoned.ts';
import type { EndedChat, StartedChat } from '../../../../../src/core/agents/chat/recording/record.ts';
import { ChatRecorder } from '../../../../../src/core/agents/chat/recording/recorder.ts';
import type { RecordedChat, RunningChat } from '../../../../../src/core/agents/executions/store.ts';
import { EventOutbox } from '../../../../../src/core/analytics/events/outbox.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import type { Caller } from '../../../../../src/core/base/shared/caller.ts';
import { realEffects } from '../../../../../src/core/base/shared/effects.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { openReviews } from '../../../../support/reviews.ts';

const caller: Caller = {
  tenantId: 'one',
  agentId: null,
  label: 'test',
  scopes: ['*'],
  timezone: 'UTC',
  credential: { kind: 'key', id: 'k' },
  userId: null,
  role: null,
};

export function started(members: Partial<StartedChat> = {}): StartedChat {
  const request = {
    projectId: 'shop',
    provider: 'openai' as const,
    model: 'gpt-4o',
    messages: [{ role: 'user' as const, content: 'hi' }],
  };
  return {
    executionId: realEffects.newId(),
    caller,
    agentId: 'default',
    request,
    isTruncated: false,
    startedAt: 1_000,
    ...members,
  };
}

export function ended(chat: StartedChat, members: Partial<EndedChat> = {}): EndedChat {
  return {
    ...chat,
    status: 'completed',
    completedAt: 1_500,
    provider: 'openai',
    providerName: null,
    model: 'gpt-4o',
    baseUrl: null,
    price: null,
    text: 'hello',
    calls: [],
    usage: { inputTokens: 1_000, outputTokens: 200 },
    finishReason: 'stop',
    timeToFirstTokenMs: 100,
    providerRequestId: 'req_1',
    attempts: 1,
    isFallback: false,
    droppedParams: [],
    fault: null,
    ...members,
  };
}

/** A recorder over a real store of executions, whose disk can be full, and a list in the place of the event store. */
export async function recording(t: TestContext, { withContent = true } = {}) {
  const { executions, database, close } = await openReviews(temporaryDirectory(t));
  const events: StoredEvent[] = [];
  const state = {
    isDiskFull: false,
    isBacklogFull: false,
    shut: new Set<string>(),
    unknownAgent: '',
    errors: 0,
    lost: 0,
    writes: 0,
  };
  const refuseWithoutRoom = () => {
    if (state.isDiskFull) throw new RuntimeError('unavailable', 'The disk is full.');
  };
  const parts = {
    executions: {
      recordChats: async (chats: RecordedChat[]) => {
        refuseWithoutRoom();
        const kept = await executions.recordChats(chats);
        state.writes += 1;
        return kept;
      },
      runningChats: (after: RunningChat | null, limit: number) => executions.runningChats(after, limit),
      failChats: async (chats: RunningChat[]) => {
        refuseWithoutRoom();
        return executions.failChats(chats);
      },
    },
    agents: {
      register: async (_caller: Caller, [agent]: string[]) => {
        if (agent === state.unknownAgent) throw new RuntimeError('unavailable', 'The agent cannot be registered.');
      },
    },
    tenants: { isBlocked: (tenantId: string) => state.shut.has(tenantId) },
  };
  const onError = () => {
    state.errors += 1;
  };
  const outbox = new EventOutbox({
    events: {
      append: async (_tenantId: string, batch: StoredEvent[]) => {
        if (state.isBacklogFull) throw new RuntimeError('unavailable', 'Too much waits.');
        const added = batch.filter(({ id, idFromCaller }) => !idFromCaller || !events.some((one) => one.id === id));
        events.push(...added);
        return { duplicates: batch.length - added.length, receipt: '' };
      },
    },
    tenants: parts.tenants,
    effects: realEffects,
    onError,
    onLost: () => assert.fail('the recorder limits what waits'),
  });
  const recorder = new ChatRecorder({
    ...parts,
    outbox,
    abandoned: new AbandonedChats({ ...parts, outbox, effects: realEffects }),
    withContent,
    onRecorded: () => undefined,
    onError,
    onLost: (chats) => {
      state.lost += chats;
    },
  });
  const closeAll = async () => {
    await recorder.close();
    await outbox.close();
  };
  t.after(async () => {
    await closeAll();
    await close();
  });
  const found = async (id: string) => (await executions.find('one', id))?.execution;
  return { recorder, closeAll, events, state, found, executions, database };
}
