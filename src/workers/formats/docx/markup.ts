import { attribute, type XmlTag } from '../../text/xml.ts';

/** The namespaces that matter, in both of their editions, and the prefixes that the rest of the code calls them by. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w:',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w:',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm:',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm:',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc:',
};

/** `w:p` for a paragraph, whatever prefix its producer has chosen; other vocabularies are `?`. */
export function nameOf(tag: XmlTag): string {
  const prefix = PREFIXES[tag.uri];
  return prefix === undefined ? '?' : prefix + tag.local;
}

/** The attribute `w:val`, which most elements carry what they say in. */
export function valOf(tag: XmlTag): string | undefined {
  return attribute(tag, 'val');
}

/** A heading's level from 1, out of `w:outlineLvl`; null for body text, which is 9 there. */
export function levelOf(outline: string | undefined): number | null {
  const level = Number(outline);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : null;
}
