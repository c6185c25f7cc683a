import { jsonBytes } from '../../analytics/events/questions/fit.ts';

export interface CutText {
  text: string;
  /** Characters after the text, and the offset at which they begin; absent at the end. */
  leftOut?: number;
  nextOffset?: number;
}

/** The text from an offset, as much as has so many characters, and bytes as JSON. */
export function cutText(
  whole: string,
  offset: number,
  { characters, bytes }: { characters: number; bytes: number },
): CutText {
  let end = Math.min(whole.length, offset + characters);
  while (end > offset + 1 && jsonBytes(whole.slice(offset, end)) > bytes)
    end = offset + Math.floor((end - offset) * 0.9);
  // Half a character is no text.
  if (end < whole.length && end > offset + 1 && !whole.slice(offset, end).isWellFormed()) end -= 1;
  const text = whole.slice(offset, end).toWellFormed();
  return end < whole.length ? { text, leftOut: whole.length - end, nextOffset: end } : { text };
}
