import { DEFAULT_AGENT } from '../auth/service.ts';
import { type Caller, requireScope } from '../caller.ts';
import type { Effects } from '../effects.ts';
import { invalid, RuntimeError } from '../errors.ts';
import { capMessages } from '../parse.ts';
import type { ConfiguredProvider } from '../providers/configured.ts';
import type { Fallback } from '../providers/schema.ts';
import { type Candidate, openAnswer, type Patience } from './attempts.ts';
import { capabilitiesOf } from './capabilities.ts';
import { conversationProblems } from './conversation.ts';
import { honour } from './honour.ts';
import { inlineImages, type LoadImage } from './images.ts';
import type { ChatProvider, ProviderName } from './provider.ts';
import type { EndedChat, StartedChat } from './record.ts';
import type { ChatRecorder } from './recorder.ts';
import { ChatRun } from './run.ts';
import type { ChatRequest } from './schema.ts';

export interface ChatParts {
  providers: {
    configured(tenantId: string, name: string): Promise<ConfiguredProvider>;
    ofEnvironment(provider: ProviderName): ConfiguredProvider;
  };
  load(provider: ProviderName): Promise<ChatProvider>;
  loadImage: LoadImage;
  recorder: Pick<ChatRecorder, 'begin' | 'end' | 'withContent'> | null;
  effects: Effects;
  patience: Patience;
  /** How many chats may be streamed with one credential at once. */
  maxStreams: number;
  onEnd(chat: EndedChat): void;
}

/** Chats with models, whoever runs them. */
export class ChatService {
  private readonly parts: ChatParts;
  private readonly streams = new Map<string, number>();

  constructor(parts: ChatParts) {
    this.parts = parts;
  }

  /**
   * Checks the request and begins the chat; its answer is asked for next. Throws `invalid` for what no provider, or not this
   * one, can be asked, naming the field; `rate_limited` when the credential streams too many at once.
   */
  async begin(caller: Caller, asked: ChatRequest, signal: AbortSignal): Promise<ChatRun> {
    requireScope(caller, 'chat:write');
    const problems = conversationProblems(asked.messages);
    if (problems.length > 0) throw invalid(...capMessages(problems));
    const leave = this.enter(caller.credential.id);
    try {
      return await this.run(caller, asked, signal, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async run(caller: Caller, asked: ChatRequest, signal: AbortSignal, leave: () => void): Promise<ChatRun> {
    const { load, recorder, effects, patience, onEnd } = this.parts;
    const configured = await this.provider(caller.tenantId, asked.provider, asked.providerName ?? null);
    const request = { ...configured.defaults, ...defined(asked) };
    const candidate = await this.candidate(configured, request, signal);
    const started: StartedChat = {
      executionId: effects.newId(),
      caller,
      agentId: caller.agentId ?? DEFAULT_AGENT,
      request,
      startedAt: effects.now(),
    };
    recorder?.begin(started);
    return new ChatRun({
      started,
      candidate,
      open: (onAttempt) => {
        const candidates = this.candidates(candidate, configured, request, caller, signal);
        return openAnswer({ candidates, load, patience, signal, onAttempt });
      },
      effects,
      keepsText: recorder?.withContent ?? false,
      signal,
      onEnd: (ended) => {
        leave();
        recorder?.end(ended);
        onEnd(ended);
      },
    });
  }

  /** The provider asked for, and its fallbacks, each looked at only when those before it have failed. */
  private async *candidates(
    first: Candidate,
    { fallbacks }: ConfiguredProvider,
    request: ChatRequest,
    { tenantId }: Caller,
    signal: AbortSignal,
  ): AsyncGenerator<Candidate> {
    yield first;
    for (const fallback of fallbacks) {
      const candidate = await this.fallback(tenantId, fallback, request, signal);
      if (candidate) yield candidate;
    }
  }

  /** Null for one that cannot be asked this, or that is not well configured: there may be others. */
  private async fallback(
    tenantId: string,
    { provider, providerName, model }: Fallback,
    request: ChatRequest,
    signal: AbortSignal,
  ): Promise<Candidate | null> {
    try {
      const configured = await this.provider(tenantId, provider, providerName ?? null);
      return await this.candidate(configured, { ...request, provider, model }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RuntimeError) return null;
      throw error;
    }
  }

  private async provider(tenantId: string, provider: ProviderName, name: string | null): Promise<ConfiguredProvider> {
    if (name === null) {
      if (provider !== 'custom') return this.parts.providers.ofEnvironment(provider);
      throw invalid('providerName: is required with custom; name a provider that `providers apply` installed');
    }
    const configured = await this.parts.providers.configured(tenantId, name);
    const { provider: speaks } = configured.connection;
    if (speaks === provider) return configured;
    throw invalid(`provider: must be ${speaks}, which is what the provider "${name}" is configured as`);
  }

  /** Throws `invalid` when it cannot be asked this. */
  private async candidate(configured: ConfiguredProvider, asked: ChatRequest, signal: AbortSignal): Promise<Candidate> {
    const { name, connection, strict, timeoutMs } = configured;
    const { provider, model, legacy = false } = asked;
    const capabilities = capabilitiesOf({ provider, model, legacy }, configured.capabilities);
    const { request, dropped, cutAt, refusals } = honour(asked, capabilities, strict);
    if (refusals.length > 0) throw invalid(...capMessages(refusals));
    return {
      provider,
      providerName: name,
      connection,
      capabilities,
      request: await inlineImages(request, capabilities, connection, this.parts.loadImage, signal),
      dropped,
      cutAt,
      timeoutMs,
    };
  }

  /** Takes one of the credential's places. Returns what gives it back, once. */
  private enter(credentialId: string): () => void {
    const { maxStreams } = this.parts;
    const streams = this.streams.get(credentialId) ?? 0;
    if (streams >= maxStreams) {
      throw new RuntimeError(
        'rate_limited',
        `With this credential ${maxStreams} chats are under way, which is the most at once. Try again when one has ended.`,
        { retryAfter: 1 },
      );
    }
    this.streams.set(credentialId, streams + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      const left = (this.streams.get(credentialId) ?? 1) - 1;
      if (left > 0) this.streams.set(credentialId, left);
      else this.streams.delete(credentialId);
    };
  }
}

/** Only what is given: what is not leaves the provider's default. */
function defined(request: ChatRequest): ChatRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as ChatRequest;
}
