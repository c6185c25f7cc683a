import { raised, type Script } from '../../../core/knowledge/scripts.ts';

/** A paragraph's text under way: what is raised, lowered or read aloud is known when it ends. */
export class ParagraphText {
  #text = '';
  /** The end of the text: asking the whole of it would copy it each time. */
  #last = '';
  #script: Script | null = null;
  #scripted = '';
  /** Readings of the characters before, as they stand above Chinese and Japanese. */
  #reading = '';

  /** `ruby`: the reading, or the text that has it. */
  add(text: string, script: Script | null = null, ruby: 'reading' | 'base' | null = null): void {
    if (text === '') return;
    if (ruby === 'reading') {
      this.#reading += text;
      return;
    }
    if (ruby === null) this.#endReading();
    if (script !== this.#script) this.#endScript();
    this.#script = script;
    if (script === null) this.#append(text);
    else this.#scripted += text;
  }

  /** An equation; `2` before `1/2` is a number of its own. */
  addEquation(text: string): void {
    this.#endReading();
    this.#endScript();
    const isApart = /[\p{L}\p{N}]/u.test(this.#last) && /^\(?[\p{N}.,]+\//u.test(text);
    this.add(isApart ? ` ${text}` : text);
  }

  end(): string {
    this.#endReading();
    this.#endScript();
    return this.#text;
  }

  #endReading(): void {
    if (this.#reading === '') return;
    this.#endScript();
    this.#append(`(${this.#reading})`);
    this.#reading = '';
  }

  #endScript(): void {
    if (this.#script === null) return;
    this.#append(raised(this.#script, this.#scripted, this.#last));
    this.#scripted = '';
    this.#script = null;
  }

  #append(text: string): void {
    this.#text += text;
    this.#last = text.at(-1) ?? this.#last;
  }
}
