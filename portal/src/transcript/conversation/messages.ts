/** A message of a conversation. What a member holds is what its sender wrote: each is checked where it is shown. */
export interface Message {
  role: string;
  content?: unknown;
  reasoning_content?: unknown;
  tool_calls?: unknown;
  tool_call_id?: unknown;
  name?: unknown;
}

type Members = Record<string, unknown>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The messages that a recorded value is or has; null if it is no conversation. */
export function messagesIn(value: unknown): Message[] | null {
  if (isMembers(value) && Array.isArray(value.messages)) return messagesIn(value.messages);
  const messages = Array.isArray(value) ? value : [value];
  return messages.length > 0 && messages.every(isMessage) ? messages : null;
}

function isMessage(value: unknown): value is Members & Message {
  if (!isMembers(value) || typeof value.role !== 'string') return false;
  return ['content', 'tool_calls', 'reasoning_content'].some((name) => name in value);
}
