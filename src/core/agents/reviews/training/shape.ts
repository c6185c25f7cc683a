import type { Rating } from '../../../base/shared/review-fields.ts';
import type { ExportedAssessment } from '../../assessments/schema.ts';
import { type ChatMessage, readCall } from '../../chat/message.ts';

/** OpenAI's limit per example for fine-tuning with images. */
const MAX_IMAGES = 10;
/** OpenAI refuses other image types. The type behind a URL is unknown. */
const TRAINABLE_IMAGE = /^(https?:\/\/\S|data:image\/(jpeg|jpg|png|webp);base64,)/i;

/** None, system, assistant, or user or tool. */
type End = '-' | 's' | 'a' | 'u';
/** Text only, images where fine-tuning accepts them (in user messages), or anything else. */
type Content = 't' | 'i' | 'x';
/** o: object arguments or no calls. r: some raw text. x: unpaired calls, or no functions. */
type Calls = 'o' | 'r' | 'x';
/** No answer, a text answer with its calls, or x for any other content. */
type Answer = '-' | Calls;

export interface Shape {
  end: End;
  content: Content;
  calls: Calls;
  answer: Answer;
}

/** A version, then one letter per member of `Shape`. New meanings need a new version. */
const SHAPE = /^1([-sau])([tix])([orx])([-orx])$/;

/** Stored with the execution: `1utoo` is an answered text question. Parses only call arguments. */
export function shapeOf(conversation: Conversation): string {
  const { messages, output } = conversation;
  const at = answerAt(conversation);
  const prompt = at === -1 ? messages : messages.slice(0, at);
  const answer = at === -1 ? (hasOutput(output) ? 'o' : '-') : answerOf(messages[at]!);
  return `1${endOf(prompt)}${contentOf(prompt)}${callsOf(prompt)}${answer}`;
}

export function readShape(code: string): Shape | null {
  const [, end, content, calls, answer] = SHAPE.exec(code) ?? [];
  return end === undefined ? null : ({ end, content, calls, answer } as Shape);
}

function endOf(prompt: ChatMessage[]): End {
  const last = prompt.at(-1);
  if (last === undefined) return '-';
  return last.role === 'system' ? 's' : last.role === 'assistant' ? 'a' : 'u';
}

function contentOf(messages: ChatMessage[]): Content {
  let images = 0;
  for (const { role, content, tool_calls: calls } of messages) {
    if (typeof content === 'string') continue;
    if (content === null) {
      if (calls === undefined) return 'x';
      continue;
    }
    for (const part of content) {
      if (part.type === 'text') continue;
      if (part.type === 'file' || role !== 'user' || !TRAINABLE_IMAGE.test(part.image_url.url)) return 'x';
      images += 1;
    }
  }
  if (images > MAX_IMAGES) return 'x';
  return images === 0 ? 't' : 'i';
}

/** Paired, as OpenAI requires: each call is answered once before another message follows. */
function callsOf(prompt: ChatMessage[]): Calls {
  const unanswered = new Set<string>();
  let calls: Calls = 'o';
  for (const message of prompt) {
    if (message.role === 'tool') {
      if (message.tool_call_id === undefined || !unanswered.delete(message.tool_call_id)) return 'x';
      continue;
    }
    if (unanswered.size > 0) return 'x';
    const own = callsIn(message, unanswered);
    if (own === 'x') return 'x';
    if (own === 'r') calls = 'r';
  }
  return unanswered.size > 0 ? 'x' : calls;
}

function answerOf(answer: ChatMessage): Answer {
  return contentOf([answer]) === 't' ? callsIn(answer, new Set()) : 'x';
}

/** Adds the ids of the calls to `ids`. */
function callsIn({ tool_calls: calls = [] }: ChatMessage, ids: Set<string>): Calls {
  let found: Calls = 'o';
  for (const recorded of calls) {
    const call = readCall(recorded);
    if (call === null || ids.has(call.id)) return 'x';
    ids.add(call.id);
    if (argumentsOf(call.arguments) === null) found = 'r';
  }
  return found;
}

const MAX_DEPTH = 64;

/** Null unless an object can represent the text exactly. */
export function argumentsOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && isFaithful(value) ? value : null;
  } catch {
    return null;
  }
}

/** False for integers beyond 53 bits, which JSON.parse rounds, and for deep nesting. */
function isFaithful(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isFaithful(member, levels - 1));
}

/** With or without the final assistant message. */
export interface Conversation {
  messages: ChatMessage[];
  /** Any JSON value; null or undefined for none. */
  output: unknown;
}

export interface ReviewedAnswer {
  /** Left out where nobody asked for them. */
  assessments?: ExportedAssessment[];
  reviewId: string;
  executionId: string;
  rating: Rating;
  correctedOutput: string | null;
  /** Null when the execution was not recorded. */
  conversation: Conversation | null;
}

export interface Turns {
  prompt: ChatMessage[];
  answer: ChatMessage | null;
  after: ChatMessage[];
}

export function turnsOf(conversation: Conversation): Turns {
  const { messages, output } = conversation;
  const at = answerAt(conversation);
  if (at !== -1) return { prompt: messages.slice(0, at), answer: messages[at]!, after: messages.slice(at + 1) };
  if (!hasOutput(output)) return { prompt: messages, answer: null, after: [] };
  const answer = assistantMessage(typeof output === 'string' ? output : JSON.stringify(output));
  return { prompt: messages, answer, after: [] };
}

/** The last assistant message if only user messages follow, and no `output` answers them; or -1. */
export function answerAt({ messages, output }: Conversation): number {
  const at = messages.findLastIndex(({ role }) => role !== 'user' && role !== 'system');
  const last = messages[at];
  if (last?.role !== 'assistant') return -1;
  if (at === messages.length - 1) return at;
  return last.tool_calls === undefined && !hasOutput(output) ? at : -1;
}

export function hasOutput(output: unknown): boolean {
  return output !== null && output !== undefined;
}

export function correctionOf({ correctedOutput }: ReviewedAnswer): ChatMessage | null {
  return correctedOutput === null ? null : assistantMessage(correctedOutput);
}

function assistantMessage(content: string): ChatMessage {
  return { role: 'assistant', content };
}
