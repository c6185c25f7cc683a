import { DEFAULT_AGENT } from '../auth/schema.ts';
import type { ConfiguredProvider } from '../providers/configured.ts';
import type { Fallback } from '../providers/schema.ts';
import { type Caller, requireScope } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { invalid, RuntimeError } from '../shared/errors.ts';
import { capMessages } from '../shared/parse.ts';
import { applyCapabilities } from './apply-capabilities.ts';
import { type Candidate, openAnswer, type Patience } from './attempts.ts';
import type { ChatReservation, ReservesBudgets } from './budgets.ts';
import { capabilitiesOf } from './capabilities.ts';
import { conversationProblems } from './conversation.ts';
import { inlineImages, type LoadImage } from './images.ts';
import type { ChatProvider } from './provider.ts';
import type { EndedChat, StartedChat } from './recording/record.ts';
import type { ChatRecorder } from './recording/recorder.ts';
import { type Transcript, Transcripts } from './recording/transcript.ts';
import { ChatRun, type RunParts } from './run.ts';
import type { ChatRequest } from './schema.ts';
import { type ChatSlot, ChatSlots } from './slots.ts';
import type { ProviderName } from './vendors.ts';

export interface ChatParts {
  providers: {
    configured(tenantId: string, name: string): Promise<ConfiguredProvider>;
    ofEnvironment(provider: ProviderName): ConfiguredProvider;
  };
  load(provider: ProviderName): Promise<ChatProvider>;
  loadImage: LoadImage;
  recorder: Pick<ChatRecorder, 'begin' | 'end' | 'withContent'> | null;
  budgets: ReservesBudgets;
  effects: Effects;
  patience: Patience;
  /** How many chats may be streamed with one credential at once. */
  maxStreams: number;
  onEnd(chat: EndedChat): void;
}

/** One chat, as it was asked for. */
interface Chat {
  caller: Caller;
  asked: ChatRequest;
  signal: AbortSignal;
  place: ChatSlot;
}

/** One chat that may be asked of providers. */
interface ReservedChat extends Chat {
  reservation: ChatReservation;
}

/** Chats with models, whoever runs them. */
export class ChatService {
  private readonly parts: ChatParts;
  private readonly places: ChatSlots;
  private readonly transcripts: Transcripts;

  constructor(parts: ChatParts) {
    this.parts = parts;
    this.places = new ChatSlots(parts.maxStreams);
    this.transcripts = new Transcripts(parts.recorder?.withContent ?? false);
  }

  /**
   * Checks the request and begins the chat; its answer is asked for next. Throws `invalid` for what no provider, or not this
   * one, can be asked, naming the field; `rate_limited` when the credential streams too many at once, or a budget has no
   * room for the chat.
   */
  async begin(caller: Caller, asked: ChatRequest, signal: AbortSignal): Promise<ChatRun> {
    requireScope(caller, 'chat:write');
    const problems = conversationProblems(asked.messages);
    if (problems.length > 0) throw invalid(...capMessages(problems));
    const place = this.places.acquire(caller);
    try {
      return await this.run({ caller, asked: defined(asked), signal, place });
    } catch (error) {
      place.release();
      throw error;
    }
  }

  private async run(chat: Chat): Promise<ChatRun> {
    const { caller, asked, signal, place } = chat;
    const { recorder, budgets, effects } = this.parts;
    const configured = await this.provider(caller.tenantId, asked.provider, asked.providerName ?? null);
    const request = { ...configured.defaults, ...asked };
    const candidate = { ...(await this.candidate(configured, request, chat)), isFallback: false };
    const executionId = effects.newId();
    const reservation = await budgets.reserve(caller, executionId, candidate);
    const transcript = this.transcripts.begin(caller.tenantId, request);
    const started: StartedChat = {
      executionId,
      caller,
      agentId: caller.agentId ?? DEFAULT_AGENT,
      request: transcript.request,
      isTruncated: transcript.isTruncated,
      startedAt: effects.now(),
    };
    recorder?.begin(started);
    return new ChatRun({
      started,
      candidate,
      open: this.opener(candidate, configured, request, { ...chat, reservation }),
      effects,
      transcript,
      signal,
      onEnd: this.ender(place, transcript, reservation),
    });
  }

  /** Asks the candidates in turn. With the answer, what was loaded to ask them is let go. */
  private opener(
    first: Candidate,
    configured: ConfiguredProvider,
    request: ChatRequest,
    chat: ReservedChat,
  ): RunParts['open'] {
    const { load, patience } = this.parts;
    const { signal, place } = chat;
    return async (onAttempt) => {
      const candidates = this.candidates(first, configured, request, chat);
      const opened = await openAnswer({ candidates, load, patience, signal, onAttempt });
      place.releaseMemory();
      return opened;
    };
  }

  /** Apart from the opener: what is made in one function holds all that the other needs. */
  private ender(place: ChatSlot, transcript: Transcript, reservation: ChatReservation): RunParts['onEnd'] {
    const { recorder, onEnd } = this.parts;
    return (ended) => {
      place.release();
      transcript.leave();
      const recorded = recorder?.end(ended);
      reservation.settle(ended);
      onEnd(ended);
      return recorded ?? Promise.resolve();
    };
  }

  /** The provider asked for, and its fallbacks, each looked at only when those before it have failed. */
  private async *candidates(
    first: Candidate,
    { fallbacks }: ConfiguredProvider,
    request: ChatRequest,
    chat: ReservedChat,
  ): AsyncGenerator<Candidate> {
    yield first;
    for (const fallback of fallbacks) {
      const candidate = await this.fallback(fallback, request, chat);
      if (candidate) yield candidate;
    }
  }

  /** Null for one that cannot be asked this, is not well configured or does not fit the budgets: there may be others. */
  private async fallback(
    { provider, providerName, model }: Fallback,
    request: ChatRequest,
    chat: ReservedChat,
  ): Promise<Candidate | null> {
    try {
      const configured = await this.provider(chat.caller.tenantId, provider, providerName ?? null);
      const wanted = { ...configured.defaults, ...request, provider, model };
      const candidate = { ...(await this.candidate(configured, wanted, chat)), isFallback: true };
      return (await chat.reservation.extend(candidate)) ? candidate : null;
    } catch (error) {
      chat.signal.throwIfAborted();
      if (error instanceof RuntimeError) return null;
      throw error;
    }
  }

  private async provider(tenantId: string, provider: ProviderName, name: string | null): Promise<ConfiguredProvider> {
    if (name === null) return this.parts.providers.ofEnvironment(provider);
    const configured = await this.parts.providers.configured(tenantId, name);
    const { provider: speaks } = configured.connection;
    if (speaks === provider) return configured;
    throw invalid(`provider: must be ${speaks}, which is what the provider "${name}" is configured as`);
  }

  /** Throws `invalid` when it cannot be asked this. */
  private async candidate(
    configured: ConfiguredProvider,
    wanted: ChatRequest,
    { asked, signal, place }: Chat,
  ): Promise<Omit<Candidate, 'isFallback'>> {
    const { name, connection, price, strict, timeoutMs } = configured;
    const { provider, model, legacy = false } = wanted;
    const isPrivate = connection.allowPrivateNetwork;
    const capabilities = capabilitiesOf({ provider, model, legacy, isPrivate }, configured.capabilities);
    // Who chats can leave out what they sent, and not what a definition adds to it.
    const kept = strict ? Object.keys(asked) : [];
    const { request, dropped, cutAt, refusals } = applyCapabilities(wanted, capabilities, kept);
    if (refusals.length > 0) throw invalid(...capMessages(refusals));
    return {
      provider,
      providerName: name,
      connection,
      capabilities,
      price,
      request: await inlineImages(request, capabilities, connection, {
        load: this.parts.loadImage,
        hold: place.reserve,
        signal,
      }),
      kept,
      dropped,
      cutAt,
      timeoutMs,
    };
  }
}

/** Only what is given: what is not leaves the provider's default. */
function defined(request: ChatRequest): ChatRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as ChatRequest;
}
