import type { Script } from '../../../core/knowledge/scripts.ts';
import { attribute, type XmlHandler, type XmlTag } from '../../../text/xml.ts';
import { levelOf, nameOf, valOf } from './markup.ts';
import type { NumberingReference } from './numbering.ts';

export interface Style {
  /** From 1; 0 is the title; null is body text. */
  level: number | null;
  isListItem: boolean;
  /** With the style that states it. */
  numbering: (NumberingReference & { style: string }) | null;
}

/** How characters look, where it changes what they say. */
export interface Look {
  /** `baseline`: neither raised nor lowered. */
  script?: Script | 'baseline';
  font?: string;
}

const TITLE = 0;
const PLAIN: Style = { level: null, isListItem: false, numbering: null };
const MAX_ANCESTORS = 20;

interface DeclaredStyle {
  id: string;
  name: string;
  basedOn: string | null;
  outline: string | undefined;
  numbering: NumberingReference | null;
  look: Look;
}

/** Ids differ by language (`Überschrift1`), the names of Word's own styles do not (`heading 1`). */
export class Styles implements XmlHandler {
  readonly #declared = new Map<string, DeclaredStyle>();
  #current: DeclaredStyle | null = null;

  of(id: string | null): Style {
    if (id === null) return PLAIN;
    const lineage = this.#lineage(id);
    if (lineage.length === 0) {
      return { ...PLAIN, level: builtInLevel(id), isListItem: /^List(Bullet|Number)/.test(id) };
    }
    const own = lineage.find(({ numbering }) => numbering !== null);
    const stated = <Key extends keyof NumberingReference>(key: Key) =>
      lineage.find(({ numbering }) => numbering?.[key] != null)?.numbering?.[key] ?? null;
    return {
      level: builtInLevel(lineage[0]!.name) ?? inheritedLevel(lineage),
      isListItem: own !== undefined,
      numbering: own ? { numId: stated('numId'), level: stated('level'), style: own.id } : null,
    };
  }

  lookOf(id: string | null): Look {
    return Object.assign(
      {},
      ...this.#lineage(id)
        .toReversed()
        .map(({ look }) => look),
    );
  }

  /** The numbering of a style of lists. */
  numIdOf(id: string): string | null {
    return this.#lineage(id).find(({ numbering }) => numbering?.numId)?.numbering?.numId ?? null;
  }

  open(tag: XmlTag): void {
    const name = nameOf(tag);
    if (name === 'w:style') {
      const id = attribute(tag, 'styleId') ?? '';
      this.#current = { id, name: '', basedOn: null, outline: undefined, numbering: null, look: {} };
      if (id) this.#declared.set(id, this.#current);
    }
    const style = this.#current;
    if (!style) return;
    if (name === 'w:name') style.name = valOf(tag) ?? '';
    if (name === 'w:basedOn') style.basedOn = valOf(tag) ?? null;
    if (name === 'w:outlineLvl') style.outline = valOf(tag);
    if (name === 'w:numPr') style.numbering = { numId: null, level: null };
    if (style.numbering && name === 'w:numId') style.numbering.numId = valOf(tag) ?? null;
    if (style.numbering && name === 'w:ilvl') style.numbering.level = Number(valOf(tag));
    Object.assign(style.look, lookOf(name, tag));
  }

  close(tag: XmlTag): void {
    if (nameOf(tag) === 'w:style') this.#current = null;
  }

  #lineage(id: string | null): DeclaredStyle[] {
    const lineage: DeclaredStyle[] = [];
    for (let next: string | null = id; next !== null && lineage.length < MAX_ANCESTORS; ) {
      const style: DeclaredStyle | undefined = this.#declared.get(next);
      if (!style) break;
      lineage.push(style);
      next = style.basedOn;
    }
    return lineage;
  }
}

/** The look that an element of the properties of characters gives. */
export function lookOf(name: string, tag: XmlTag): Look {
  if (name === 'w:rFonts') {
    const font = attribute(tag, 'ascii') ?? attribute(tag, 'hAnsi');
    return font === undefined ? {} : { font };
  }
  const value = name === 'w:vertAlign' ? valOf(tag) : undefined;
  return value === 'superscript' || value === 'subscript' || value === 'baseline' ? { script: value } : {};
}

/** The nearest stated level decides; a style based on the title is not a title. */
function inheritedLevel(lineage: readonly DeclaredStyle[]): number | null {
  for (const { name, outline } of lineage) {
    if (outline !== undefined) return levelOf(outline);
    const level = builtInLevel(name);
    if (level !== null && level !== TITLE) return level;
  }
  return null;
}

function builtInLevel(name: string): number | null {
  if (/^title$/i.test(name)) return TITLE;
  const digit = /^heading\s?([1-9])$/i.exec(name)?.[1];
  return digit === undefined ? null : Number(digit);
}
