import type { ToolCall } from '../../core/agents/chat/provider.ts';
import type { EventBatch } from '../shared/reading.ts';

/**
 * Returns the types of parts that no event can carry, such as images. Throws a TypeError for what
 * is no content.
 */
export function addContent(content: unknown, batch: EventBatch): string[] {
  const leftOut: string[] = [];
  for (const part of Array.isArray(content) ? content : [content]) {
    if (typeof part === 'string') batch.text(part);
    else if (/^(thinking|reasoning)/.test(part.type)) batch.reasoning(textIn(part));
    else if ('text' in part || 'refusal' in part) batch.text(textIn(part));
    else if (typeof part.type === 'string') leftOut.push(part.type);
    else throw new TypeError('a content has a part without a type');
  }
  return leftOut;
}

/** The text of a content, however nested. Parts may have none; all else throws a TypeError. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textIn).join('');
  const { type, text, thinking, summary, content: inner, refusal } = content as Record<string, unknown>;
  return textIn(text ?? thinking ?? summary ?? inner ?? refusal ?? (typeof type === 'string' ? '' : undefined));
}

/** OpenRouter's and MiniMax's form; a stream has the text of one detail in several parts. */
interface Detail extends Record<string, unknown> {
  type?: unknown;
  index?: unknown;
}

export interface Reasoning {
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: Detail[] | null;
}

const NAMES = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;
const JOINED = ['text', 'summary'];

/**
 * The reasoning before a call, which DeepSeek, Kimi, OpenRouter and others require back with the
 * call. It travels in the `extra_content` of the first call, under the names that the server gave
 * it.
 */
export class ReasoningCollector {
  private readonly collected: { reasoning_content?: string; reasoning?: string; reasoning_details?: Detail[] } = {};

  /** Returns what is to be shown: servers send one text under several names. */
  add({ reasoning_details: details, ...texts }: Reasoning): string {
    const { collected } = this;
    const shown: string[] = [];
    for (const name of ['reasoning_content', 'reasoning'] as const) {
      // Even an empty text is required back.
      if (!texts[name] && texts[name] !== '') continue;
      const text = textIn(texts[name]);
      collected[name] = (collected[name] ?? '') + text;
      if (text !== '') shown.push(text);
    }
    for (const detail of details ?? []) this.addDetail(detail);
    if (shown.length > 0) return shown[0]!;
    return (details ?? []).map(({ text, summary }) => (text || summary ? textIn(text || summary) : '')).join('');
  }

  attachTo(calls: ToolCall[]): void {
    const [first] = calls;
    if (!first || Object.keys(this.collected).length === 0) return;
    first.extra_content = { ...first.extra_content, chat_completions: this.collected };
  }

  private addDetail(detail: Detail): void {
    this.collected.reasoning_details ??= [];
    const all = this.collected.reasoning_details;
    const last = all.findLast(({ type, index, id }) => {
      const isOther = id && detail.id && id !== detail.id;
      return type === detail.type && index === detail.index && !isOther;
    });
    // Encrypted ones come whole.
    if (!last || 'data' in detail) {
      all.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const before = last[name];
      const isPart = JOINED.includes(name) && typeof before === 'string' && typeof value === 'string';
      if (value !== null) last[name] = isPart ? before + value : value;
    }
  }
}

/** The calls of a message without their reasoning, and that reasoning as members of the message. */
export function withReasoningApart(calls: readonly Record<string, unknown>[]) {
  const reasoning: Record<string, unknown> = {};
  const tool_calls = calls.map(({ extra_content: extra, ...call }) => {
    const { chat_completions: own, ...others } = (extra ?? {}) as Record<string, unknown>;
    for (const name of NAMES) {
      const value = (own as Reasoning | null | undefined)?.[name];
      if (value !== undefined) reasoning[name] = value;
    }
    return Object.keys(others).length > 0 ? { ...call, extra_content: others } : call;
  });
  return { tool_calls, ...reasoning };
}
