import type { Rating } from '../../../base/shared/review-fields.ts';
import type { ChatMessage } from '../../chat/message.ts';

/** With or without the final assistant message. */
export interface Conversation {
  messages: ChatMessage[];
  /** Any JSON value; null or undefined for none. */
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
