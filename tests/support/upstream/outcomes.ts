import type { ChatUsage } from '../../../src/core/agents/chat/provider.ts';

/** What an answer is made of, in the order in which it is sent. */
export type Piece =
  | { type: 'text'; text: string }
  /** `signature` ends the block, as Anthropic, Bedrock and Gemini sign it. */
  | { type: 'reasoning'; text: string; signature?: string }
  /** A refusal in words, which OpenAI keeps apart from text. */
  | { type: 'refusal'; text: string }
  /** `arguments` is JSON text. Without an id, Gemini gives none, as its older models do, and the others one of theirs. */
  | { type: 'toolCall'; name: string; arguments: string; id?: string }
  | { type: 'pause'; ms: number }
  /** Waits for `release()`: what a test sees before it has arrived because it was sent at once. */
  | { type: 'hold' };

/** Why the model stopped. `pause_turn` is Anthropic's; elsewhere it is a stop. */
export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'pause_turn';

export interface Answer {
  pieces: Piece[];
  finish: Finish;
  /** Told apart as each vendor does: some count cache and reasoning within, some beside. Null: nothing is told. */
  usage: ChatUsage | null;
}

/**
 * How the bytes of an answer travel. Unless said otherwise each frame is written for itself.
 * `crlf`, `comments`, `multiLine`: other ways to write server-sent events. `utf8Split`: characters of four bytes come in
 * two writes. `slowDrip`: each byte comes alone. `oneWrite`: all comes at once.
 */
export type Wire = 'frames' | 'crlf' | 'comments' | 'multiLine' | 'utf8Split' | 'slowDrip' | 'oneWrite';

/** How far an answer comes: its headers alone, or with what opens it and so many of its pieces. */
export type After = 'headers' | number;

export type ErrorKind = 'server' | 'overloaded' | 'rateLimited';

/** How long a caller is to wait, in seconds. As a number, as a date so far ahead, or as Google says it within the body. */
export type Retry = { seconds: number } | { date: number } | { retryInfo: number };

export type Fault =
  /** The connection breaks. */
  | { type: 'cut'; after: After }
  /** The response ends as if all were well, without the marker that ends an answer. */
  | { type: 'earlyEnd'; after: After }
  /** Nothing more comes, and the connection stays. */
  | { type: 'hang'; after: After }
  /** An error within the stream; after `headers` it is the first event. */
  | { type: 'errorEvent'; after: After; kind?: ErrorKind; message?: string }
  /** The other form in which OpenAI, Groq, Google and Amazon tell of an error within the stream. */
  | { type: 'failure'; after: After; message?: string }
  /** The next frame breaks off within its JSON, and the rest comes as if nothing had happened. */
  | { type: 'badJson'; after: After }
  /** The next frame is not what its checksum says; Bedrock alone has them. */
  | { type: 'badChecksum'; after: After }
  /** 200, and a page for people. */
  | { type: 'html' }
  | { type: 'status'; status: number; retry?: Retry; message?: string }
  /** As each vendor says that a key is not accepted. Not all answer 401 to it. */
  | { type: 'refusedKey' }
  /** 302 to a path where a clean answer waits. */
  | { type: 'redirect' }
  | { type: 'hangBeforeHeaders' }
  | { type: 'resetBeforeHeaders' }
  /** Text without end, as fast as it is read, until the client leaves. */
  | { type: 'endless' };

/** What one request gets. Left out: a short clean answer. */
export interface Outcome extends Partial<Answer> {
  wire?: Wire;
  fault?: Fault;
}

export const CLEAN_PIECES: Piece[] = [
  { type: 'text', text: 'Olá ' },
  { type: 'text', text: 'mundo 🌍' },
];

/** The answer of an outcome, with what is usual where it says nothing. */
export function answerOf({ pieces = CLEAN_PIECES, finish, usage }: Outcome): Answer {
  const callsTools = pieces.some(({ type }) => type === 'toolCall');
  return {
    pieces,
    finish: finish ?? (callsTools ? 'tool_calls' : 'stop'),
    usage: usage === undefined ? { inputTokens: 12, outputTokens: 5 } : usage,
  };
}
