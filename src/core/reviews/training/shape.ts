import { readCall } from '../../chat/calls.ts';
import type { ChatMessage } from '../../chat/message.ts';
import { argumentsOf } from './calls.ts';
import { answerAt, type Conversation, hasOutput } from './example.ts';

/** Of OpenAI's fine-tuning with images, in one example. */
const MAX_IMAGES = 10;
/** Other types of image are refused there. What an address leads to is not known here. */
const TRAINABLE_IMAGE = /^(https?:\/\/\S|data:image\/(jpeg|jpg|png|webp);base64,)/i;

/** The prompt's last turn: none, system, assistant, or user or tool, which ask for an answer. */
type End = '-' | 's' | 'a' | 'u';
/** Text alone, images where fine-tuning takes them (in user messages), or anything else. */
type Content = 't' | 'i' | 'x';
/** Tool calls: all arguments are objects (or there is no call), some are raw text, or they are not calls of functions or not paired. */
type Calls = 'o' | 'r' | 'x';
/** No answer, or one of text whose calls are as in `Calls`; an answer of anything else is x. */
type Answer = '-' | Calls;

/** Everything about a conversation that decides which formats can express it. */
export interface Shape {
  end: End;
  content: Content;
  calls: Calls;
  answer: Answer;
}

/** 1, then one letter for each member of `Shape`, in its order. Another meaning of a letter needs another first character. */
const SHAPE = /^1([-sau])([tix])([orx])([-orx])$/;

/**
 * The shape of a conversation as a code of five characters, to be stored with the execution: `1utoo` is a question in text that
 * was answered. It is cheap: no content is read or written, except the arguments of tool calls, which are parsed.
 */
export function shapeOf(conversation: Conversation): string {
  const { messages, output } = conversation;
  const at = answerAt(conversation);
  const prompt = at === -1 ? messages : messages.slice(0, at);
  const answer = at === -1 ? (hasOutput(output) ? 'o' : '-') : answerOf(messages[at]!);
  return `1${endOf(prompt)}${contentOf(prompt)}${callsOf(prompt)}${answer}`;
}

/** Null for a code that is not one of ours, or not of this version. */
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

/** Paired is what OpenAI takes: the calls of a turn are answered, each once, before any other turn follows. */
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

/** The calls of one turn, whose ids it adds. */
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
