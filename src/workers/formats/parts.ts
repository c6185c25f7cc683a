/** A longer line is read in parts. */
export const SECTION_BYTES = 64 * 1024;

/** The next character shows the end of a section or line. */
export const WINDOW_BYTES = SECTION_BYTES + 4;

const SHORT_LINE_BYTES = 256;

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Up to the last end of a paragraph, line, word or character in the second half. */
export function sectionLength(bytes: Buffer): number {
  if (bytes.length <= SECTION_BYTES) return bytes.length;
  let lineEnd = 0;
  let wordEnd = 0;
  let blankBelow = 0;
  for (let at = SECTION_BYTES; at > SECTION_BYTES / 2; at--) {
    const last = bytes[at - 1]!;
    if (endsLine(bytes, at)) {
      if (blankBelow > 0) return blankBelow;
      lineEnd ||= at;
      blankBelow = at;
    } else if (last === SPACE || last === TAB) {
      wordEnd ||= at;
    } else if (last !== RETURN) {
      blankBelow = 0;
    }
  }
  return lineEnd || wordEnd || characterEnd(bytes);
}

export function lineLength(bytes: Buffer): { length: number; isWhole: boolean } {
  const length = firstLineEnd(bytes, SHORT_LINE_BYTES) ?? firstLineEnd(bytes, bytes.length) ?? bytes.length;
  const isWhole = length <= SECTION_BYTES;
  return { length: isWhole ? length : sectionLength(bytes), isWhole };
}

function firstLineEnd(bytes: Buffer, within: number): number | null {
  const feed = bytes.subarray(0, within).indexOf(LINE_FEED);
  const line = bytes.subarray(0, feed < 0 ? within : feed + 1);
  const end = line.indexOf(RETURN) + 1;
  if (end > 0 && end < bytes.length && endsLine(bytes, end)) return end;
  return feed < 0 ? null : feed + 1;
}

/** `\r` alone ends a line, but not within `\r\n`. */
function endsLine(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === LINE_FEED || (bytes[at - 1] === RETURN && bytes[at] !== LINE_FEED);
}

function characterEnd(bytes: Buffer): number {
  let at = SECTION_BYTES;
  while (at > SECTION_BYTES - 3 && (bytes[at]! & 0xc0) === 0x80) at--;
  return bytes[at - 1] === RETURN && bytes[at] === LINE_FEED ? at - 1 : at;
}
