import type { ChatEvent } from '../core/agents/chat/provider.ts';
import type { ChatAnswer } from '../core/agents/chat/run.ts';
import type { ErrorBody } from './errors.ts';

/** Proxies close connections that are idle for longer. */
const HEARTBEAT_MS = 15_000;

interface PlainText {
  /** Null while the answer continues. */
  finishReason: string | null;
  chunks: AsyncGenerator<string>;
}

/** Waits for the first text, so that an error before it has its own HTTP status. */
export async function plainTextStream({ events }: ChatAnswer): Promise<PlainText> {
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

interface EventStreamParts {
  answer: Promise<ChatAnswer>;
  executionId: string;
  /** The body that the error would have before the stream begins. */
  errorBody(error: unknown): ErrorBody;
  heartbeatMs?: number;
}

/** Server-sent events with heartbeats. Throws failures; after the first byte also sends them. */
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
  const answer = { executionId, provider, providerName, model };
  let opening = '';
  if (droppedParams.length > 0) {
    const text = `The model does not take these as requested: ${droppedParams.join(', ')}.`;
    opening = message('warning', { message: text, droppedParams });
  }
  for await (const some of events) {
    // The opening has these already.
    const unsaid = some.filter(
      (event) => event.type !== 'warning' || !droppedParams.includes(event.droppedParam ?? ''),
    );
    yield opening + unsaid.map((event) => messageOf(event, answer)).join('');
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

async function* withHeartbeats(parts: AsyncGenerator<string>, idleMs: number): AsyncGenerator<string> {
  const idle = new IdleTimer(idleMs);
  let next = parts.next();
  try {
    for (;;) {
      const part = await idle.race(next);
      if (part === null) {
        yield ': heartbeat\n\n';
        continue;
      }
      if (part.done) return;
      yield part.value;
      next = parts.next();
    }
  } finally {
    idle.clear();
    next.catch(() => undefined);
    void parts.return(undefined).catch(() => undefined);
  }
}

/** One refreshed timer per stream: a timer per part would cost more than the part. */
class IdleTimer {
  private readonly timer: NodeJS.Timeout;
  private onIdle: ((idle: null) => void) | null = null;

  constructor(ms: number) {
    this.timer = setTimeout(() => this.onIdle?.(null), ms);
  }

  /** Null if the timer fires first. */
  race<Result>(work: Promise<Result>): Promise<Result | null> {
    this.timer.refresh();
    return new Promise((resolve, reject) => {
      this.onIdle = resolve;
      work.then(resolve, reject);
    });
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
