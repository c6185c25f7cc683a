import type { ToolCall } from '../../core/agents/chat/provider.ts';

/** Sent back unchanged with the calls that followed. Anthropic and Bedrock accept each other's. */
export type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

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

/** Supports only the order thoughts, text, calls: OpenAI's format cannot express any other. */
export class ThoughtCollector {
  private thoughts: Thought[] = [];
  private before: 'thoughts' | 'text' | 'other' = 'thoughts';

  observe(kind: 'text' | 'other'): void {
    if (this.before !== 'other') this.before = kind;
  }

  /** A thought without a signature cannot be sent back. */
  add(thought: Thought): void {
    if (this.before !== 'thoughts') this.before = 'other';
    else if (thought.type === 'redacted_thinking' || thought.signature !== '') this.thoughts.push(thought);
  }

  attachTo(call: ToolCall): ToolCall {
    const precede = this.before !== 'other' && this.thoughts.length > 0;
    this.before = 'other';
    return precede ? { ...call, extra_content: { anthropic: { thinking: this.thoughts } } } : call;
  }
}
