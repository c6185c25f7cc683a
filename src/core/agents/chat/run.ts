import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError, ServerStopped } from '../../base/shared/errors.ts';
import { type ChatCandidate, NoAnswer, type Opened, type OpenOptions } from './open-answer.ts';
import { type ChatEvent, type ChatUsage, type FinishReason, ProviderFault } from './provider.ts';
import {
  type ChatStatus,
  countedUsage,
  type EndedChat,
  estimatedUsage,
  type StartedChat,
  tokenCharacters,
  withoutContent,
} from './recording/record.ts';
import { redactSecrets } from './recording/secrets.ts';
import type { ChatTranscript } from './recording/transcript.ts';
import { StopCutter } from './stop.ts';

export interface RunParts {
  started: StartedChat;
  candidate: ChatCandidate;
  open(onAttempt: OpenOptions['onAttempt']): Promise<Opened>;
  effects: Effects;
  transcript: ChatTranscript;
  /** Resolves once the chat is recorded, or cannot be for now. Never rejects. */
  onEnd(ended: EndedChat): Promise<void>;
  /** Aborted on disconnect, or with `ServerStopped`. */
  signal: AbortSignal;
}

export interface ChatAnswer {
  provider: string;
  providerName: string | null;
  model: string;
  droppedParams: string[];
  /** Ends with `usage` and `finish`. Throws a RuntimeError if the provider breaks off. */
  events: AsyncGenerator<ChatEvent[]>;
}

/** Ends exactly once. */
export class ChatRun {
  private readonly parts: Omit<RunParts, 'candidate' | 'open'>;
  /** Null once used, to free the request. */
  private open: RunParts['open'] | null;
  private readonly startedMs = performance.now();
  private readonly onAbort = () => {
    const { reason } = this.parts.signal;
    if (!(reason instanceof ServerStopped)) void this.end('cancelled', null);
    else void this.end('failed', { kind: 'shutdown', message: reason.message, status: null });
  };
  private candidate: ChatCandidate;
  private attempts = 0;
  private requestLength = 0;
  private requestId: string | null = null;
  private answerLength = 0;
  private usage: ChatUsage | null = null;
  private finishReason: FinishReason | null = null;
  private firstMs: number | null = null;
  private isCut = false;
  private hasEnded = false;
  /** Null until a candidate answers. */
  private droppedParams: string[] | null = null;

  constructor({ candidate, open, ...parts }: RunParts) {
    this.parts = parts;
    this.open = open;
    this.candidate = candidate;
    if (parts.signal.aborted) this.onAbort();
    else parts.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  get executionId(): string {
    return this.parts.started.executionId;
  }

  /** Resolves with the first content or at the end. Throws a RuntimeError. */
  async answer(): Promise<ChatAnswer> {
    try {
      const { requestId, hasContent, droppedParams, events } = await this.open!((candidate) => {
        this.candidate = candidate;
        this.attempts += 1;
      });
      this.requestId = requestId;
      if (hasContent) this.firstMs = performance.now() - this.startedMs;
      this.forgetRequest();
      const { request, providerName } = this.candidate;
      this.droppedParams = [...this.candidate.droppedParams, ...droppedParams];
      const { provider, model } = request;
      return { provider, providerName, model, droppedParams: this.droppedParams, events: this.events(events) };
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw await this.failed(error);
      this.candidate = error.candidate;
      throw await this.failed(error.fault);
    }
  }

  private forgetRequest(): void {
    const { request } = this.candidate;
    const { instructions } = request;
    this.requestLength = tokenCharacters(request);
    this.candidate = { ...this.candidate, request: { ...withoutContent(request), instructions } };
    this.open = null;
  }

  private async *events(source: AsyncGenerator<ChatEvent[]>): AsyncGenerator<ChatEvent[]> {
    const cutter = this.candidate.stopAt.length > 0 ? new StopCutter(this.candidate.stopAt) : null;
    try {
      for await (const events of source) {
        const shown = cutter ? this.cut(events, cutter) : events;
        const sent = this.observe(shown);
        if (sent.length > 0) yield sent;
        if (this.isCut) break;
      }
      await this.end('completed', null);
      yield this.lastEvents();
    } catch (error) {
      throw await this.failed(error);
    } finally {
      // The reader may have stopped early.
      this.onAbort();
    }
  }

  private cut(events: ChatEvent[], cutter: StopCutter): ChatEvent[] {
    const shown: ChatEvent[] = [];
    for (const event of events) {
      if (event.type === 'text') shown.push({ type: 'text', text: cutter.push(event.text) });
      else if (event.type === 'finish') shown.push({ type: 'text', text: cutter.rest() }, event);
      else shown.push(event);
      if (!cutter.isCut) continue;
      this.isCut = true;
      return [...shown, { type: 'finish', reason: 'stop' }];
    }
    return shown;
  }

  /** Withholds `usage` and `finish`, which are sent once, at the end. */
  private observe(events: ChatEvent[]): ChatEvent[] {
    return events.filter((event) => {
      if (event.type === 'usage') this.usage = countedUsage(event.usage) ?? this.usage;
      else if (event.type === 'finish') this.finishReason = event.reason;
      else if (event.type === 'text') return this.recordText(event.text);
      else if (event.type === 'reasoning') this.answerLength += event.text.length;
      else if (event.type === 'tool_call') {
        this.parts.transcript.call(event.call);
        this.answerLength += event.call.function.arguments.length;
      }
      return event.type !== 'usage' && event.type !== 'finish';
    });
  }

  private recordText(text: string): boolean {
    if (text === '') return false;
    this.answerLength += text.length;
    this.parts.transcript.add(text);
    return true;
  }

  private lastEvents(): ChatEvent[] {
    const usage = this.finalUsage('completed');
    return [
      ...(usage ? [{ type: 'usage' as const, usage }] : []),
      { type: 'finish', reason: this.finishReason ?? 'other' },
    ];
  }

  /** A cut or broken answer has no final count. */
  private finalUsage(status: ChatStatus): EndedChat['usage'] {
    if (this.droppedParams === null) return null;
    if (status === 'completed' && this.usage && !this.isCut) return this.usage;
    return estimatedUsage(this.requestLength, this.answerLength, this.usage);
  }

  /** The caller's error. Waits for the chat's record, except after a disconnect. */
  private async failed(error: unknown): Promise<unknown> {
    if (this.parts.signal.aborted) {
      this.onAbort();
      return error;
    }
    if (!(error instanceof ProviderFault)) {
      await this.end('failed', { kind: 'internal', message: 'Internal error.', status: null });
      return error;
    }
    const { kind, status, retryAfterMs, requestId } = error;
    const message = redactSecrets(error.message, this.candidate.connection);
    this.requestId ??= requestId;
    await this.end('failed', { kind, message, status });
    return callerError({ kind, message, status, retryAfterMs }, nameOf(this.candidate));
  }

  private async end(status: ChatStatus, fault: EndedChat['fault']): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { started, transcript, effects, signal, onEnd } = this.parts;
    signal.removeEventListener('abort', this.onAbort);
    const { candidate } = this;
    await onEnd({
      ...started,
      request: transcript.requestWith(candidate.request.instructions),
      status,
      completedAt: Math.max(started.startedAt, effects.now()),
      provider: candidate.provider,
      providerName: candidate.providerName,
      model: candidate.request.model,
      baseUrl: candidate.connection.baseUrl,
      price: candidate.price,
      text: transcript.text,
      calls: transcript.calls,
      isTruncated: transcript.isTruncated,
      usage: this.finalUsage(status),
      finishReason: this.finishReason,
      timeToFirstTokenMs: this.firstMs === null ? null : Math.round(this.firstMs),
      providerRequestId: this.requestId === null ? null : redactSecrets(this.requestId, candidate.connection),
      attempts: this.attempts,
      isFallback: candidate.isFallback,
      droppedParams: this.droppedParams ?? candidate.droppedParams,
      fault,
    });
  }
}

function nameOf({ provider, providerName }: ChatCandidate): string {
  return providerName === null ? provider : `"${providerName}" (${provider})`;
}

/** Seconds. */
const RETRY_AFTER = 1;

/** Quotes the provider only about the request itself. */
export function callerError(
  { kind, status, message, retryAfterMs }: Pick<ProviderFault, 'kind' | 'status' | 'message' | 'retryAfterMs'>,
  name: string,
): RuntimeError {
  switch (kind) {
    case 'refused': {
      // Without a status our own check failed, and the message names the field.
      const text = status === null ? message : `provider: ${name} refused the request (${status}): ${message}`;
      return new RuntimeError('invalid', text, { messages: [text] });
    }
    case 'credential':
      if (status === null) return upstream(`${name} cannot be called: ${message}`);
      return upstream(
        `${name} does not accept the key that is configured for it here. The operator of this server must correct it.`,
      );
    case 'rate_limited': {
      const retryAfter = Math.max(RETRY_AFTER, Math.ceil((retryAfterMs ?? 0) / 1_000));
      return new RuntimeError('rate_limited', `${name} accepts no more requests for now. Try again later.`, {
        retryAfter,
      });
    }
    case 'timeout':
      return new RuntimeError('timeout', `${name} did not answer in time. Try again, or ask for less.`);
    case 'unavailable':
      if (status !== null) return upstream(`${name} failed (${status}). Its message is in the execution. Try again.`);
      return upstream(`${name} does not answer: ${message} Check that it runs and that its baseUrl is right.`);
    case 'broken':
      return upstream(`${name} did not send a whole answer. Try again.`);
  }
}

function upstream(message: string): RuntimeError {
  return new RuntimeError('upstream', message);
}
