import { attribute, type XmlTag } from '../../../text/xml.ts';

const PREFIXES: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w:',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w:',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm:',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm:',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc:',
};

/** With our prefix, such as `w:p`; `?` for other namespaces. */
export function nameOf(tag: XmlTag): string {
  const prefix = PREFIXES[tag.uri];
  return prefix === undefined ? '?' : prefix + tag.local;
}

export function valOf(tag: XmlTag): string | undefined {
  return attribute(tag, 'val');
}

/** From 1; null for body text (9 in `w:outlineLvl`). */
export function levelOf(outline: string | undefined): number | null {
  const level = Number(outline);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : null;
}
