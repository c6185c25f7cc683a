import type { XmlHandler, XmlTag } from '../../../text/xml.ts';
import { attribute } from '../../../text/xml.ts';
import { levelOf, nameOf, valOf } from './markup.ts';

export interface Style {
  /** From 1; 0 is the title; null is body text. */
  level: number | null;
  isListItem: boolean;
}

const TITLE = 0;
const PLAIN: Style = { level: null, isListItem: false };
const MAX_ANCESTORS = 20;

interface DeclaredStyle {
  name: string;
  basedOn: string | null;
  outline: string | undefined;
  isListItem: boolean;
}

/** Ids differ by language (`Überschrift1`), the names of Word's own styles do not (`heading 1`). */
export class Styles implements XmlHandler {
  readonly #declared = new Map<string, DeclaredStyle>();
  #current: DeclaredStyle | null = null;

  of(id: string | null): Style {
    if (id === null) return PLAIN;
    const lineage = this.#lineage(id);
    if (lineage.length === 0) return { level: builtInLevel(id), isListItem: /^List(Bullet|Number)/.test(id) };
    return {
      level: builtInLevel(lineage[0]!.name) ?? inheritedLevel(lineage),
      isListItem: lineage.some((style) => style.isListItem),
    };
  }

  open(tag: XmlTag): void {
    const name = nameOf(tag);
    if (name === 'w:style') {
      this.#current = { name: '', basedOn: null, outline: undefined, isListItem: false };
      const id = attribute(tag, 'styleId');
      if (id && attribute(tag, 'type') === 'paragraph') this.#declared.set(id, this.#current);
    }
    const style = this.#current;
    if (!style) return;
    if (name === 'w:name') style.name = valOf(tag) ?? '';
    if (name === 'w:basedOn') style.basedOn = valOf(tag) ?? null;
    if (name === 'w:outlineLvl') style.outline = valOf(tag);
    if (name === 'w:numPr') style.isListItem = true;
  }

  close(tag: XmlTag): void {
    if (nameOf(tag) === 'w:style') this.#current = null;
  }

  #lineage(id: string): DeclaredStyle[] {
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
