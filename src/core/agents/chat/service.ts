import { agentToWrite } from '../../base/shared/agent.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid } from '../../base/shared/errors.ts';
import { capMessages } from '../../base/shared/parse.ts';
import type { ConfiguredProvider } from '../providers/configured.ts';
import { type CandidateParts, ChatCandidates, type FallbackParts, type RequestedChat } from './candidates.ts';
import type { Vendor } from './capabilities.ts';
import type { ChatBudgets, ChatReservation } from './chat-budgets.ts';
import { conversationProblems } from './message.ts';
import { type ChatCandidate, type ChatTimeouts, openAnswer } from './open-answer.ts';
import type { ChatProvider } from './provider.ts';
import type { EndedChat, StartedChat } from './recording/record.ts';
import type { ChatRecorder } from './recording/recorder.ts';
import { type ChatTranscript, Transcripts } from './recording/transcript.ts';
import { ChatRun, type RunParts } from './run.ts';
import type { ChatRequest } from './schema.ts';
import { type ChatSlot, ChatSlots } from './slots.ts';

/*
 * While an answer streams, maybe for an hour, nothing may reference its request: 20 MB and images.
 * Closures of one function share a scope, so `opener` (uses the request) and `ender` are separate.
 */

export interface ChatParts extends CandidateParts {
  load(provider: Vendor): Promise<ChatProvider>;
  recorder: Pick<ChatRecorder, 'begin' | 'end' | 'withContent'> | null;
  budgets: Pick<ChatBudgets, 'reserve'>;
  effects: Effects;
  timeouts: ChatTimeouts;
  /** Per credential, at once. */
  maxStreams: number;
  onEnd(chat: EndedChat): void;
}

/** A chat that tries one provider and model as they are: without fallbacks and default members. */
export interface ChatProbe {
  /** The longest wait for the first content. */
  timeoutMs: number;
  onEnd(ended: EndedChat): void;
}

export class ChatService {
  private readonly parts: ChatParts;
  private readonly slots: ChatSlots;
  private readonly transcripts: Transcripts;
  private readonly candidates: ChatCandidates;

  constructor(parts: ChatParts) {
    this.parts = parts;
    this.slots = new ChatSlots(parts.maxStreams);
    this.transcripts = new Transcripts(parts.recorder?.withContent ?? false);
    this.candidates = new ChatCandidates(parts);
  }

  /** Throws `invalid`, naming the field; `rate_limited` for too many chats or a spent budget. */
  async begin(caller: Caller, request: ChatRequest, signal: AbortSignal, probe?: ChatProbe): Promise<ChatRun> {
    requireScope(caller, 'chat:write');
    const problems = conversationProblems(request.messages);
    if (problems.length > 0) throw invalid(...capMessages(problems));
    const slot = this.slots.acquire(caller);
    try {
      return await this.run({ caller, requested: withoutUndefined(request), signal, slot }, probe);
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  private async run(chat: RequestedChat, probe: ChatProbe | undefined): Promise<ChatRun> {
    const { caller, requested, signal, slot } = chat;
    const agentId = agentToWrite(caller);
    const { recorder, budgets, effects } = this.parts;
    const { provider, providerName = null } = requested;
    const found = await this.candidates.provider(caller, provider, providerName);
    const configured = probe ? probed(found, probe) : found;
    const request = { ...configured.defaults, ...requested };
    const candidate = await this.candidates.candidate(configured, request, chat);
    const executionId = effects.newId();
    const reservation = await budgets.reserve(caller, executionId, candidate);
    const transcript = this.transcripts.begin(caller.tenantId, request);
    const started: StartedChat = {
      executionId,
      caller,
      agentId,
      request: transcript.request,
      isTruncated: transcript.isTruncated,
      startedAt: effects.now(),
    };
    recorder?.begin(started);
    return new ChatRun({
      started,
      candidate,
      open: this.opener(candidate, { fallbacks: configured.fallbacks, request, chat, reservation }),
      effects,
      transcript,
      signal,
      onEnd: this.ender(slot, transcript, reservation, probe?.onEnd),
    });
  }

  private opener(first: ChatCandidate, parts: FallbackParts): RunParts['open'] {
    const { load, timeouts } = this.parts;
    const { signal, slot } = parts.chat;
    return async (onAttempt) => {
      const candidates = this.candidates.withFallbacks(first, parts);
      const opened = await openAnswer({ candidates, load, timeouts, signal, onAttempt });
      slot.releaseMemory();
      return opened;
    };
  }

  private ender(
    slot: ChatSlot,
    transcript: ChatTranscript,
    reservation: ChatReservation,
    onProbeEnd: ChatProbe['onEnd'] | undefined,
  ): RunParts['onEnd'] {
    const { recorder, onEnd } = this.parts;
    return (ended) => {
      slot.release();
      transcript.release();
      const recorded = recorder?.end(ended);
      reservation.settle(ended);
      onEnd(ended);
      onProbeEnd?.(ended);
      return recorded ?? Promise.resolve();
    };
  }
}

function probed(configured: ConfiguredProvider, { timeoutMs }: ChatProbe): ConfiguredProvider {
  const own = configured.timeoutMs ?? timeoutMs;
  return { ...configured, defaults: {}, fallbacks: [], timeoutMs: Math.min(own, timeoutMs) };
}

/** An undefined member would hide the provider's default. */
function withoutUndefined(request: ChatRequest): ChatRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as ChatRequest;
}
