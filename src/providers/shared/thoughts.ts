import type { ToolCall } from '../../core/chat/provider.ts';

/**
 * A thought of Claude, as Anthropic gives it and wants it back, unchanged, with the calls it led to. Bedrock has the same
 * in other words, and either takes those that came from the other.
 */
export type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

/** A call that brings the thoughts before it along: whoever answers it sends them back with it, unseen. */
export function withThoughts(call: ToolCall, thoughts: readonly Thought[]): ToolCall {
  return thoughts.length === 0 ? call : { ...call, extra_content: { anthropic: { thinking: thoughts } } };
}

/** The thoughts that a recorded call brings back. What is not one is left out. */
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
 * Keeps the thoughts of an answer for its first call. Only where they can be given back in their places, which a
 * conversation in OpenAI's form does not tell: before the text, and the text before the calls.
 */
export class ThoughtKeeper {
  private thoughts: Thought[] = [];
  private before: 'thoughts' | 'text' | 'other' = 'thoughts';

  /** A block of another kind has begun. */
  saw(kind: 'text' | 'other'): void {
    if (this.before !== 'other') this.before = kind;
  }

  /** Told when it is whole. Those without a signature cannot be given back. */
  keep(thought: Thought): void {
    if (this.before !== 'thoughts') this.before = 'other';
    else if (thought.type === 'redacted_thinking' || thought.signature !== '') this.thoughts.push(thought);
  }

  /** The call, with what was kept if it is the first. */
  attachTo(call: ToolCall): ToolCall {
    const given = this.before === 'other' ? call : withThoughts(call, this.thoughts);
    this.saw('other');
    return given;
  }
}
