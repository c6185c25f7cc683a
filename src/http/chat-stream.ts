import type { ChatEvent } from '../core/chat/provider.ts';
import type { ChatAnswer } from '../core/chat/run.ts';
import type { ErrorBody } from './errors.ts';

/** How long a stream of events may say nothing: proxies close what is quiet for longer. */
const HEARTBEAT_MS = 15_000;

/** An answer as plain text, whose first text has come, or that has ended without one. */
export interface PlainText {
  /** Null while it goes on. */
  finishReason: string | null;
  chunks: AsyncGenerator<string>;
}

/** Waits for the first text, so that until then an error has its own status. */
export async function plainText({ events }: ChatAnswer): Promise<PlainText> {
  let first = '';
  for (;;) {
    const { done, value } = await events.next();
    if (done) return { finishReason: null, chunks: texts(first, events) };
    first = textOf(value);
    const end = value.find((event) => event.type === 'finish');
    if (first !== '' || end) return { finishReason: end?.reason ?? null, chunks: texts(first, events) };
  }
}

async function* texts(first: string, events: AsyncGenerator<ChatEvent[]>): AsyncGenerator<string> {
  try {
    yield first;
    for await (const some of events) {
      const text = textOf(some);
      if (text !== '') yield text;
    }
  } finally {
    await events.return(undefined);
  }
}

function textOf(events: ChatEvent[]): string {
  let text = '';
  for (const event of events) if (event.type === 'text') text += event.text;
  return text;
}

export interface EventStreamParts {
  /** Pending, or already there. */
  answer: Promise<ChatAnswer>;
  executionId: string;
  /** What an error would have been answered with. */
  errorBody(error: unknown): ErrorBody;
  heartbeatMs?: number;
}

/**
 * An answer as server-sent events: text, reasoning, tool_call, usage, warning, error, done. Comments keep a quiet connection
 * alive, also one that waits for its first event. An error breaks it off, after saying which; one before all of that is
 * thrown as it is.
 */
export async function* eventStream({
  answer,
  executionId,
  errorBody,
  heartbeatMs = HEARTBEAT_MS,
}: EventStreamParts): AsyncGenerator<string> {
  let hasBegun = false;
  try {
    for await (const part of withHeartbeats(answerEvents(answer, executionId), heartbeatMs)) {
      hasBegun = true;
      yield part;
    }
  } catch (error) {
    if (hasBegun) yield message('error', errorBody(error));
    throw error;
  }
}

async function* answerEvents(pending: Promise<ChatAnswer>, executionId: string): AsyncGenerator<string> {
  const { provider, providerName, model, droppedParams, events } = await pending;
  const told = { executionId, provider, providerName, model };
  let opening = '';
  if (droppedParams.length > 0) {
    const text = `The model does not take ${droppedParams.join(', ')}; the answer goes without.`;
    opening = message('warning', { message: text, droppedParams });
  }
  for await (const some of events) {
    yield opening + some.map((event) => messageOf(event, told)).join('');
    opening = '';
  }
}

function messageOf(event: ChatEvent, answer: object): string {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return message(event.type, { text: event.text });
    case 'tool_call':
      return message('tool_call', event.call);
    case 'usage':
      return message('usage', event.usage);
    case 'warning':
      return message('warning', { message: event.message });
    case 'finish':
      return message('done', { finishReason: event.reason, ...answer });
  }
}

function message(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function* withHeartbeats(parts: AsyncGenerator<string>, quietMs: number): AsyncGenerator<string> {
  const quiet = new IdleTimer(quietMs);
  let next = parts.next();
  try {
    for (;;) {
      const part = await quiet.or(next);
      if (part === null) {
        yield ': heartbeat\n\n';
        continue;
      }
      if (part.done) return;
      yield part.value;
      next = parts.next();
    }
  } finally {
    quiet.end();
    next.catch(() => undefined);
    void parts.return(undefined).catch(() => undefined);
  }
}

/** One timer for a stream, set anew: one for each part would cost more than the part. */
class IdleTimer {
  private readonly timer: NodeJS.Timeout;
  private tell: ((nothing: null) => void) | null = null;

  constructor(ms: number) {
    this.timer = setTimeout(() => this.tell?.(null), ms);
  }

  /** What the work brings, or null when that takes too long. */
  or<Result>(work: Promise<Result>): Promise<Result | null> {
    this.timer.refresh();
    return new Promise((resolve, reject) => {
      this.tell = resolve;
      work.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
