import type { ResponseReasoningItem } from 'openai/resources/responses/responses';
import type { ToolCall } from '../../core/agents/chat/provider.ts';

/** Encrypted. OpenAI wants it back with the calls that followed. */
export type Reasoning = Pick<ResponseReasoningItem, 'type' | 'id' | 'summary'> & { encrypted_content: string };

export function reasoningOf({ extra_content: extra }: Record<string, unknown>): Reasoning[] {
  const { openai } = (extra ?? {}) as { openai?: { reasoning?: unknown } | null };
  const reasoning = openai?.reasoning;
  return Array.isArray(reasoning) ? reasoning.flatMap(readReasoning) : [];
}

/** Only the members that OpenAI accepts back. */
function readReasoning(value: unknown): Reasoning[] {
  const { type, id, summary, encrypted_content: sealed } = (value ?? {}) as Record<string, unknown>;
  const isWhole =
    type === 'reasoning' && typeof id === 'string' && Array.isArray(summary) && typeof sealed === 'string';
  return isWhole && sealed !== '' ? [{ type, id, summary, encrypted_content: sealed }] : [];
}

/** Chat Completions can express reasoning only at the start or between calls. */
export class ReasoningCollector {
  private reasoning: Reasoning[] = [];
  private before: 'nothing' | 'call' | 'other' = 'nothing';

  observe(item: { type?: string }): void {
    if (item.type === 'reasoning') {
      if (this.before !== 'other') this.reasoning.push(...readReasoning(item));
      return;
    }
    // Reasoning before the text belongs to the first call, which comes after both.
    if (item.type !== 'message' || this.before === 'call') this.reasoning = [];
    this.before = 'other';
  }

  attachTo(call: ToolCall): ToolCall {
    const reasoning = this.reasoning;
    this.reasoning = [];
    this.before = 'call';
    return reasoning.length === 0 ? call : { ...call, extra_content: { openai: { reasoning } } };
  }
}
