import type { Batch } from '../shared/reading.ts';

/**
 * Returns the types of parts that no event can carry, such as images. Throws a TypeError for what
 * is no content.
 */
export function addContent(content: unknown, batch: Batch): string[] {
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
