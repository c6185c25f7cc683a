import type { Script } from '../../../core/knowledge/scripts.ts';
import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';
import { Equation } from './equations.ts';
import { FieldStack } from './fields.ts';
import { isOn, levelOf, nameOf, valOf } from './markup.ts';
import type { Label, Numberings } from './numbering.ts';
import { ParagraphText } from './paragraph-text.ts';
import { type Look, lookOf, type Style, type Styles } from './styles.ts';
import { isSymbolFont, namedSymbol, symbolOf } from './symbols.ts';

export interface Paragraph {
  text: string;
  level: number | null;
  /** Items and rows are joined without blank lines. */
  kind: 'text' | 'item' | 'row';
}

export interface WalkerOptions {
  styles: Styles;
  /** Absent: lists have no numbers. */
  numberings?: Numberings;
  notes: ReadonlyMap<string, string>;
  /** Text of charts, diagrams and embedded documents, by the id of the relation. */
  included: ReadonlyMap<string, readonly Paragraph[]>;
  emit(paragraph: Paragraph): void;
}

/** Text boxes nest further paragraphs in it. */
interface Draft {
  text: ParagraphText;
  style: string | null;
  /** Overrides the style; undefined: not stated. */
  level: number | null | undefined;
  numId: string | undefined;
  depth: number | null;
  isMarkDeleted: boolean;
  /** Open runs; paragraph properties are outside of them. */
  runs: number;
  look: Look;
  after: Paragraph[];
}

/** Rows of a table; the first is its header, if it says so or says nothing. */
interface Table {
  rows: number;
  header: string;
  hasHeader: boolean;
}

/** Deleted or moved text, fallbacks for old programs, and former properties. */
const SKIPPED = new Set(['w:del', 'w:moveFrom', 'mc:Fallback', 'w:pPrChange', 'w:rPrChange']);

/** In paragraph properties `w:tab` is a tab stop. */
const CHARACTERS: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
};

/** A longer first row is no header. */
const MAX_HEADER = 1_000;

export class DocxWalker implements XmlHandler {
  /** Content that is not part of the text. */
  readonly unread = { pictures: 0, objects: new Set<string>(), symbols: new Set<string>() };
  readonly #options: WalkerOptions;
  readonly #drafts: Draft[] = [];
  readonly #rows: string[][] = [];
  readonly #tables: Table[] = [];
  readonly #containers: string[][] = [];
  readonly #fields = new FieldStack();
  #equation: Equation | null = null;
  #ruby: 'reading' | 'base' | null = null;
  #skipped = 0;
  /** Within `w:t`, or within the instruction of a field. */
  #inText: 'text' | 'instruction' | null = null;
  #inObject = false;
  /** The text of a note follows its first reference only. */
  readonly #noteNumbers = new Map<string, number>();

  constructor(options: WalkerOptions) {
    this.#options = options;
  }

  open(tag: XmlTag): void {
    const name = nameOf(tag);
    if (this.#skipped > 0 || SKIPPED.has(name)) {
      const draft = this.#drafts.at(-1);
      if (draft && draft.runs === 0 && (name === 'w:del' || name === 'w:moveFrom')) draft.isMarkDeleted = true;
      this.#skipped += 1;
      return;
    }
    switch (name) {
      case 'w:p':
        this.#drafts.push({
          ...{ text: new ParagraphText(), style: null, level: undefined, numId: undefined, depth: null },
          ...{ isMarkDeleted: false, runs: 0, look: {}, after: [] },
        });
        break;
      case 'w:tbl':
        this.#tables.push({ rows: 0, header: '', hasHeader: true });
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
        this.#inText = 'text';
        break;
      case 'w:instrText':
        this.#inText = 'instruction';
        break;
      case 'w:altChunk':
        for (const paragraph of this.#includedBy(tag, 'id')) this.#put(paragraph);
        break;
      default:
        if (name.startsWith('m:')) this.#openMath(name, tag);
        else this.#openInside(name, tag);
    }
  }

  text(text: string): void {
    if (this.#inText === null || this.#skipped > 0) return;
    if (this.#inText === 'instruction') this.#fields.instruct(text);
    else this.#add(this.#spelled(text));
  }

  close(tag: XmlTag): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const name = nameOf(tag);
    switch (name) {
      case 'w:p':
        this.#endParagraph(this.#drafts.pop()!);
        break;
      case 'w:tbl':
        this.#tables.pop();
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
      case 'w:instrText':
        this.#inText = null;
        break;
      case 'w:rt':
      case 'w:rubyBase':
        this.#ruby = null;
        break;
      case 'w:object':
        this.#inObject = false;
        break;
      case 'w:fldSimple':
        this.#add(this.#fields.end());
        break;
      case 'm:oMath':
        this.#endEquation();
        break;
      default:
        if (name.startsWith('m:')) this.#equation?.close(name.slice(2));
    }
  }

  #add(text: string): void {
    if (text === '' || !this.#fields.takes(text)) return;
    const draft = this.#drafts.at(-1);
    if (this.#equation) this.#equation.add(text);
    else draft?.text.add(text, scriptOf(draft.look), this.#ruby);
  }

  /** Fonts of symbols give letters another meaning. */
  #spelled(text: string): string {
    const { font = '' } = this.#drafts.at(-1)?.look ?? {};
    if (!isSymbolFont(font) && !/[\ue000-\uf8ff]/.test(text)) return text;
    return Array.from(text, (character) =>
      character === ' ' ? ' ' : this.#symbol(font, character.codePointAt(0)!),
    ).join('');
  }

  #symbol(font: string, code: number): string {
    const known = symbolOf(font, code);
    if (known !== null) return known;
    const named = namedSymbol(font || 'its font', code);
    this.unread.symbols.add(named);
    return named;
  }

  #openMath(name: string, tag: XmlTag): void {
    if (name === 'm:oMath') this.#equation ??= new Equation();
    else this.#equation?.open(name.slice(2), tag);
  }

  #endEquation(): void {
    const text = this.#equation?.text ?? '';
    this.#equation = null;
    const draft = this.#drafts.at(-1);
    if (text === '' || !this.#fields.takes(text)) return;
    if (draft) draft.text.addEquation(text);
    else this.#put({ text, level: null, kind: 'text' });
  }

  #openInside(name: string, tag: XmlTag): void {
    const draft = this.#drafts.at(-1);
    if (name === 'w:tblLook' && this.#tables.length > 0) this.#tables.at(-1)!.hasHeader = hasFirstRow(tag);
    if (name === 'w:tblHeader' && this.#tables.at(-1)?.rows === 0) this.#tables.at(-1)!.hasHeader = true;
    if (name === 'w:fldSimple') this.#fields.begin(attribute(tag, 'instr'), true);
    if (!draft) return;
    if (name === 'w:r') {
      draft.runs += 1;
      draft.look = {};
    }
    if (draft.runs > 0) this.#openInRun(name, tag, draft);
    else describe(draft, name, tag);
  }

  #openInRun(name: string, tag: XmlTag, draft: Draft): void {
    this.#add(CHARACTERS[name] ?? '');
    switch (name) {
      case 'w:rStyle':
        draft.look = { ...this.#options.styles.lookOf(valOf(tag) ?? null), ...draft.look };
        break;
      case 'w:rFonts':
      case 'w:vertAlign':
        draft.look = { ...draft.look, ...lookOf(name, tag) };
        break;
      case 'w:sym':
        this.#add(this.#symbol(attribute(tag, 'font') ?? '', Number.parseInt(attribute(tag, 'char') ?? '', 16)));
        break;
      case 'w:fldChar':
        if (attribute(tag, 'fldCharType') === 'begin') this.#fields.begin();
        else if (attribute(tag, 'fldCharType') === 'end') this.#add(this.#fields.end());
        else this.#fields.separate();
        break;
      case 'w:rt':
        this.#ruby = 'reading';
        break;
      case 'w:rubyBase':
        this.#ruby = 'base';
        break;
      case 'w:footnoteReference':
      case 'w:endnoteReference':
      case 'w:commentReference':
        this.#tellNote(draft, `${tag.local.replace('Reference', '')} ${attribute(tag, 'id')}`);
        break;
      case 'w:object':
        this.#inObject = true;
        break;
      case 'o:OLEObject':
        this.unread.objects.add(attribute(tag, 'ProgID') ?? 'unnamed');
        break;
      case 'pic:pic':
      case 'v:imagedata':
        if (!this.#inObject) this.unread.pictures += 1;
        break;
      case 'wp:docPr':
        if (attribute(tag, 'descr')?.trim()) this.#add(`[Picture: ${attribute(tag, 'descr')!.trim()}]`);
        break;
      case 'v:textpath':
        this.#add(attribute(tag, 'string') ?? '');
        break;
      case 'c:chart':
        draft.after.push(...this.#includedBy(tag, 'id'));
        break;
      case 'dgm:relIds':
        draft.after.push(...this.#includedBy(tag, 'dm'));
        break;
      default:
        this.#fields.describe(name, tag);
    }
  }

  #includedBy(tag: XmlTag, relation: string): readonly Paragraph[] {
    return this.#options.included.get(attribute(tag, relation) ?? '') ?? [];
  }

  #tellNote(draft: Draft, key: string): void {
    const note = this.#options.notes.get(key);
    if (note === undefined) return;
    const number = this.#noteNumbers.get(key) ?? this.#noteNumbers.size + 1;
    draft.text.add(`[${number}]`);
    if (!this.#noteNumbers.has(key)) draft.after.push({ text: `[${number}] ${note}`, level: null, kind: 'text' });
    this.#noteNumbers.set(key, number);
  }

  #endRun(): void {
    const draft = this.#drafts.at(-1);
    if (draft) draft.runs -= 1;
  }

  /**
   * The first row of a table stands above a line, as in Markdown: each part of the table repeats
   * both.
   */
  #endRow(cells: readonly string[]): void {
    if (!cells.some((cell) => cell !== '')) return;
    const text = cells.join(' | ');
    const table = this.#tables.at(-1);
    const isOutermost = table !== undefined && this.#containers.length === 0;
    const line = isOutermost && table.rows === 1 && table.hasHeader && table.header !== '' ? `${table.header}\n` : '';
    this.#put({ text: line + text, level: null, kind: 'row' });
    if (!isOutermost) return;
    // A title across all columns is above the header.
    if (table.rows > 0 || cells.length > 1) table.rows += 1;
    const isHeader = table.rows === 1 && text.length <= MAX_HEADER;
    table.header = isHeader ? cells.map(() => '---').join(' | ') : '';
  }

  #endTextBox(paragraphs: string[]): void {
    const after = this.#drafts.at(-1)?.after;
    for (const text of paragraphs) after?.push({ text, level: null, kind: 'text' });
  }

  #endParagraph(draft: Draft): void {
    this.#fields.giveUp();
    const { styles } = this.#options;
    const style = styles.of(draft.style);
    const isInside = this.#containers.length > 0;
    const level = isInside ? null : draft.level === undefined ? style.level : draft.level;
    const text = draft.text.end().trim();
    const isGone = draft.isMarkDeleted && text === '';
    const label = isGone || draft.numId === '0' ? null : this.#labelOf(draft, style);
    const isItem = level === null && (draft.numId === undefined ? style.isListItem : draft.numId !== '0');
    const marked = `${label?.text ?? ''}${text}`;
    if (text !== '')
      this.#put(
        isItem
          ? { text: itemOf(label?.text ? marked : `- ${text}`, label?.depth ?? draft.depth ?? 0), level, kind: 'item' }
          : { text: marked, level, kind: 'text' },
      );
    for (const after of draft.after) this.#put(after);
  }

  #labelOf({ numId, depth }: Draft, { numbering }: Style): Label | null {
    const { numberings, styles } = this.#options;
    if (!numberings || (numId === undefined && !numbering)) return null;
    const isOfStyle = numId === undefined && depth === null;
    return numberings.label(
      { numId: numId ?? numbering!.numId, level: depth ?? (isOfStyle ? numbering!.level : null) },
      isOfStyle ? numbering!.style : null,
      (style) => styles.numIdOf(style),
    );
  }

  #put(paragraph: Paragraph): void {
    const container = this.#containers.at(-1);
    if (container) container.push(paragraph.text);
    else if (paragraph.text !== '') this.#options.emit(paragraph);
  }
}

function describe(draft: Draft, name: string, tag: XmlTag): void {
  if (name === 'w:pStyle') draft.style = valOf(tag) ?? null;
  if (name === 'w:outlineLvl') draft.level = levelOf(valOf(tag));
  if (name === 'w:ilvl') draft.depth = Number(valOf(tag)) || 0;
  if (name === 'w:numId') draft.numId = valOf(tag);
}

function scriptOf({ script }: Look): Script | null {
  return script === undefined || script === 'baseline' ? null : script;
}

const FIRST_ROW = 0x20;

/** Whether the look of a table sets its first row apart. */
function hasFirstRow(tag: XmlTag): boolean {
  const stated = attribute(tag, 'firstRow');
  if (stated !== undefined) return isOn(stated);
  const bits = valOf(tag);
  return bits === undefined || (Number.parseInt(bits, 16) & FIRST_ROW) !== 0;
}

/** Word has nine levels. */
const MAX_DEPTH = 8;

function itemOf(text: string, depth: number): string {
  return `${'  '.repeat(Math.min(Math.max(0, Math.trunc(depth)), MAX_DEPTH))}${text}`;
}
