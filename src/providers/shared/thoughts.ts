import type { ToolCall } from '../../core/chat/provider.ts';

/**
 * A thought of Claude, as Anthropic sends it and wants it back unchanged with the calls that
 * followed. Bedrock uses other names for the same, and each accepts the other's thoughts.
 */
export type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

/** The call with the thoughts before it, which the caller sends back unread. */
export function withThoughts(call: ToolCall, thoughts: readonly Thought[]): ToolCall {
  return thoughts.length === 0 ? call : { ...call, extra_content: { anthropic: { thinking: thoughts } } };
}

/** The thoughts that a call of the conversation brings back. Anything else is ignored. */
export function thoughtsOf({ extra_content: extra }: Record<string, unknown>): Thought[] {
  const { anthropic } = (extra ?? {}) as { anthropic?: { thinking?: unknown } | null };
  const thinking = anthropic?.thinking;
  return Array.isArray(thinking) ? thinking.filter(isThought) : [];
}

function isThought(value: unknown): value is Thought {
  const { type, thinking, signature, data } = (value ?? {}) as Record<string, unknown>;
  if (type === 'redacted_thinking') return typeof data === 'string';
  return type === 'thinking' && typeof thinking === 'string' && typeof signature === 'string';
}

/**
 * Collects the thoughts of an answer and attaches them to its first call. Supports only the order
 * thoughts, text, calls: a conversation in OpenAI's format cannot express any other.
 */
export class ThoughtCollector {
  private thoughts: Thought[] = [];
  private before: 'thoughts' | 'text' | 'other' = 'thoughts';

  /** A block of another kind has begun. */
  observe(kind: 'text' | 'other'): void {
    if (this.before !== 'other') this.before = kind;
  }

  /** Call it with a complete thought. Those without a signature cannot be sent back. */
  add(thought: Thought): void {
    if (this.before !== 'thoughts') this.before = 'other';
    else if (thought.type === 'redacted_thinking' || thought.signature !== '') this.thoughts.push(thought);
  }

  /** The call, with the thoughts if it is the first. */
  attachTo(call: ToolCall): ToolCall {
    const attached = this.before === 'other' ? call : withThoughts(call, this.thoughts);
    this.observe('other');
    return attached;
  }
}
