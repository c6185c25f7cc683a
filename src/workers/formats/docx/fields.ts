import { inScript } from '../../../core/knowledge/scripts.ts';
import type { XmlTag } from '../../../text/xml.ts';
import { root } from './equations.ts';
import { isOn, valOf } from './markup.ts';
import { namedSymbol, symbolOf } from './symbols.ts';

const OPEN = '\u0001';
const CLOSE = '\u0002';

/** The text of a field that keeps no result: formulas, symbols and buttons; empty for others. */
export function shownBy(instruction: string): string {
  const [, kind = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(instruction) ?? [];
  switch (kind.toUpperCase()) {
    case 'EQ':
      return formula(rest.trim());
    case 'SYMBOL':
      return symbol(rest);
    case 'MACROBUTTON':
    case 'GOTOBUTTON':
      return rest.replace(/^\S+\s*/, '').trim();
    default:
      return '';
  }
}

function symbol(rest: string): string {
  const code = Number(/^(?:0x[\da-f]+|\d+)/i.exec(rest)?.[0] ?? Number.NaN);
  const font = /\\f\s*"?([^"\\]+)"?/i.exec(rest)?.[1]?.trim() ?? '';
  return Number.isNaN(code) ? '' : (symbolOf(font, code) ?? namedSymbol(font, code));
}

const CALL = /(?:\\(?<name>[a-z]+)(?<options>(?:\s*\\[a-z]+-?\d*)*)\s*)?\((?<within>[^()]*)\)/i;
const MAX_CALLS = 1_000;

/** Word's formulas before 2007, such as `\f(1,2)` and `\r(3,x)`, from the innermost outwards. */
function formula(source: string): string {
  let text = source.replaceAll('\\(', OPEN).replaceAll('\\)', CLOSE);
  for (let calls = 0; calls < MAX_CALLS && CALL.test(text); calls += 1) {
    text = text.replace(CALL, (...match) => {
      const { name, options, within } = match.at(-1) as Record<string, string | undefined>;
      return name === undefined ? `${OPEN}${within}${CLOSE}` : called(name.toLowerCase(), options ?? '', within!);
    });
  }
  return text.replaceAll(OPEN, '(').replaceAll(CLOSE, ')').replaceAll('\\', '').trim();
}

/** The separator is a semicolon where decimals have a comma. */
function called(name: string, options: string, within: string): string {
  const parts = within.split(within.includes(';') ? ';' : ',').map((part) => part.trim());
  const [first = '', second] = parts;
  if (name === 'f' && second !== undefined) return `${grouped(first)}/${grouped(second)}`;
  if (name === 'r') return `${root(second === undefined ? '' : first)}${OPEN}${second ?? first}${CLOSE}`;
  if (name === 's' && /\\up/i.test(options)) return inScript('superscript', within);
  if (name === 's' && /\\do/i.test(options)) return inScript('subscript', within);
  if (name === 'b') return `${OPEN}${within}${CLOSE}`;
  if (name === 'i') {
    const sign = /\\su/i.test(options) ? '∑' : /\\pr/i.test(options) ? '∏' : '∫';
    return `${sign}${inScript('subscript', first)}${inScript('superscript', second ?? '')} ${parts.slice(2).join(' ')}`;
  }
  return name === 'l' ? within : parts.join(name === 'o' ? '' : '; ');
}

function grouped(text: string): string {
  return /^[\p{L}\p{N}.,]*$/u.test(text) || text.endsWith(CLOSE) ? text : `${OPEN}${text}${CLOSE}`;
}

interface Field {
  instruction: string;
  /** After its separator the text is its result, which is shown. */
  isShown: boolean;
  hasResult: boolean;
  form: { isBox: boolean; isChecked: boolean; entries: string[]; chosen: number };
}

const MAX_INSTRUCTION = 10_000;

/**
 * Fields under way, the innermost last. Their results are text; a field without one is reported at
 * its end.
 */
export class FieldStack {
  readonly #fields: Field[] = [];

  /** False for text that is part of an instruction. */
  takes(text: string): boolean {
    const hidden = this.#fields.findLast(({ isShown }) => !isShown);
    if (hidden) {
      if (hidden.instruction.length < MAX_INSTRUCTION) hidden.instruction += text;
      return false;
    }
    for (const field of this.#fields) field.hasResult ||= text.trim() !== '';
    return true;
  }

  instruct(text: string): void {
    const field = this.#fields.at(-1);
    if (field && field.instruction.length < MAX_INSTRUCTION) field.instruction += text;
  }

  begin(instruction = '', isShown = false): void {
    const form = { isBox: false, isChecked: false, entries: [], chosen: 0 };
    this.#fields.push({ instruction, isShown, hasResult: false, form });
  }

  separate(): void {
    const field = this.#fields.at(-1);
    if (field) field.isShown = true;
  }

  /** Returns the text that it shows in place of a result. */
  end(): string {
    const field = this.#fields.pop();
    if (!field || field.hasResult) return '';
    const { isBox, isChecked, entries, chosen } = field.form;
    return isBox ? (isChecked ? '☒' : '☐') : (entries[chosen] ?? shownBy(field.instruction));
  }

  /** At the end of a paragraph: an instruction that was not closed must not hide the rest. */
  giveUp(): void {
    for (let at = this.#fields.length - 1; at >= 0; at -= 1) if (!this.#fields[at]!.isShown) this.#fields.splice(at, 1);
  }

  /** Boxes and lists of old forms. */
  describe(name: string, tag: XmlTag): void {
    const form = this.#fields.at(-1)?.form;
    if (!form) return;
    if (name === 'w:checkBox') form.isBox = true;
    if (form.isBox && (name === 'w:default' || name === 'w:checked')) form.isChecked = isOn(valOf(tag));
    if (name === 'w:listEntry') form.entries.push(valOf(tag) ?? '');
    if (name === 'w:result') form.chosen = Number(valOf(tag)) || 0;
  }
}
