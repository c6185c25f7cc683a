import type { ChatBudgets } from '../core/agents/chat/chat-budgets.ts';
import { AbandonedChats } from '../core/agents/chat/recording/abandoned.ts';
import { withRecorded } from '../core/agents/chat/recording/executions.ts';
import type { EndedChat } from '../core/agents/chat/recording/record.ts';
import { ChatRecorder } from '../core/agents/chat/recording/recorder.ts';
import { ChatService } from '../core/agents/chat/service.ts';
import { completionEvents } from '../core/agents/executions/completions.ts';
import { executionIndexing } from '../core/agents/executions/indexing.ts';
import { conversationsOf } from '../core/agents/executions/of-user.ts';
import { executionRetention } from '../core/agents/executions/retention.ts';
import type { ErasedConversations, ExecutionSteps, SingleExecutions } from '../core/agents/executions/store.ts';
import { loadProvider } from '../providers/index.ts';
import type { OpenStores } from './open-stores.ts';

/** The largest image that providers accept. */
const IMAGE_LIMITS = { maxBytes: 20 * 1024 * 1024, timeoutMs: 20_000 };

interface ChatParts extends OpenStores {
  budgets: Pick<ChatBudgets, 'reserve'>;
}

export interface OpenedChat {
  chat: ChatService;
  /** Includes unwritten records. */
  executions: SingleExecutions & ExecutionSteps;
  /** Executions were recorded. */
  onRecorded(): void;
  /** Pages of what is erased of an end user. */
  conversationsOf(tenantId: string, userId: string): AsyncIterable<ErasedConversations>;
  /** Call it before `eraseExecutions`: only the executions say whose these events are. */
  eraseEvents(tenantId: string, erased: ErasedConversations): Promise<number>;
  eraseExecutions(tenantId: string, erased: ErasedConversations | null): Promise<number>;
  close(): Promise<void>;
}

export async function openChat(parts: ChatParts): Promise<OpenedChat> {
  const { config, providers, executionStore, eventStore, outbox, tenants, runner, metrics, log, effects } = parts;
  const abandoned = new AbandonedChats({ executions: executionStore, outbox, tenants, effects });
  const completions = completionEvents({
    store: executionStore,
    outbox,
    onError: (error) => log.error({ err: error }, 'events of executions that ended could not be stored and wait'),
  });
  const indexing = executionIndexing(executionStore, (error) =>
    log.error({ err: error }, 'words of executions could not be indexed and wait'),
  );
  const onRecorded = () => {
    completions.wake();
    indexing.wake();
  };
  // A crash may have left some.
  onRecorded();
  const retention = executionRetention({
    ...{ store: executionStore, effects, maintenance: parts.maintenance },
    onExpired: (tenantId, executions) => log.info({ tenantId, executions }, 'executions past their retention removed'),
    onError: (error) => log.error({ err: error }, 'retention of executions'),
  });
  const recorder = recorderOf(parts, abandoned, onRecorded);
  // Not fatal on a full disk: the recorder keeps retrying.
  const endAbandoned = async () => {
    if (recorder) return recorder.endAbandonedOfOthers();
    await abandoned
      .end(() => false)
      .catch((error: unknown) => log.error({ err: error }, 'chats that a crash left could not be ended'));
  };
  await endAbandoned();
  runner.onTakeover(endAbandoned);
  return {
    chat: new ChatService({
      providers,
      load: loadProvider,
      loadImage: async (url, options) => {
        const { fetchContent } = await import('../outbound/content.ts');
        return fetchContent(url, { ...options, ...IMAGE_LIMITS });
      },
      recorder,
      budgets: parts.budgets,
      effects,
      timeouts: { firstContentMs: config.chatTimeout * 1_000, idleMs: config.chatIdle * 1_000 },
      maxStreams: config.chatStreams,
      onEnd: (chat) => {
        metrics.recordChat(chat);
        if (chat.status === 'failed') log.warn(failureOf(chat), 'chat failed');
      },
    }),
    onRecorded,
    executions: recorder ? withRecorded(executionStore, recorder) : executionStore,
    conversationsOf: async function* (tenantId, userId) {
      await recorder?.settleAll();
      yield* conversationsOf(executionStore, tenantId, userId);
    },
    eraseEvents: async (tenantId, erased) => {
      await recorder?.settleAll();
      // Each end has its event then: one that came later would not be found by its execution.
      await completions.run();
      const executionIds = await executionStore.idsOf(tenantId, erased);
      if (executionIds.length === 0) return 0;
      return eventStore.erase(tenantId, { executionIds, inAnyThread: erased.userId !== null });
    },
    eraseExecutions: async (tenantId, erased) => {
      // A record written later would survive the erasure.
      await recorder?.settleAll();
      const count = await executionStore.erase(tenantId, erased);
      // Events on their way are erased after this.
      await completions.run();
      return count;
    },
    close: async () => {
      await retention.close();
      await recorder?.close();
      await completions.run();
      await completions.close();
      await indexing.close();
      await executionStore.close();
    },
  };
}

/** Omits the text of a refusal, which may quote the request. */
function failureOf(chat: EndedChat) {
  const { caller, executionId, provider, providerName, model, attempts, providerRequestId } = chat;
  const { kind, status, message } = chat.fault!;
  return {
    tenantId: caller.tenantId,
    executionId,
    provider,
    providerName,
    model,
    attempts,
    providerRequestId,
    kind,
    providerStatus: status,
    ...(kind !== 'refused' && { reason: message }),
  };
}

function recorderOf(parts: ChatParts, abandoned: AbandonedChats, onRecorded: () => void): ChatRecorder | null {
  const { config, executionStore, outbox, tenants, agents, metrics, log } = parts;
  if (config.chatRecording === 'off') return null;
  return new ChatRecorder({
    tenants,
    agents,
    outbox,
    abandoned,
    executions: executionStore,
    onRecorded,
    withContent: config.chatRecording === 'full',
    onError: (error) => log.error({ err: error }, 'chats could not be recorded and wait'),
    onLost: (chats) => {
      metrics.lostChats.add(chats);
      log.error({ chats }, 'chats were not recorded, because too many wait');
    },
  });
}
