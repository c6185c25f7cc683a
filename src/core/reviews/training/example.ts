import type { ChatMessage } from '../../chat/message.ts';
import type { Rating } from '../fields.ts';

/** The messages of an execution, with or without the final assistant message, and its output. */
export interface Conversation {
  messages: ChatMessage[];
  /** A string, any other JSON value, or null or undefined for none. */
  output: unknown;
}

export interface ReviewedAnswer {
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
  /** Unanswered messages after the answer. */
  after: ChatMessage[];
}

/** The answer is the message that `answerAt` finds, or else `output` as text or JSON. */
export function turnsOf(conversation: Conversation): Turns {
  const { messages, output } = conversation;
  const at = answerAt(conversation);
  if (at !== -1) return { prompt: messages.slice(0, at), answer: messages[at]!, after: messages.slice(at + 1) };
  if (!hasOutput(output)) return { prompt: messages, answer: null, after: [] };
  const answer = assistantMessage(typeof output === 'string' ? output : JSON.stringify(output));
  return { prompt: messages, answer, after: [] };
}

/**
 * The index of the answer among the messages, or -1. The answer is the last assistant message when
 * only user messages follow it. When some follow and there is an `output`, the output answers them;
 * when none follow, the output is ignored.
 */
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

/** The message that replaces the answer; null without a correction. */
export function correctionOf({ correctedOutput }: ReviewedAnswer): ChatMessage | null {
  return correctedOutput === null ? null : assistantMessage(correctedOutput);
}

function assistantMessage(content: string): ChatMessage {
  return { role: 'assistant', content };
}
