import type { ResponseReasoningItem } from 'openai/resources/responses/responses';
import type { ToolCall } from '../../core/chat/provider.ts';

/** What a model of OpenAI thought, sealed, as it is wanted back with the calls it led to. The summary is part of it. */
export type Reasoning = Pick<ResponseReasoningItem, 'type' | 'id' | 'summary'> & { encrypted_content: string };

/** The reasoning that a recorded call brings back. What is not that is left out. */
export function reasoningOf({ extra_content: extra }: Record<string, unknown>): Reasoning[] {
  const { openai } = (extra ?? {}) as { openai?: { reasoning?: unknown } | null };
  const reasoning = openai?.reasoning;
  return Array.isArray(reasoning) ? reasoning.flatMap(readReasoning) : [];
}

/** As it is given back, without what OpenAI tells and does not take: its text, for example. */
function readReasoning(value: unknown): Reasoning[] {
  const { type, id, summary, encrypted_content: sealed } = (value ?? {}) as Record<string, unknown>;
  const isWhole =
    type === 'reasoning' && typeof id === 'string' && Array.isArray(summary) && typeof sealed === 'string';
  return isWhole && sealed !== '' ? [{ type, id, summary, encrypted_content: sealed }] : [];
}

/**
 * Keeps reasoning for the call after it. Only where it can be given back in its place, which a conversation in OpenAI's
 * older form, the text before the calls, does not always tell: before all else, or between calls.
 */
export class ReasoningKeeper {
  private reasoning: Reasoning[] = [];
  private before: 'nothing' | 'call' | 'other' = 'nothing';

  /** An item of the answer that is no whole call is done. */
  saw(item: { type?: string }): void {
    if (item.type === 'reasoning') {
      if (this.before !== 'other') this.reasoning.push(...readReasoning(item));
      return;
    }
    // The text of an answer follows what was thought before it, and the first call comes after both.
    if (item.type !== 'message' || this.before === 'call') this.reasoning = [];
    this.before = 'other';
  }

  /** The call, with what was kept for it. */
  attachTo(call: ToolCall): ToolCall {
    const reasoning = this.reasoning;
    this.reasoning = [];
    this.before = 'call';
    return reasoning.length === 0 ? call : { ...call, extra_content: { openai: { reasoning } } };
  }
}
