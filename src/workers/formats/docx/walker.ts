import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';
import { levelOf, nameOf, valOf } from './markup.ts';
import type { Style } from './styles.ts';

export interface Paragraph {
  text: string;
  level: number | null;
  /** Items and rows are joined without blank lines. */
  kind: 'text' | 'item' | 'row';
}

export interface WalkerOptions {
  styleOf(id: string | null): Style;
  notes: ReadonlyMap<string, string>;
  emit(paragraph: Paragraph): void;
}

/** Text boxes nest further paragraphs in it. */
interface Draft {
  text: string;
  style: string | null;
  /** Overrides the style; undefined: not stated. */
  level: number | null | undefined;
  isListItem: boolean | undefined;
  depth: number;
  /** Open runs; paragraph properties are outside of them. */
  runs: number;
  after: string[];
}

/** Deleted or moved text, fallbacks for old programs, former properties, and ruby text. */
const SKIPPED = new Set(['w:del', 'w:moveFrom', 'mc:Fallback', 'w:rt', 'w:pPrChange', 'w:rPrChange']);

/** In paragraph properties `w:tab` is a tab stop. */
const CHARACTERS: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
};

export class DocxWalker implements XmlHandler {
  readonly #options: WalkerOptions;
  readonly #drafts: Draft[] = [];
  readonly #rows: string[][] = [];
  readonly #containers: string[][] = [];
  #skipped = 0;
  #inText = false;
  /** The text of a note follows its first reference only. */
  readonly #noteNumbers = new Map<string, number>();

  constructor(options: WalkerOptions) {
    this.#options = options;
  }

  open(tag: XmlTag): void {
    const name = nameOf(tag);
    if (this.#skipped > 0 || SKIPPED.has(name)) {
      this.#skipped += 1;
      return;
    }
    switch (name) {
      case 'w:p':
        this.#drafts.push({
          text: '',
          style: null,
          level: undefined,
          isListItem: undefined,
          depth: 0,
          runs: 0,
          after: [],
        });
        break;
      case 'w:tr':
        this.#rows.push([]);
        break;
      case 'w:tc':
      case 'w:txbxContent':
        this.#containers.push([]);
        break;
      case 'w:t':
      case 'm:t':
        this.#inText = true;
        break;
      default:
        this.#openInside(name, tag);
    }
  }

  text(text: string): void {
    const draft = this.#drafts.at(-1);
    if (draft && this.#inText && this.#skipped === 0) draft.text += text;
  }

  close(tag: XmlTag): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    switch (nameOf(tag)) {
      case 'w:p':
        this.#endParagraph(this.#drafts.pop()!);
        break;
      case 'w:tr':
        this.#endRow(this.#rows.pop()!);
        break;
      case 'w:tc':
        this.#rows.at(-1)?.push(this.#containers.pop()!.join(' ').replaceAll('\n', ' '));
        break;
      case 'w:txbxContent':
        this.#endTextBox(this.#containers.pop()!);
        break;
      case 'w:r':
        this.#endRun();
        break;
      case 'w:t':
      case 'm:t':
        this.#inText = false;
        break;
    }
  }

  #openInside(name: string, tag: XmlTag): void {
    const draft = this.#drafts.at(-1);
    if (!draft) return;
    if (name === 'w:r') draft.runs += 1;
    if (draft.runs > 0) {
      draft.text += CHARACTERS[name] ?? '';
      if (name === 'w:footnoteReference') this.#tellNote(draft, `footnote ${attribute(tag, 'id')}`);
      if (name === 'w:endnoteReference') this.#tellNote(draft, `endnote ${attribute(tag, 'id')}`);
      return;
    }
    if (name === 'w:pStyle') draft.style = valOf(tag) ?? null;
    if (name === 'w:outlineLvl') draft.level = levelOf(valOf(tag));
    if (name === 'w:ilvl') draft.depth = Number(valOf(tag)) || 0;
    if (name === 'w:numId') draft.isListItem = valOf(tag) !== '0';
  }

  #tellNote(draft: Draft, key: string): void {
    const note = this.#options.notes.get(key);
    if (note === undefined) return;
    const number = this.#noteNumbers.get(key) ?? this.#noteNumbers.size + 1;
    draft.text += `[${number}]`;
    if (!this.#noteNumbers.has(key)) draft.after.push(`[${number}] ${note}`);
    this.#noteNumbers.set(key, number);
  }

  #endRun(): void {
    const draft = this.#drafts.at(-1);
    if (draft) draft.runs -= 1;
  }

  #endRow(cells: readonly string[]): void {
    if (cells.some((cell) => cell !== '')) this.#put({ text: cells.join(' | '), level: null, kind: 'row' });
  }

  #endTextBox(paragraphs: string[]): void {
    const after = this.#drafts.at(-1)?.after;
    for (const paragraph of paragraphs) after?.push(paragraph);
  }

  #endParagraph(draft: Draft): void {
    const style = this.#options.styleOf(draft.style);
    const isInside = this.#containers.length > 0;
    const level = isInside ? null : draft.level === undefined ? style.level : draft.level;
    const isItem = level === null && (draft.isListItem ?? style.isListItem);
    const text = draft.text.trim();
    if (text !== '')
      this.#put(isItem ? { text: itemOf(text, draft.depth), level, kind: 'item' } : { text, level, kind: 'text' });
    for (const after of draft.after) this.#put({ text: after, level: null, kind: 'text' });
  }

  #put(paragraph: Paragraph): void {
    const container = this.#containers.at(-1);
    if (container) container.push(paragraph.text);
    else if (paragraph.text !== '') this.#options.emit(paragraph);
  }
}

/** Word has nine levels. */
const MAX_DEPTH = 8;

function itemOf(text: string, depth: number): string {
  return `${'  '.repeat(Math.min(Math.max(0, Math.trunc(depth)), MAX_DEPTH))}- ${text}`;
}
