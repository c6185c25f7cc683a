import type { XmlTag } from '../../../text/xml.ts';
import { shownBy } from './fields.ts';
import { isOn, valOf } from './markup.ts';

interface Field {
  instruction: string;
  /** After its separator the text is its result, which is shown. */
  isShown: boolean;
  hasResult: boolean;
  form: { isBox: boolean; isChecked: boolean; entries: string[]; chosen: number };
}

const MAX_INSTRUCTION = 10_000;

/**
 * Fields under way, the innermost last. Their results are text; what has none is told when it ends.
 */
export class FieldStack {
  readonly #fields: Field[] = [];

  /** False: the text is part of an instruction. */
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

  /** What it shows besides its result. */
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
