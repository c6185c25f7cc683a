import type { Config } from '../config.ts';
import type { AuthService } from '../core/auth/service.ts';
import type { BudgetReserver } from '../core/chat/budgets.ts';
import { AbandonedChats } from '../core/chat/recording/abandoned.ts';
import { RecordedExecutions } from '../core/chat/recording/executions.ts';
import type { EndedChat } from '../core/chat/recording/record.ts';
import { ChatRecorder } from '../core/chat/recording/recorder.ts';
import { ChatService } from '../core/chat/service.ts';
import type { EventStore } from '../core/events/store.ts';
import type { ErasedThread, ExecutionStore, SingleExecutions } from '../core/executions/store.ts';
import type { ProviderService } from '../core/providers/service.ts';
import type { Effects } from '../core/shared/effects.ts';
import type { Log } from '../logging/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { fetchContent } from '../outbound/content.ts';
import { loadProvider } from '../providers/index.ts';

/** An image within a chat: as large as a provider takes. */
const IMAGE_LIMITS = { maxBytes: 20 * 1024 * 1024, timeoutMs: 20_000 };

interface ChatParts {
  config: Config;
  providers: ProviderService;
  executionStore: ExecutionStore;
  budgets: BudgetReserver;
  eventStore: EventStore;
  auth: AuthService;
  metrics: Metrics;
  log: Log;
  effects: Effects;
}

/** Chats, and the executions that they leave. */
export interface Chat {
  chat: ChatService;
  /** As they will be once everything is written that is recorded of chats. */
  executions: SingleExecutions;
  /** Events that name no thread, of executions of the thread: those of its chats. Before the executions, which tell of which thread they are. */
  eraseEvents(tenantId: string, thread: ErasedThread): Promise<number>;
  eraseExecutions(tenantId: string, thread: ErasedThread | null): Promise<number>;
  /** Writes what is still to be recorded. */
  close(): Promise<void>;
}

/** Chats over the providers, recorded as the configuration says. */
export async function openChat(parts: ChatParts): Promise<Chat> {
  const { config, providers, executionStore, eventStore, auth, metrics, log, effects } = parts;
  const abandoned = new AbandonedChats({ executions: executionStore, events: eventStore, auth, effects });
  const recorder = recorderOf(parts, abandoned);
  // A disk that takes nothing must not keep the server from starting: the recorder goes on trying.
  if (recorder) await recorder.settleAll();
  else {
    await abandoned
      .end(() => false)
      .catch((error: unknown) => log.error({ err: error }, 'chats that a crash left could not be ended'));
  }
  return {
    chat: new ChatService({
      providers,
      load: loadProvider,
      loadImage: (url, options) => fetchContent(url, { ...options, ...IMAGE_LIMITS }),
      recorder,
      budgets: parts.budgets,
      effects,
      patience: { firstContentMs: config.chatTimeout * 1_000, idleMs: config.chatIdle * 1_000 },
      maxStreams: config.chatStreams,
      onEnd: (chat) => {
        metrics.chatted(chat);
        if (chat.status === 'failed') log.warn(failureOf(chat), 'chat failed');
      },
    }),
    executions: recorder ? new RecordedExecutions(executionStore, recorder) : executionStore,
    eraseEvents: async (tenantId, thread) => {
      await recorder?.settleAll();
      const executionIds = await executionStore.idsOf(tenantId, thread);
      return executionIds.length > 0 ? eventStore.erase(tenantId, { executionIds }) : 0;
    },
    eraseExecutions: async (tenantId, thread) => {
      // What is written later would stay.
      await recorder?.settleAll();
      return executionStore.erase(tenantId, thread);
    },
    close: async () => recorder?.close(),
  };
}

/** Why a chat failed, for the log. What a provider says of a request that it refuses may quote it: its caller was told. */
function failureOf({
  caller,
  executionId,
  provider,
  providerName,
  model,
  attempts,
  providerRequestId,
  fault,
}: EndedChat) {
  const { kind, status, message } = fault!;
  const about = { tenantId: caller.tenantId, executionId, provider, providerName, model, attempts, providerRequestId };
  return { ...about, kind, providerStatus: status, ...(kind === 'refused' ? {} : { reason: message }) };
}

/** Null when chats are not to be recorded. */
function recorderOf(parts: ChatParts, abandoned: AbandonedChats): ChatRecorder | null {
  const { config, executionStore, eventStore, auth, metrics, log, effects } = parts;
  if (config.chatRecording === 'off') return null;
  return new ChatRecorder({
    auth,
    effects,
    abandoned,
    executions: executionStore,
    events: eventStore,
    withContent: config.chatRecording === 'full',
    onError: (error) => log.error({ err: error }, 'chats could not be recorded and wait'),
    onLost: (chats) => {
      metrics.lostChats.add(chats);
      log.error({ chats }, 'chats were not recorded, because too many wait');
    },
  });
}
