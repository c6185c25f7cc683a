import { TimeSlices } from '../../core/base/concurrency/time-slices.ts';
import { invalid } from '../../core/base/shared/errors.ts';

/** In characters: a shorter text is parsed at once, which takes half as long. */
const AT_ONCE = 768 * 1024;
/** Characters of items that are parsed together. */
const PART = 128 * 1024;
/** Characters that are looked at between two looks at the clock. */
const STEP = 64 * 1024;
/** JSON is slow to parse by its values and members, not by its length. */
const MAX_VALUES = 250_000;
const MAX_MEMBERS = 20_000;

/** A member of the body, as places in the text. */
interface Member {
  key: [from: number, to: number];
  value: [from: number, to: number];
  /** For an array: where its items are separated. */
  commas: number[];
}

/**
 * Like `JSON.parse`, but the items of the body's lists are parsed in several turns of the event
 * loop. Throws `invalid` for an object with too many members, and for an item with too many values,
 * which only a request made to hold up the server has.
 */
export async function parseInSlices(text: string): Promise<unknown> {
  if (text.length <= AT_ONCE) return JSON.parse(text);
  const slices = new TimeSlices();
  const members = await membersOf(text, slices);
  const entries: [string, unknown][] = [];
  for (const { key, value, commas } of members) {
    const name: unknown = JSON.parse(text.slice(...key));
    if (typeof name !== 'string') throw new SyntaxError('a key is not a string');
    const [from, to] = value;
    entries.push([
      name,
      commas.length > 0 ? await itemsOf(text, value, commas, slices) : JSON.parse(text.slice(from, to)),
    ]);
    await slices.pause();
  }
  return Object.fromEntries(entries);
}

async function itemsOf(
  text: string,
  [from, to]: [number, number],
  commas: number[],
  slices: TimeSlices,
): Promise<unknown[]> {
  const [open, close] = [text.indexOf('[', from), text.lastIndexOf(']', to - 1)];
  if (`${text.slice(from, open)}${text.slice(close + 1, to)}`.trim() !== '') {
    throw new SyntaxError('something stands beside a list');
  }
  const items: unknown[] = [];
  let start = open + 1;
  for (const end of [...commas, close]) {
    if (end < close && end - start < PART) continue;
    const part = text.slice(start, end);
    if (part.trim() === '') throw new SyntaxError('an item is missing');
    for (const item of JSON.parse(`[${part}]`) as unknown[]) items.push(item);
    start = end + 1;
    await slices.pause();
  }
  return items;
}

/**
 * Throws a SyntaxError where the text cannot be JSON; what it passes, `JSON.parse` still has to
 * take.
 */
async function membersOf(text: string, slices: TimeSlices): Promise<Member[]> {
  const scan = new Scan(text);
  while (!scan.isClosed) {
    scan.step(STEP);
    await slices.pause();
  }
  return scan.members;
}

class Scan {
  readonly members: Member[] = [];
  isClosed = false;
  private readonly text: string;
  private at: number;
  /** The commas of each open object or array, the body first. */
  private readonly open: { commas: number; isObject: boolean }[] = [];
  private member: Member | null = null;
  private keyFrom = 0;
  private values = 0;

  constructor(text: string) {
    this.text = text;
    this.at = text.search(/\S/);
    if (text[this.at] !== '{') throw invalid('body: must be an object');
  }

  step(characters: number): void {
    const { text } = this;
    const until = Math.min(text.length, this.at + characters);
    while (this.at < until && !this.isClosed) {
      const code = text.charCodeAt(this.at);
      if (code < IS_STRUCTURE.length && IS_STRUCTURE[code] === 1) this.see(code);
      this.at += 1;
    }
    if (this.at >= text.length && !this.isClosed) throw new SyntaxError('the text ends too early');
    if (this.isClosed && text.slice(this.at).trim() !== '') throw new SyntaxError('something follows the body');
  }

  private see(code: number): void {
    switch (code) {
      case QUOTE:
        this.at = this.endOfString();
        return;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.begin(code === OPEN_OBJECT);
        return;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.end();
        return;
      case COLON:
        this.count();
        if (this.open.length === 1 && this.member === null) {
          const after = this.at + 1;
          this.member = { key: [this.keyFrom, this.at], value: [after, after], commas: [] };
        }
        return;
      case COMMA:
        this.separate();
    }
  }

  private begin(isObject: boolean): void {
    if (this.open.length === 0) this.keyFrom = this.at + 1;
    this.open.push({ commas: 0, isObject });
  }

  private end(): void {
    const ended = this.open.pop();
    if (!ended) throw new SyntaxError('more is closed than was opened');
    if (this.open.length > 0) return;
    this.endMember();
    this.isClosed = true;
  }

  private separate(): void {
    this.count();
    const inner = this.open.at(-1);
    if (!inner) throw new SyntaxError('a comma outside of the body');
    inner.commas += 1;
    if (inner.isObject && inner.commas >= MAX_MEMBERS) {
      throw invalid(`body: an object has more than ${MAX_MEMBERS.toLocaleString('en')} members`);
    }
    if (this.open.length === 1) {
      this.endMember();
      this.keyFrom = this.at + 1;
    } else if (this.open.length === 2 && !inner.isObject && this.member) {
      this.member.commas.push(this.at);
      this.values = 0;
    }
  }

  private endMember(): void {
    const { member } = this;
    this.values = 0;
    if (member) {
      member.value[1] = this.at;
      this.members.push(member);
      this.member = null;
    } else {
      const isEmptyBody = this.open.length === 0 && this.members.length === 0;
      const between = this.text.slice(this.keyFrom, this.at).trim();
      if (!isEmptyBody || between !== '') throw new SyntaxError('a member has no value');
    }
  }

  private count(): void {
    this.values += 1;
    if (this.values <= MAX_VALUES) return;
    const name = this.member
      ? this.text
          .slice(...this.member.key)
          .trim()
          .replaceAll('"', '')
      : 'body';
    throw invalid(`${name}: has more than ${MAX_VALUES.toLocaleString('en')} values in one member or item`);
  }

  /** The place of the closing quote. */
  private endOfString(): number {
    for (let end = this.at; ; ) {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) throw new SyntaxError('a string does not end');
      let slashes = 0;
      while (this.text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
      if (slashes % 2 === 0) return end;
    }
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const IS_STRUCTURE = new Uint8Array(128);
for (const code of [QUOTE, COMMA, COLON, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY]) IS_STRUCTURE[code!] = 1;
