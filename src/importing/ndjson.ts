import { isUtf8 } from 'node:buffer';
import { type ImportInput, isUtf8Name } from './input.ts';
import type { ImportRow, LineCounts } from './reading.ts';

/** Far above any event, which has at most 64 KB of properties. */
const LINE_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;

/** Reads one object a line. Lines end at LF or CRLF. */
export async function* readNdjson(input: ImportInput, lines: LineCounts): AsyncGenerator<ImportRow> {
  let line = 0;
  for await (const block of blocksOf(input.open())) {
    const isWhole = isUtf8Name(input.encoding) && (block === null || isUtf8(block));
    for (const json of block === null ? [null] : block.toString().split('\n')) {
      line += 1;
      if (json !== null && json[0] !== '{' && json.trim() === '') lines.blank += 1;
      else {
        lines.rows += 1;
        if (json === null) yield { line, problem: 'is longer than any event may be' };
        else if (!isWhole && json.includes('\ufffd')) yield { line, problem: notIn(input.encoding) };
        else yield { line, ...parseObject(json) };
      }
    }
  }
}

/** Whole lines without the last line feed; null for one that is too long. */
async function* blocksOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    let from = 0;
    if (length > LINE_BYTES) {
      from = chunk.indexOf(LINE_FEED) + 1;
      if (from === 0) continue;
      yield null;
      length = 0;
    }
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end >= from) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]);
      begun = [];
      length = 0;
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LINE_BYTES) begun = [];
  }
  if (length > LINE_BYTES) yield null;
  else if (length > 0) yield Buffer.concat(begun);
}

export function parseObject(json: string): Omit<ImportRow, 'line'> {
  try {
    const event: unknown = JSON.parse(json);
    if (!canBeSent(event)) return { problem: 'has a number that is too large' };
    if (typeof event === 'object' && event !== null && !Array.isArray(event)) {
      return { event: event as Record<string, unknown> };
    }
    return { problem: 'is not a JSON object' };
  } catch {
    return { problem: 'is not valid JSON' };
  }
}

/** JSON has no word for a number beyond any double: it would be sent as null. */
function canBeSent(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(canBeSent);
}

export function notIn(encoding: string): string {
  return `has bytes that are not ${encoding}; set --encoding to that of the file`;
}
